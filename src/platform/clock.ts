import { microsecondsOf } from '../model/times.ts'

/** A time in UTC as tables and API answers have it: `2026-11-21T10:00:00.123456Z`. */
export type Timestamp = string

export interface Clock {
  /**
   * Later than every timestamp that this clock gave before, unless the time of day was set back
   * since: then it follows that.
   */
  now(): Timestamp
  /** Milliseconds since the epoch. */
  ms(): number
  /** The time in `ms` milliseconds, or before now for a negative value; whole milliseconds. */
  after(ms: number): Timestamp
}

/**
 * How far the clocks of the nodes may be apart, as far as waits go. What a table says of a later
 * time than that is from a clock that was set back since.
 */
export const CLOCKS_APART_MS = 60_000

/** Corrections below it do not set the time of day: `now` goes on with microseconds. */
const SET_BACK_US = 2_000_000

/**
 * @param read milliseconds since the epoch, perhaps with fractions. The system's clock by default:
 *   unlike `performance.now()` it stays right when the computer sleeps or its time is corrected
 */
export function createClock(read: () => number = Date.now): Clock {
  let lastUs = 0
  return {
    now() {
      const us = Math.floor(read() * 1000)
      lastUs = us < lastUs - SET_BACK_US ? us : Math.max(us, lastUs + 1)
      return timestampOf(lastUs)
    },
    ms: read,
    after: (ms) => timestampOf(Math.floor(read() + ms) * 1000),
  }
}

/** For times whose order counts, also where the clock was set back since `before`. */
export function laterThan(before: Timestamp | null, now: Timestamp): Timestamp {
  return before === null || now > before ? now : timestampOf(microsecondsOf(before) + 1)
}

/** @param us microseconds since the epoch */
export function timestampOf(us: number): Timestamp {
  const wholeMs = Math.floor(us / 1000)
  const restUs = us - wholeMs * 1000
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(restUs).padStart(3, '0')}Z`
}

/** A computer’s two clocks: the time of day, and a monotonic one. */
interface ClockReading {
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
