/** A time in UTC as tables and API answers have it: `2026-11-21T10:00:00.123456Z`. */
export type Timestamp = string

export interface Clock {
  /** Later than every timestamp that this clock gave before. */
  now(): Timestamp
  /** Milliseconds since the epoch. */
  ms(): number
  /** The time in `ms` milliseconds, or before now for a negative value; whole milliseconds. */
  after(ms: number): Timestamp
}

/**
 * @param read milliseconds since the epoch, perhaps with fractions. The system's clock by default:
 *   unlike `performance.now()` it stays right when the computer sleeps or its time is corrected
 */
export function createClock(read: () => number = Date.now): Clock {
  let lastUs = 0
  return {
    now() {
      lastUs = Math.max(Math.floor(read() * 1000), lastUs + 1)
      return timestampOf(lastUs)
    },
    ms: read,
    after: (ms) => timestampOf(Math.floor(read() + ms) * 1000),
  }
}

/** @param us microseconds since the epoch */
export function timestampOf(us: number): Timestamp {
  const wholeMs = Math.floor(us / 1000)
  const restUs = us - wholeMs * 1000
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(restUs).padStart(3, '0')}Z`
}
