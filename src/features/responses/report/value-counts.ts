import { JsonText } from '../../../model/json-text.ts'
import { MAX_COUNTS } from '../../../model/report-limits.ts'
import type { Summary } from '../contract.ts'
import { type JsonValue, writeJson } from './json.ts'

/** Longer texts are not choices; those in a list are counted by their beginning. */
const MAX_TEXT_LENGTH = 1000

/** How often each value occurs. Bounded: only the first `MAX_COUNTS` distinct values count. */
export type ValueCounts = Map<JsonValue, number>

/** Counts each item of a list, as often as it occurs there: null and '' too, so none is lost. */
export function countValue(counts: ValueCounts, value: JsonValue): void {
  if (!Array.isArray(value)) countOne(counts, value)
  else for (const item of value) countOne(counts, countableOf(item))
}

/** An object or list within a list counts as its JSON text. */
function countableOf(item: JsonValue): JsonValue {
  if (item === null) return item
  const text = typeof item === 'object' ? writeJson(item) : item
  return isLongText(text)
    ? `${String(text)
        .slice(0, MAX_TEXT_LENGTH - 1)
        .toWellFormed()}…`
    : text
}

function countOne(counts: ValueCounts, value: JsonValue): void {
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
