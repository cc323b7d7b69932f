import { REFUSAL_REASONS, type RefusalReason } from '../../model/page/admission.ts'
import { type Facet, type FacetCount, OTHER } from '../views/index.ts'

/** The most values of one list in a report. All further ones are added up. */
const MAX_LISTED = 100

/**
 * The part of a report that is counted by day.
 *
 * @param views all views of these days, to compute the number of those with an unknown fact
 */
export function factsOf(facets: readonly FacetCount[], views: number) {
  const of = (facet: Facet) => facets.filter((each) => each.facet === facet && each.count > 0)
  const counts = (facet: Facet) => withUnknown(of(facet), views)
  // A view that continues moves to a higher step; the seconds counted in the lower step stay.
  const durations = facets.filter(({ facet }) => facet === 'duration')
  return {
    referrers: counts('referrer'),
    countries: counts('country'),
    devices: counts('device'),
    browsers: counts('browser'),
    files: placesOf(of('file')),
    sections: placesOf(of('section')),
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
      seconds_median: medianOf(durations),
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
    .map(({ value, count, seconds }) => ({ path: value, views: count, seconds }))
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

/** @param durations whose values are steps. @returns null without any */
function medianOf(durations: readonly FacetCount[]): number | null {
  let remaining = sum(durations, ({ count }) => count) / 2
  if (remaining === 0) return null
  for (const { value, count } of durations.toSorted((a, b) => Number(a.value) - Number(b.value))) {
    remaining -= count
    if (remaining <= 0) return secondsOf(Number(value))
  }
  return null
}
