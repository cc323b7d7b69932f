/** An instant as every table and answer spells it: `2026-11-21T10:00:00.123456Z`, UTC. */
export type Timestamp = string

export interface Clock {
  /** Strictly later than any timestamp this clock gave before. */
  now(): Timestamp
  /** Milliseconds since the epoch. */
  ms(): number
  /** The instant so many milliseconds from now, or before it; whole milliseconds. */
  after(ms: number): Timestamp
}

/** @param read milliseconds since the epoch, with fractions where the machine has them */
export function createClock(read = () => performance.timeOrigin + performance.now()): Clock {
  let last_us = 0
  return {
    now() {
      last_us = Math.max(Math.floor(read() * 1000), last_us + 1)
      return timestampOf(last_us)
    },
    ms: () => read(),
    after: (ms) => timestampOf(Math.floor(read() + ms) * 1000),
  }
}

/** @param us microseconds since the epoch */
export function timestampOf(us: number): Timestamp {
  const whole_ms = Math.floor(us / 1000)
  const rest_us = us - whole_ms * 1000
  return `${new Date(whole_ms).toISOString().slice(0, -1)}${String(rest_us).padStart(3, '0')}Z`
}
