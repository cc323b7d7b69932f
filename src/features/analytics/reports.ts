import { REFUSAL_REASONS, type RefusalReason } from '../../model/page/admission.ts'
import { type Facet, type FacetCount, OTHER } from '../views/index.ts'
import type { Report } from './contract.ts'

/** The most values of one list in a report. All further ones are added up. */
const MAX_LISTED = 100

type Facts = Pick<
  Report,
  | 'referrers'
  | 'countries'
  | 'devices'
  | 'browsers'
  | 'files'
  | 'sections'
  | 'sheets'
  | 'refusals'
  | 'measured'
>

/**
 * The part of a report that is counted by day.
 *
 * @param views all views of these days, to compute the number of those with an unknown fact
 */
export function factsOf(facets: readonly FacetCount[], views: number): Facts {
  const of = (facet: Facet) => facets.filter((each) => each.facet === facet && each.count > 0)
  const counts = (facet: Facet) => withUnknown(of(facet), views)
  // A view that continues moves to a higher step; the seconds counted in the lower step stay.
  const durations = facets.filter(({ facet }) => facet === 'duration')
  return {
    referrers: counts('referrer'),
    countries: counts('country'),
    devices: counts('device'),
    browsers: counts('browser'),
    files: placesOf(of('file')).map(({ value: path, ...place }) => ({ path, ...place })),
    sections: placesOf(of('section')).map(({ value: path, ...place }) => ({ path, ...place })),
    sheets: of('sheet')
      .filter(({ value }) => value !== OTHER)
      .map(({ value, count, seconds }) => ({ sheet: Number(value), views: count, seconds }))
      .sort((a, b) => a.sheet - b.sheet),
    refusals: of('refusal')
      .filter(({ value }) => (REFUSAL_REASONS as readonly string[]).includes(value))
      .sort(byCount)
      .map(({ value, count }) => ({ reason: value as RefusalReason, count })),
    measured: {
      opens: sum(durations, ({ count }) => count),
      seconds: sum(durations, ({ seconds }) => seconds),
      seconds_median: medianOf(
        durations.map(({ value, count }) => ({ step: Number(value), count })),
      ),
    },
  }
}

/** The values of a facet, most common first; null counts the views whose value is unknown. */
function withUnknown(counts: FacetCount[], views: number) {
  const sorted = counts.filter(({ value }) => value !== OTHER).sort(byCount)
  const top: { value: string | null; views: number }[] = sorted
    .slice(0, MAX_LISTED)
    .map(({ value, count }) => ({ value, views: count }))
  const all = sum(counts, ({ count }) => count)
  const rest = all - sum(top, (each) => each.views)
  if (rest > 0) top.push({ value: OTHER, views: rest })
  if (views > all) top.push({ value: null, views: views - all })
  return top
}

function placesOf(counts: FacetCount[]) {
  return counts
    .sort(byCount)
    .slice(0, MAX_LISTED)
    .map(({ value, count, seconds }) => ({ value, views: count, seconds }))
}

function byCount(a: FacetCount, b: FacetCount): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1)
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** The longest view that is counted, in seconds: in a longer one the page was open but not read. */
export const MAX_SECONDS = 4 * 60 * 60
/** Up to here each second is a step of its own; then steps grow by a tenth. */
const EXACT = 30
const GROWTH = 1.1

/** The step that a duration belongs to: fewer than a hundred of them reach the longest view. */
export function stepOf(seconds: number): number {
  if (seconds <= EXACT) return seconds
  return EXACT + Math.ceil(Math.log(seconds / EXACT) / Math.log(GROWTH))
}

/** The longest duration of a step. */
function secondsOf(step: number): number {
  return step <= EXACT ? step : Math.round(EXACT * GROWTH ** (step - EXACT))
}

/** @returns null without durations */
function medianOf(steps: readonly { step: number; count: number }[]): number | null {
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  let cumulative = 0
  for (const { step, count } of [...steps].sort((a, b) => a.step - b.step)) {
    cumulative += count
    if (cumulative * 2 >= total) return secondsOf(step)
  }
  return null
}
