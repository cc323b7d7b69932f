import { refuse } from '../../model/errors.ts'
import { millisecondsOf, parseTimePast } from '../../model/times.ts'
import type { AnalyticsQuery } from './contract.ts'
import { dateText, dayOf, firstHourOf, openZone, parseDate, type Zone } from './zone.ts'

const HOUR_MS = 3_600_000
/** The most points in one answer: ten years by day, or five months by hour. */
const MAX_POINTS = 4000
/** How far back an answer by hour goes by default. */
const DEFAULT_HOURS = 7 * 24
/** Years whose timestamps have four digits in every zone. */
const MIN_HOUR = Date.UTC(1970, 0, 2) / HOUR_MS
const MAX_HOUR = Date.UTC(9998, 0, 1) / HOUR_MS

/** The parameters of a request; an MCP tool leaves out those that it does not offer. */
export type RangeQuery = Partial<AnalyticsQuery>

/** The hours of a report: those that begin at or after `from` and before `to`. */
export interface Range {
  from: number
  to: number
  interval: 'hour' | 'day'
  zone: Zone
}

/**
 * @param now the hour that it is
 * @param first the hour of the first view, for a request without `from`
 * @throws Refusal `invalid_parameter` for a range that is none, or has too many points
 */
export function rangeOf(query: RangeQuery, { now, first }: { now: number; first: number }): Range {
  const { interval = 'day', tz = 'UTC' } = query
  const zone = openZone(tz)
  if (zone === null) throw wrong('tz', `There is no time zone ${tz}: try Europe/Berlin.`)
  const isByDays = query.days !== undefined
  if (isByDays && (query.from !== undefined || query.to !== undefined)) {
    throw wrong('days', 'Send either days, or from and to.')
  }
  const to = query.to === undefined ? now + 1 : momentOf('to', query.to, { zone, now })
  const from = isByDays
    ? firstHourOf(dayOf(now, zone) - query.days! + 1, zone)
    : query.from === undefined
      ? defaultFrom(interval, { first, to })
      : momentOf('from', query.from, { zone, now })
  if (from >= to) throw wrong('from', 'from must lie before to, and not in the future.')
  const range = { from, to, interval, zone }
  if (countPoints(range) > MAX_POINTS) {
    const cure = interval === 'hour' ? 'a later from, or interval=day' : 'a later from'
    throw wrong('from', `That is more than ${MAX_POINTS} points: send ${cure}.`)
  }
  return range
}

/** Every hour or day of a range, zero without views. */
export function seriesOf(
  range: Range,
  hours: readonly { hour: number; views: number; viewers: number }[],
): { at: string; views: number; viewers: number }[] {
  const first = pointOf(range.from, range)
  const textOf = range.interval === 'hour' ? hourText : dateText
  const points = Array.from({ length: countPoints(range) }, (_, at) => ({
    at: textOf(first + at),
    views: 0,
    viewers: 0,
  }))
  for (const { hour, views, viewers } of hours) {
    const point = points[pointOf(hour, range) - first]!
    point.views += views
    point.viewers += viewers
  }
  return points
}

export function hourText(hour: number): string {
  return `${new Date(hour * HOUR_MS).toISOString().slice(0, 19)}.000000Z`
}

/** The parts of a range in which the clocks of its zone do not change. */
export function steadyParts({ from, to, zone }: Range) {
  const parts: { from: number; to: number; offsetMinutes: number }[] = []
  for (let hour = from; hour < to; hour += 1) {
    const offsetMinutes = zone.offsetAt(hour)
    const last = parts.at(-1)
    if (last?.offsetMinutes === offsetMinutes) last.to = hour + 1
    else parts.push({ from: hour, to: hour + 1, offsetMinutes })
  }
  return parts
}

function defaultFrom(interval: 'hour' | 'day', { first, to }: { first: number; to: number }) {
  if (interval === 'hour') return to - DEFAULT_HOURS
  return Math.min(first, to - 1)
}

/** As `from` a day means its first hour, and as `to` its last one. */
function momentOf(
  param: 'from' | 'to',
  text: string,
  { zone, now }: { zone: Zone; now: number },
): number {
  const day = parseDate(text)
  const timestamp = day === null ? parseTimePast(text, now * HOUR_MS) : null
  if (day === null && timestamp === null) {
    const forms = 'a day such as 2026-11-21, a time with its offset, or how long ago such as 7d'
    throw wrong(param, `${param} must be ${forms}.`)
  }
  const ms = timestamp === null ? day! * 24 * HOUR_MS : millisecondsOf(timestamp)
  const near = Math.floor(ms / HOUR_MS)
  if (near < MIN_HOUR || near > MAX_HOUR) throw wrong(param, `${param} is too far from today.`)
  if (day !== null) return firstHourOf(param === 'to' ? day + 1 : day, zone)
  return param === 'to' ? Math.ceil(ms / HOUR_MS) : near
}

function countPoints(range: Range): number {
  return pointOf(range.to - 1, range) - pointOf(range.from, range) + 1
}

function pointOf(hour: number, { interval, zone }: Range): number {
  return interval === 'hour' ? hour : dayOf(hour, zone)
}

const wrong = refuse.invalidParameter
