const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 6 * 60 * 60_000
/** With the waits between them they take about three days. */
export const MAX_ATTEMPTS = 24
/** How long it takes at most until the next attempt, after each one, the first one first. */
export const LONGEST_RETRIES_MS = Array.from({ length: MAX_ATTEMPTS }, (_, nth) =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** nth * 1.25),
)

/** Doubles with each attempt. The jitter spreads the retries of what failed together. */
export function retryDelayMs(attempts: number): number {
  const doubled = FIRST_RETRY_MS * 2 ** (attempts - 1) * (1 + Math.random() / 4)
  return Math.min(LONGEST_RETRY_MS * (1 - Math.random() / 4), doubled)
}
