import { JsonText } from '../../../model/json-text.ts'
import { MAX_COUNTS, type Summary } from '../contract.ts'
import { type Sent, writeJson } from './json.ts'

/** Longer values are no choices and are not counted; nor are lists in lists, nor objects. */
const MAX_LENGTH = 1000

/** How often each value came. Bounded: the first `MAX_COUNTS` different ones. */
export type ValueCounts = Map<Sent, number>

/** Each item of a list counts, once for every time it comes. */
export function countValue(counts: ValueCounts, value: Sent): void {
  if (!Array.isArray(value)) countOne(counts, value)
  else for (const item of value) countOne(counts, item)
}

function countOne(counts: ValueCounts, value: Sent): void {
  if (typeof value === 'object' || value === '') return
  const count = counts.get(value)
  if (count !== undefined) counts.set(value, count + 1)
  else if (counts.size < MAX_COUNTS && !isLong(value)) counts.set(value, 1)
}

function isLong(value: Sent): boolean {
  return typeof value === 'string' && value.length > MAX_LENGTH
}

/** Most common first; of equally common ones, the one that came first. */
export function countsOf(counts: ValueCounts): NonNullable<Summary['counts']> {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ value: new JsonText(writeJson(value)), count }))
}
