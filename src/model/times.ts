/** Times as people and agents write them. */
import { parsedBy } from './text.ts'

const DISTANCE = /^(\d{1,4})([mhdw])$/
const DATE = /^\d{4}-\d\d-\d\d$/
const UNITS_MS: Record<string, number> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `30m`, `12h`, `7d` or `2w` in milliseconds; null where the text is no distance. */
export function distanceMs(text: string): number | null {
  const [, count, unit = ''] = DISTANCE.exec(text.trim()) ?? []
  return count === undefined ? null : Number(count) * UNITS_MS[unit]!
}

/** A distance is from now on, and a date means its end in UTC. @returns null where it is no time */
export const parseTimeToCome = timeParser(1, 'T23:59:59.999999Z')
/** A distance is back from now, and a date means its start in UTC. @returns null for no time */
export const parseTimePast = timeParser(-1, 'T00:00:00Z')

function timeParser(sign: 1 | -1, timeOfDate: string) {
  return (text: string, nowMs = Date.now()): string | null => {
    const distance = distanceMs(text)
    if (distance !== null) return parseTimestamp(new Date(nowMs + sign * distance).toISOString())
    return parseTimestamp(DATE.test(text.trim()) ? text.trim() + timeOfDate : text)
  }
}

/** The form of both, for the schemas that clients read. */
const FORM = { pattern: '^([0-9]{1,4}[mhdw]|[0-9]{4}-?[0-9]{2}-?[0-9]{2}([Tt ].+)?)$' }

export const timeToCome = parsedBy(
  (text) => parseTimeToCome(text),
  'must be a time with an offset such as 2027-01-31T09:00:00Z, a date, or a distance such as 7d',
  FORM,
)
export const timePast = parsedBy(
  (text) => parseTimePast(text),
  'must be a time with an offset such as 2027-01-31T09:00:00Z, a date, or how long ago such as 7d',
  FORM,
)

const ISO = new RegExp(
  [
    '^(\\d{4})-?(\\d{2})-?(\\d{2})[Tt ](\\d{2}):?(\\d{2})', // date, hours and minutes
    '(?::?(\\d{2})(?:[.,](\\d{1,9}))?)?', // seconds and their fraction
    '(Z|z|[+-]\\d{2}(?::?\\d{2})?)$', // offset
  ].join(''),
)

/**
 * Converts any ISO 8601 date and time with an offset, in its extended or basic format, to that of
 * tables and API answers: UTC with microseconds.
 *
 * @returns null when the text is none, or is no date of the calendar
 */
export function parseTimestamp(text: string): string | null {
  const match = ISO.exec(text.trim())
  if (match === null) return null
  const [, year = '', month, day, hours, minutes, seconds = '00', fraction = '', zone = 'Z'] = match
  const local = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`
  const localMs = Date.parse(`${local}Z`)
  // Date.parse would read 30 February as 2 March.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(local)) return null
  const offsetMinutes = offsetOf(zone)
  if (offsetMinutes === null) return null
  const instant = new Date(localMs - offsetMinutes * 60_000)
  const yearInUtc = instant.getUTCFullYear()
  if (yearInUtc < 1 || yearInUtc > 9999) return null
  return `${instant.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}

/** Converts a timestamp to milliseconds since the epoch, with microseconds as the fraction. */
export function millisecondsOf(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`) + Number(timestamp.slice(23, 26)) / 1000
}

/** Converts a timestamp to whole microseconds since the epoch. */
export function microsecondsOf(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`) * 1000 + Number(timestamp.slice(23, 26))
}

function offsetOf(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || 0)]
  if (hours > 23 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
