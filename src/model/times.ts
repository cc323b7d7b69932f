/** Times as people and agents write them. */
import { parsedBy } from './text.ts'
import { parseTimestamp } from './timestamp.ts'

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
export function parseTimeToCome(text: string, nowMs = Date.now()): string | null {
  const distance = distanceMs(text)
  if (distance !== null) return parseTimestamp(new Date(nowMs + distance).toISOString())
  return parseTimestamp(DATE.test(text.trim()) ? `${text.trim()}T23:59:59.999999Z` : text)
}

/** A distance is back from now, and a date means its start in UTC. @returns null for no time */
export function parseTimePast(text: string, nowMs = Date.now()): string | null {
  const distance = distanceMs(text)
  if (distance !== null) return parseTimestamp(new Date(nowMs - distance).toISOString())
  return parseTimestamp(DATE.test(text.trim()) ? `${text.trim()}T00:00:00Z` : text)
}

/** The form of both, for the schemas that clients read. */
const FORM = { pattern: '^([0-9]{1,4}[mhdw]|[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].+)?)$' }

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
