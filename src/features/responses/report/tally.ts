import { JsonText } from '../../../model/json-text.ts'
import { MAX_COUNTS, type Summary } from '../contract.ts'
import { type Sent, writeJson } from './json.ts'

/** What is longer is no choice; nor are lists in lists and objects. */
const MAX_LENGTH = 1000

/** How often each value came. It knows the first `MAX_COUNTS` different ones, so that it ends. */
export type Tally = Map<Sent, number>

/** Each item of a list counts, once for every time it comes. */
export function countValue(tally: Tally, value: Sent): void {
  if (!Array.isArray(value)) countOne(tally, value)
  else for (const item of value) countOne(tally, item)
}

function countOne(tally: Tally, value: Sent): void {
  if (typeof value === 'object' || value === '') return
  const count = tally.get(value)
  if (count !== undefined) tally.set(value, count + 1)
  else if (tally.size < MAX_COUNTS && !isLong(value)) tally.set(value, 1)
}

function isLong(value: Sent): boolean {
  return typeof value === 'string' && value.length > MAX_LENGTH
}

/** Most common first; of equally common ones, the one that came first. */
export function countsOf(tally: Tally): NonNullable<Summary['counts']> {
  return [...tally]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ value: new JsonText(writeJson(value)), count }))
}
