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
  rows_each: number[]
  /** Where in `row_fields` an item's own key is. */
  item_places: ReadonlyMap<string, number>
}

/** A split that is being collected. */
export interface List {
  key: string
  table: Table
  /** By the responses' places, oldest first; those after the last that has rows are left out. */
  rows_each: number[]
}

type FindControl = (name: string) => FormControl | undefined

export function createList(key: string, findControl: FindControl, budget: FieldBudget): List {
  const table = createTable((own) => findControl(dotted(key, own)), budget)
  return { key, table, rows_each: [] }
}

export function addItems(
  { key, table, rows_each }: List,
  items: readonly Sent[],
  from: { place: number; respondent: string },
): void {
  while (rows_each.length < from.place) rows_each.push(0)
  rows_each.push(items.length)
  for (const item of items) addToTable(table, flatten(rowOf(key, item)), from.respondent)
}

export function splitBy(
  { key, table, rows_each }: List,
  of: { fields: readonly Field[]; total: number; findControl: FindControl },
): Split {
  const others = of.fields.filter((field) => field.key !== key).map((field) => field.key)
  const copied = of.fields.filter((field) => field.type !== 'rows')
  const taken = new Set(others)
  const claim = createNames(others)
  const sample_chars = sampleChars(table)
  const own = table.order.map((column) => {
    const within = dotted(key, column.key)
    const shown = claim(taken.has(column.key) ? within : column.key)
    return describe({ ...column, key: shown }, of.findControl(within), sample_chars)
  })
  const row_summaries = own.map(({ summary }) => summary)
  return {
    key,
    row_fields: [...copied, ...own.map(({ field }) => field)],
    row_summaries,
    row_summary_text: row_summaries.map(summaryText),
    row_total: rows_each.reduce((sum, rows) => sum + rows, 0),
    rows_each: [...rows_each, ...Array<number>(of.total - rows_each.length).fill(0)].reverse(),
    item_places: new Map(table.order.map((column, i) => [column.key, copied.length + i])),
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
  { rows_each }: Split,
  { offset, limit }: { offset: number; limit: number },
): { first: number; count: number; skip: number } {
  let before = 0
  let first = 0
  while (first < rows_each.length && before + rows_each[first]! <= offset) {
    before += rows_each[first]!
    first += 1
  }
  const skip = offset - before
  let end = first
  for (let rows = -skip; end < rows_each.length && rows < limit; end += 1) rows += rows_each[end]!
  return { first, count: end - first, skip }
}
