import type { FormControl } from '../../../model/form.ts'
import { MAX_SAMPLES_LENGTH } from '../../../model/report-limits.ts'
import { addValue, type ColumnStatistics, createColumnStatistics } from './column-statistics.ts'
import type { FlatObject } from './flatten.ts'

/** The columns of all responses, or of all items of a list. */
export interface Table {
  columns: Map<string, ColumnStatistics>
  /** The same columns, in the order in which the forms have their fields. */
  columnOrder: ColumnStatistics[]
  /** Finds the control of a field in the published HTML. */
  findControl: (key: string) => FormControl | undefined
  /** Whether a field counts the objects in lists of objects alone. */
  countsObjectLists: (key: string) => boolean
  budget: FieldBudget
}

/** How many more fields are counted. It bounds the cost of responses that invent field names. */
export interface FieldBudget {
  left: number
}

/** @param countsObjectLists whether each field counts lists of objects, which takes time */
export function createTable(
  findControl: Table['findControl'],
  budget: FieldBudget,
  countsObjectLists: Table['countsObjectLists'] = () => true,
): Table {
  return { columns: new Map(), columnOrder: [], findControl, budget, countsObjectLists }
}

/** The most characters for the samples of one field: all fields share one limit equally. */
export function maxSampleCharsOf({ columnOrder }: Table): number {
  return Math.floor(MAX_SAMPLES_LENGTH / Math.max(1, columnOrder.length))
}

/**
 * Adds one response or item. A new column goes after the column that precedes it in this object;
 * new columns at the start go before the first known one.
 */
export function addToTable(table: Table, { keys, values }: FlatObject, respondent: string): void {
  let previous: ColumnStatistics | undefined
  let leading: ColumnStatistics[] = []
  for (let i = 0; i < keys.length; i += 1) {
    const known = table.columns.get(keys[i]!)
    const column = known ?? addColumn(table, keys[i]!)
    if (!column) continue
    if (!known && previous) insert(table, table.columnOrder.indexOf(previous) + 1, [column])
    else if (!known) leading.push(column)
    if (known && leading.length > 0) {
      insert(table, table.columnOrder.indexOf(known), leading)
      leading = []
    }
    if (known || previous) previous = column
    addValue(column, values[i]!, respondent)
  }
  table.columnOrder.push(...leading)
}

function addColumn(table: Table, key: string): ColumnStatistics | undefined {
  if (table.budget.left === 0) return undefined
  table.budget.left -= 1
  const column = createColumnStatistics(key, {
    publishedControl: table.findControl(key),
    countsObjectLists: table.countsObjectLists(key),
  })
  table.columns.set(key, column)
  return column
}

function insert(table: Table, index: number, columns: readonly ColumnStatistics[]): void {
  table.columnOrder.splice(index, 0, ...columns)
}
