import type { FormControl } from '../../../model/form.ts'
import type { Paging } from '../../../model/paging.ts'
import type { Field, ResponseReport } from '../contract.ts'
import { describeColumn } from './column-statistics.ts'
import { createUniqueNames, flatten } from './flatten.ts'
import { isObjectList, itemsOf, type JsonObject, memberOf } from './json.ts'
import {
  addToTable,
  createTable,
  type FieldBudget,
  maxSampleCharsOf,
  summaryText,
  type Table,
} from './table.ts'

/** A response as it is read from the database. */
export interface StoredResponse {
  id: string
  respondent: string
  name: string | null
  submitted_at: string
  created_at: string
  page_version: string | null
  path: string
  submit_count: number
  /** The text of a JSON object that `validateSubmission` has accepted. */
  data: string
  /**
   * The controls that its form had and the published HTML does not have. Responses with equal
   * controls may share one array, so that the report builder processes it once.
   */
  controls: readonly FormControl[] | null
  /** The items of the list with this key that a filter picked; all items where it is not there. */
  pickedItems?: PickedItems
}

interface PickedItems {
  key: string
  indexes: ReadonlySet<number>
}

/** A list of objects split into rows: one row for each of its items. */
export interface Split
  extends Pick<ResponseReport, 'row_fields' | 'row_summaries' | 'row_summary_text' | 'row_total'> {
  key: string
  /** How many items each response has, newest response first. */
  rowCounts: number[]
  /** The index in `row_fields` of each of the item's own keys. */
  itemFieldIndexes: ReadonlyMap<string, number>
}

/** What is collected of one list while the responses are read. */
export interface ListTable {
  key: string
  table: Table
  /** How many items each response has, oldest first, up to the last response that has any. */
  itemCounts: number[]
}

type FindControl = (name: string) => FormControl | undefined

export function createListTable(
  key: string,
  findControl: FindControl,
  budget: FieldBudget,
): ListTable {
  const table = createTable((itemKey) => findControl(controlName(key, itemKey)), budget)
  return { key, table, itemCounts: [] }
}

/** Adds the items of one response, which is the `index`th from the oldest. */
export function addItems(
  { table, itemCounts }: ListTable,
  items: readonly JsonObject[],
  response: { index: number; respondent: string },
): void {
  while (itemCounts.length < response.index) itemCounts.push(0)
  itemCounts.push(items.length)
  for (const item of items) {
    addToTable(table, flatten(item), response.respondent)
  }
}

export function splitRows(
  { key, table, itemCounts }: ListTable,
  report: { fields: readonly Field[]; total: number; findControl: FindControl },
): Split {
  const { fields, total, findControl } = report
  const otherKeys = fields.filter((field) => field.key !== key).map((field) => field.key)
  const repeated = fields.filter((field) => field.type !== 'rows')
  const takenKeys = new Set(otherKeys)
  const claimKey = createUniqueNames(otherKeys)
  const maxSampleChars = maxSampleCharsOf(table)
  const own = table.columnOrder.map((column) => {
    const name = controlName(key, column.key)
    const uniqueKey = claimKey(takenKeys.has(column.key) ? name : column.key)
    return describeColumn({ ...column, key: uniqueKey }, findControl(name), { maxSampleChars })
  })
  const without = Array<number>(total - itemCounts.length).fill(0)
  const rowCounts = [...itemCounts, ...without].reverse()
  const rowSummaries = own.map(({ summary }) => summary)
  return {
    key,
    row_fields: [...repeated, ...own.map(({ field }) => field)],
    row_summaries: rowSummaries,
    row_summary_text: rowSummaries.map(summaryText),
    row_total: itemCounts.reduce((sum, count) => sum + count, 0),
    rowCounts,
    itemFieldIndexes: new Map(
      table.columnOrder.map((column, i) => [column.key, repeated.length + i]),
    ),
  }
}

/** Whether a filter picked this item of a list, or there is none. */
export function isPicked(picked: PickedItems | undefined, key: string, index: number): boolean {
  return picked === undefined || picked.key !== key || picked.indexes.has(index)
}

/** The items of one response's list, each with its index; none where the list is missing. */
export function rowItems(object: JsonObject, key: string): ReturnType<typeof itemsOf> {
  const value = memberOf(object, key) ?? null
  return isObjectList(value) ? itemsOf(value) : []
}

/** The `name` of the control in a form that collects such an item: `list.key`. */
function controlName(listKey: string, itemKey: string): string {
  return `${listKey}.${itemKey}`
}

/**
 * Finds the responses that hold a page of rows: `count` of them from index `first` on, newest
 * first. `skip` rows of the first one precede the page.
 */
export function findRows(
  { rowCounts }: Split,
  { offset, limit }: Paging,
): { first: number; count: number; skip: number } {
  let before = 0
  let first = 0
  while (first < rowCounts.length && before + rowCounts[first]! <= offset) {
    before += rowCounts[first]!
    first += 1
  }
  const skip = offset - before
  let end = first
  let rows = -skip
  for (let at = first; at < rowCounts.length && rows < limit; at += 1) {
    rows += rowCounts[at]!
    if (rowCounts[at]! > 0) end = at + 1
  }
  return { first, count: end - first, skip }
}
