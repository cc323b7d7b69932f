import type { ControlKind, FormControl } from '../../../model/form.ts'
import { JsonText } from '../../../model/json-text.ts'
import { type Field, MAX_SAMPLES, type Summary } from '../contract.ts'
import { isNothing, isRows, type Sent, textOf } from './json.ts'
import { addNumber, createSum, findNumber, meanOf, type NumberSum } from './numbers.ts'
import { countsOf, countValue, type ValueCounts } from './value-counts.ts'

/**
 * One field while responses are read. Only a published control settles its type beforehand; until
 * the last response has been read every other type stays possible and is prepared for.
 */
export interface Column {
  key: string
  published: FormControl | undefined
  answered: number
  /** Bits of what its values were. */
  seen: number
  yes: number
  no: number
  items: number
  sum: NumberSum
  counts: ValueCounts
  /** The newest: a ring buffer, of which `sampled` counts what was ever written. */
  samples: Sample[]
  sampled: number
}

interface Sample {
  value: Sent
  respondent: string
}

const BOOLEANS = 1
const NUMBERS = 2
const TEXTS = 4
const LISTS = 8
const ROWS = 16

export function createColumn(key: string, published: FormControl | undefined): Column {
  return {
    key,
    published,
    answered: 0,
    seen: 0,
    yes: 0,
    no: 0,
    items: 0,
    sum: createSum(),
    counts: new Map(),
    samples: [],
    sampled: 0,
  }
}

export function addValue(column: Column, value: Sent, respondent: string): void {
  if (isNothing(value)) return
  const kind = column.published?.kind
  column.answered += 1
  column.seen |= bitOf(value)
  if (Array.isArray(value)) column.items += value.length
  if (isPossible(kind, 'boolean')) addAnswer(column, value)
  if (isPossible(kind, 'number')) addNumeric(column, value)
  if (isPossible(kind, 'choice') || kind === 'multi') countValue(column.counts, value)
  if (isPossible(kind, 'text')) addSample(column, value, respondent)
}

function isPossible(settled: ControlKind | undefined, kind: ControlKind): boolean {
  return settled === undefined || settled === kind
}

function bitOf(value: Sent): number {
  if (typeof value === 'string') return TEXTS
  if (typeof value === 'boolean') return BOOLEANS
  if (!Array.isArray(value)) return NUMBERS
  return isRows(value) ? ROWS : LISTS
}

/** A checkbox is text to scripts that copy a form as it stands. */
function addAnswer(column: Column, value: Sent): void {
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

function addNumeric(column: Column, value: Sent): void {
  const number = typeof value === 'string' ? findNumber(value) : value
  if (typeof number === 'number' || typeof number === 'bigint') addNumber(column.sum, number)
}

function addSample(column: Column, value: Sent, respondent: string): void {
  column.samples[column.sampled % MAX_SAMPLES] = { value, respondent }
  column.sampled += 1
}

export interface Described {
  field: Field
  summary: Summary
}

/**
 * After the last response. `control`: what a control says of it, if any does.
 *
 * @param sampleChars the most that the samples of this field may have together
 */
export function describe(
  column: Column,
  control: FormControl | undefined,
  sampleChars: number,
): Described {
  const type = typeOf(column.seen, control?.kind)
  const field = { key: column.key, label: control?.label ?? null, type }
  return {
    field,
    summary: { ...field, answered: column.answered, ...factsOf(column, type, sampleChars) },
  }
}

function typeOf(seen: number, kind: ControlKind | undefined): Field['type'] {
  // No control holds lists of objects: a script has sent them under its name.
  if (seen === ROWS) return 'rows'
  if (kind !== undefined) return kind
  if (seen === BOOLEANS) return 'boolean'
  if (seen === NUMBERS) return 'number'
  return seen !== 0 && (seen & ~(LISTS | ROWS)) === 0 ? 'multi' : 'text'
}

function factsOf(column: Column, type: Field['type'], sampleChars: number): Partial<Summary> {
  switch (type) {
    case 'boolean':
      return { yes: column.yes, no: column.no }
    case 'number':
      return rangeOf(column.sum)
    case 'choice':
    case 'multi':
      return { counts: countsOf(column.counts) }
    case 'text':
      return { samples: samplesOf(column, sampleChars) }
    case 'rows':
      return { items: column.items }
  }
}

function rangeOf(sum: NumberSum): Partial<Summary> {
  const written = (value: number | bigint) => new JsonText(sum.count ? String(value) : 'null')
  return { mean: meanOf(sum), min: written(sum.min), max: written(sum.max) }
}

/** Newest first, as many as fit into `max_chars`; where not even one does, its beginning. */
function samplesOf(
  { samples, sampled }: Column,
  maxChars: number,
): NonNullable<Summary['samples']> {
  const oldest = sampled > MAX_SAMPLES ? sampled % MAX_SAMPLES : 0
  const newest = [...samples.slice(oldest), ...samples.slice(0, oldest)].reverse()
  const shown: NonNullable<Summary['samples']> = []
  let left = maxChars
  for (const { value, respondent } of newest) {
    const text = textOf(value)
    left -= text.length
    if (left < 0 && shown.length > 0) break
    shown.push({
      value: left < 0 ? `${text.slice(0, maxChars).toWellFormed()}…` : text,
      respondent,
    })
  }
  return shown
}
