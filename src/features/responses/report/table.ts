import type { FormControl } from '../../../model/form.ts'
import type { JsonText } from '../../../model/json-text.ts'
import { count } from '../../../model/numbers.ts'
import { shortLine } from '../../../model/plain-text.ts'
import { MAX_SAMPLES_LENGTH, type Summary } from '../contract.ts'
import { addValue, type ColumnStatistics, createColumnStatistics } from './column-statistics.ts'
import type { FlatObject } from './flatten.ts'

/** The columns of all responses, or of all items of a list. */
export interface Table {
  columns: Map<string, ColumnStatistics>
  /** The same columns, in the order in which the forms have their fields. */
  columnOrder: ColumnStatistics[]
  /** Finds the control of a field in the published HTML. */
  findControl: (key: string) => FormControl | undefined
  budget: FieldBudget
}

/** How many more fields are counted. It bounds the cost of responses that invent field names. */
export interface FieldBudget {
  remaining: number
}

export function createTable(findControl: Table['findControl'], budget: FieldBudget): Table {
  return { columns: new Map(), columnOrder: [], findControl, budget }
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
    const existing = table.columns.get(keys[i]!)
    const column = existing ?? addColumn(table, keys[i]!)
    if (!column) continue
    if (!existing && previous) insert(table, table.columnOrder.indexOf(previous) + 1, [column])
    else if (!existing) leading.push(column)
    if (existing && leading.length > 0) {
      insert(table, table.columnOrder.indexOf(existing), leading)
      leading = []
    }
    if (existing || previous) previous = column
    addValue(column, values[i]!, respondent)
  }
  table.columnOrder.push(...leading)
}

function addColumn(table: Table, key: string): ColumnStatistics | undefined {
  if (table.budget.remaining === 0) return undefined
  table.budget.remaining -= 1
  const column = createColumnStatistics(key, table.findControl(key))
  table.columns.set(key, column)
  return column
}

function insert(table: Table, index: number, columns: readonly ColumnStatistics[]): void {
  table.columnOrder.splice(index, 0, ...columns)
}

const MAX_NAME_LENGTH = 80
const MAX_VALUE_LENGTH = 40
const MAX_VALUES = 10

/** One line of bounded length, such as `Rating: mean 4.2, from 1 to 5, 12 answers`. */
export function summaryText(summary: Summary): string {
  return `${oneLine(summary.label ?? summary.key, MAX_NAME_LENGTH)}: ${factsText(summary)}`
}

function factsText(summary: Summary): string {
  const { type, answered, yes = 0, no = 0, mean, counts = [], items = 0 } = summary
  if (answered === 0) return 'no answers'
  const answers = count(answered, 'answer')
  if (type === 'boolean') return `yes ${yes}, no ${no}`
  if (type === 'rows') return `${count(items, 'item')} in ${answers}`
  if (type === 'number' && mean != null) {
    const range = `from ${valueText(summary.min)} to ${valueText(summary.max)}`
    return `mean ${rounded(mean)}, ${range}, ${answers}`
  }
  const parts = counts
    .slice(0, MAX_VALUES)
    .map(({ value, count }) => `${valueText(value)} ${count}`)
  if (counts.length > MAX_VALUES) parts.push(`and ${counts.length - MAX_VALUES} more`)
  return parts.length > 0 ? parts.join(', ') : answers
}

/** Two decimals; two significant digits below 1. */
function rounded(mean: number): string {
  return String(Number(Math.abs(mean) < 1 ? mean.toPrecision(2) : mean.toFixed(2)))
}

function valueText(value: JsonText | undefined): string {
  const text = value?.text ?? ''
  return oneLine(text.startsWith('"') ? JSON.parse(text) : text, MAX_VALUE_LENGTH)
}

/** The result is never empty, although a name may be. */
function oneLine(text: string, maxLength: number): string {
  return shortLine(text, maxLength) || '(empty)'
}
