import { JsonText } from '../../../model/json-text.ts'
import { MAX_COUNTS, type Summary } from '../contract.ts'
import { type JsonValue, writeJson } from './json.ts'

/** Longer texts are not choices. Nor are nested lists and objects. */
const MAX_TEXT_LENGTH = 1000

/** How often each value occurs. Bounded: only the first `MAX_COUNTS` distinct values count. */
export type ValueCounts = Map<JsonValue, number>

/** Counts each item of a list, as often as it occurs there. */
export function countValue(counts: ValueCounts, value: JsonValue): void {
  if (!Array.isArray(value)) countOne(counts, value)
  else for (const item of value) countOne(counts, item)
}

function countOne(counts: ValueCounts, value: JsonValue): void {
  if (typeof value === 'object' || value === '') return
  const count = counts.get(value)
  if (count !== undefined) counts.set(value, count + 1)
  else if (counts.size < MAX_COUNTS && !isLongText(value)) counts.set(value, 1)
}

function isLongText(value: JsonValue): boolean {
  return typeof value === 'string' && value.length > MAX_TEXT_LENGTH
}

/** Most common first; equally common values in the order in which they first occurred. */
export function countsOf(counts: ValueCounts): NonNullable<Summary['counts']> {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ value: new JsonText(writeJson(value)), count }))
}
