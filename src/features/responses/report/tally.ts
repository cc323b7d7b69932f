import { JsonText } from '../../../model/json-text.ts'
import { MAX_COUNTS, type Summary } from '../contract.ts'
import { type Sent, writeJson } from './json.ts'

/** What is longer is no choice. */
const MAX_LENGTH = 1000

interface Count {
  value: Sent
  count: number
}

/** How often each value came. It knows the first `MAX_COUNTS` different ones, so that it ends. */
export interface Tally {
  plain: Map<Sent, Count>
  /** Lists and objects, by their JSON. */
  composite: Map<string, Count>
  counts: Count[]
}

export function createTally(): Tally {
  return { plain: new Map(), composite: new Map(), counts: [] }
}

/** Each item of a list counts, once for every time it comes. */
export function countValue(tally: Tally, value: Sent): void {
  if (!Array.isArray(value)) countOne(tally, value)
  else for (const item of value) countOne(tally, item)
}

function countOne(tally: Tally, value: Sent): void {
  if (value === null || value === '') return
  if (typeof value === 'object') count(tally, tally.composite, writeJson(value), value)
  else count(tally, tally.plain, value, value)
}

function count<K extends Sent>(tally: Tally, known: Map<K, Count>, key: K, value: Sent): void {
  const found = known.get(key)
  if (found) {
    found.count += 1
  } else if (tally.counts.length < MAX_COUNTS && !isLong(key)) {
    const first = { value, count: 1 }
    known.set(key, first)
    tally.counts.push(first)
  }
}

function isLong(key: Sent): boolean {
  return typeof key === 'string' && key.length > MAX_LENGTH
}

/** Most common first; of equally common ones, the one that came first. */
export function countsOf(tally: Tally): NonNullable<Summary['counts']> {
  return tally.counts
    .toSorted((a, b) => b.count - a.count)
    .map(({ value, count }) => ({ value: new JsonText(writeJson(value)), count }))
}
