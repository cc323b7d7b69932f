/** A computer’s two clocks: the time of day, and a monotonic one. */
export interface ClockReading {
  wallMs: number
  monotonicMs: number
}

/** Gradual corrections stay below it between two checks. */
const JUMP_MS = 2000
/** What is under way does not look too old by less. */
const FORWARD_MS = 60_000

/** Notices where the time of day was set, or the computer slept. Expiry follows the time of day. */
export function createClockWatch(read: () => ClockReading = readClocks) {
  let last = read()
  let jumps = 0
  return {
    /** @returns how far the time of day jumped since the last call, in milliseconds; mostly 0 */
    check() {
      const now = read()
      const apartMs = now.wallMs - last.wallMs - (now.monotonicMs - last.monotonicMs)
      last = now
      if (Math.abs(apartMs) < JUMP_MS) return 0
      jumps += 1
      return Math.round(apartMs)
    },
    /** How often it has jumped. */
    jumps: () => jumps,
  }
}
export type ClockWatch = ReturnType<typeof createClockWatch>

/**
 * @returns whether the time of day was set forward by more than a minute within `holdMs`, or the
 * computer slept: what is under way looks as much older since
 */
export function createForwardWatch(holdMs: number, read: () => ClockReading = readClocks) {
  const watch = createClockWatch(read)
  let untilMs = 0
  return (): boolean => {
    const { monotonicMs } = read()
    if (watch.check() > FORWARD_MS) untilMs = monotonicMs + holdMs
    return monotonicMs < untilMs
  }
}

function readClocks(): ClockReading {
  return { wallMs: Date.now(), monotonicMs: performance.now() }
}
