import type { ControlKind, FormControl } from '../../../model/form.ts'
import { JsonText } from '../../../model/json-text.ts'
import { type Field, MAX_COUNTS, MAX_SAMPLES, type Summary } from '../contract.ts'
import {
  displayText,
  isEmpty,
  isEmptyList,
  isObjectList,
  itemsOf,
  type JsonValue,
  writeJson,
} from './json.ts'
import { addNumber, createSum, meanOf, type NumberSum, parseNumber } from './numbers.ts'

/**
 * Statistics of one field, collected while responses are read. A published control decides the type
 * of its field from the start. Without one the type is known only after the last response, so the
 * statistics of every possible type are collected.
 */
export interface ColumnStatistics {
  key: string
  publishedControl: FormControl | undefined
  answered: number
  hasEmptyList: boolean
  /** A bit set of the types of the values so far. */
  seenTypes: number
  yes: number
  no: number
  items: number
  sum: NumberSum
  counts: ValueCounts
  /** The newest values, oldest first. */
  samples: { value: JsonValue; respondent: string }[]
}

const BOOLEANS = 1
const NUMBERS = 2
const TEXTS = 4
const LISTS = 8
const ROWS = 16

export function createColumnStatistics(
  key: string,
  publishedControl: FormControl | undefined,
): ColumnStatistics {
  return {
    key,
    publishedControl,
    answered: 0,
    hasEmptyList: false,
    seenTypes: 0,
    yes: 0,
    no: 0,
    items: 0,
    sum: createSum(),
    counts: new Map(),
    samples: [],
  }
}

export function addValue(column: ColumnStatistics, value: JsonValue, respondent: string): void {
  if (isEmptyList(value)) column.hasEmptyList = true
  if (isEmpty(value)) return
  const kind = column.publishedControl?.kind
  const type = typeBit(value)
  column.answered += 1
  column.seenTypes |= type
  if (isObjectList(value)) column.items += itemsOf(value).length
  if (isPossible(kind, 'boolean')) addBoolean(column, value)
  if (isPossible(kind, 'number')) addNumeric(column, value)
  if (isPossible(kind, 'choice') || kind === 'multi') countValue(column.counts, value)
  if (isPossible(kind, 'text')) addSample(column, value, respondent)
}

function isPossible(control: ControlKind | undefined, kind: ControlKind): boolean {
  return control === undefined || control === kind
}

function typeBit(value: JsonValue): number {
  if (typeof value === 'string') return TEXTS
  if (typeof value === 'boolean') return BOOLEANS
  if (!Array.isArray(value)) return NUMBERS
  return isObjectList(value) ? ROWS : LISTS
}

/** Also counts the texts that scripts send for a checkbox. */
function addBoolean(column: ColumnStatistics, value: JsonValue): void {
  switch (value) {
    case true:
    case 'true':
    case 'on':
      column.yes += 1
      break
    case false:
    case 'false':
    case 'off':
      column.no += 1
  }
}

function addNumeric(column: ColumnStatistics, value: JsonValue): void {
  const number = typeof value === 'string' ? parseNumber(value) : value
  if (typeof number === 'number' || typeof number === 'bigint') addNumber(column.sum, number)
}

function addSample(column: ColumnStatistics, value: JsonValue, respondent: string): void {
  column.samples.push({ value, respondent })
  if (column.samples.length > MAX_SAMPLES) column.samples.shift()
}

/**
 * Describes the field and summarises its values, once the last response has been added.
 *
 * @param control the control of this field, published or sent with a response
 * @param about `maxSampleChars`: the most characters that the samples of this field may have
 *   together; `typeIfEmpty`: the type of earlier items of this field, where all lists are empty
 */
export function describeColumn(
  column: ColumnStatistics,
  control: FormControl | undefined,
  about: { maxSampleChars: number; typeIfEmpty?: Field['type'] | undefined },
): { field: Field; summary: Summary } {
  const { maxSampleChars, typeIfEmpty } = about
  const isEmptied = column.seenTypes === 0 && column.hasEmptyList && typeIfEmpty !== undefined
  const kind = isEmptied && typeIfEmpty !== 'rows' ? (control?.kind ?? typeIfEmpty) : control?.kind
  const seenTypes = isEmptied && typeIfEmpty === 'rows' ? ROWS : column.seenTypes
  const type = typeOf(seenTypes, kind)
  const field = { key: column.key, label: control?.label ?? null, type }
  return {
    field,
    summary: { ...field, answered: column.answered, ...factsOf(column, type, maxSampleChars) },
  }
}

function typeOf(types: number, kind: ControlKind | undefined): Field['type'] {
  // No control sends lists of objects: a script has sent them under the control's name.
  if (types === ROWS) return 'rows'
  if (kind !== undefined) return kind
  if (types === BOOLEANS) return 'boolean'
  if (types === NUMBERS) return 'number'
  return types !== 0 && (types & ~(LISTS | ROWS)) === 0 ? 'multi' : 'text'
}

function factsOf(
  column: ColumnStatistics,
  type: Field['type'],
  maxSampleChars: number,
): Partial<Summary> {
  switch (type) {
    case 'boolean':
      return { yes: column.yes, no: column.no }
    case 'number':
      return rangeOf(column.sum)
    case 'choice':
    case 'multi':
      return { counts: countsOf(column.counts) }
    case 'text':
      return { samples: samplesOf(column, maxSampleChars) }
    case 'rows':
      return { items: column.items }
  }
}

function rangeOf(sum: NumberSum): Partial<Summary> {
  const jsonOf = (value: number | bigint) => new JsonText(sum.count ? String(value) : 'null')
  return { mean: meanOf(sum), min: jsonOf(sum.min), max: jsonOf(sum.max) }
}

/** As many as fit into `maxChars`, newest first; if not even one fits, its beginning. */
function samplesOf(
  { samples }: ColumnStatistics,
  maxChars: number,
): NonNullable<Summary['samples']> {
  const fitting: NonNullable<Summary['samples']> = []
  let remaining = maxChars
  for (const { value, respondent } of samples.toReversed()) {
    const text = displayText(value)
    remaining -= text.length
    if (remaining < 0 && fitting.length > 0) break
    fitting.push({
      value: remaining < 0 ? `${text.slice(0, maxChars).toWellFormed()}…` : text,
      respondent,
    })
  }
  return fitting
}

/** Longer texts are not choices; those in a list are counted by their beginning. */
const MAX_TEXT_LENGTH = 1000

/** How often each value occurs. Bounded: only the first `MAX_COUNTS` distinct values count. */
type ValueCounts = Map<JsonValue, number>

/** Counts each item of a list, as often as it occurs there: null and '' too, so none is lost. */
function countValue(counts: ValueCounts, value: JsonValue): void {
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
function countsOf(counts: ValueCounts): NonNullable<Summary['counts']> {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ value: new JsonText(writeJson(value)), count }))
}
