import type { FormControl } from '../../../model/form.ts'
import type { Field, Summary } from '../contract.ts'
import { describe } from './column.ts'
import { flatten } from './flatten.ts'
import { isObject, isRows, memberOf, type Sent, type SentObject } from './json.ts'
import { createNames } from './names.ts'
import { summaryText } from './summary-text.ts'
import { addToTable, createTable, type FieldBudget, sampleChars, type Table } from './table.ts'

/** A list of objects as a table of its own: a row for each of its items. */
export interface Split {
  key: string
  row_fields: Field[]
  row_summaries: Summary[]
  row_summary_text: string[]
  row_total: number
  /** How many rows each response has, newest first. */
  rowsEach: number[]
  /** Where in `row_fields` an item's own key is. */
  itemPlaces: ReadonlyMap<string, number>
}

/** A split that is being collected. */
export interface List {
  key: string
  table: Table
  /** By the responses' places, oldest first; those after the last that has rows are left out. */
  rowsEach: number[]
}

type FindControl = (name: string) => FormControl | undefined

export function createList(key: string, findControl: FindControl, budget: FieldBudget): List {
  const table = createTable((own) => findControl(dotted(key, own)), budget)
  return { key, table, rowsEach: [] }
}

export function addItems(
  { key, table, rowsEach }: List,
  items: readonly Sent[],
  from: { place: number; respondent: string },
): void {
  while (rowsEach.length < from.place) rowsEach.push(0)
  rowsEach.push(items.length)
  for (const item of items) addToTable(table, flatten(rowOf(key, item)), from.respondent)
}

export function splitBy(
  { key, table, rowsEach }: List,
  of: { fields: readonly Field[]; total: number; findControl: FindControl },
): Split {
  const others = of.fields.filter((field) => field.key !== key).map((field) => field.key)
  const copied = of.fields.filter((field) => field.type !== 'rows')
  const taken = new Set(others)
  const claim = createNames(others)
  const maxSampleChars = sampleChars(table)
  const own = table.order.map((column) => {
    const within = dotted(key, column.key)
    const shown = claim(taken.has(column.key) ? within : column.key)
    return describe({ ...column, key: shown }, of.findControl(within), maxSampleChars)
  })
  const rowSummaries = own.map(({ summary }) => summary)
  return {
    key,
    row_fields: [...copied, ...own.map(({ field }) => field)],
    row_summaries: rowSummaries,
    row_summary_text: rowSummaries.map(summaryText),
    row_total: rowsEach.reduce((sum, rows) => sum + rows, 0),
    rowsEach: [...rowsEach, ...Array<number>(of.total - rowsEach.length).fill(0)].reverse(),
    itemPlaces: new Map(table.order.map((column, i) => [column.key, copied.length + i])),
  }
}

/** The rows of a response; none where the list is empty or missing. */
export function rowsOf(object: SentObject, key: string): SentObject[] {
  const value = memberOf(object, key) ?? null
  return isRows(value) ? value.map((item) => rowOf(key, item)) : []
}

/** What is no object stands under the name of its list. */
function rowOf(key: string, item: Sent): SentObject {
  if (isObject(item)) return item
  return new Map(item === null ? [] : [[key, item]])
}

/** As the form names an item's control. */
function dotted(key: string, own: string): string {
  return `${key}.${own}`
}

/**
 * Which responses a page of rows is in, by their places newest first, and how many rows of the
 * first of them come before the page.
 */
export function findRows(
  { rowsEach }: Split,
  { offset, limit }: { offset: number; limit: number },
): { first: number; count: number; skip: number } {
  let before = 0
  let first = 0
  while (first < rowsEach.length && before + rowsEach[first]! <= offset) {
    before += rowsEach[first]!
    first += 1
  }
  const skip = offset - before
  let end = first
  for (let rows = -skip; end < rowsEach.length && rows < limit; end += 1) rows += rowsEach[end]!
  return { first, count: end - first, skip }
}
