export const HOUR_MS = 3_600_000

/** The hour of UTC since the epoch. @param ms milliseconds since the epoch */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS)
}
