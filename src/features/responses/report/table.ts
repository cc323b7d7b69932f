import type { FormControl } from '../../../model/form.ts'
import { MAX_SAMPLES_LENGTH } from '../contract.ts'
import { addValue, type Column, createColumn } from './column.ts'
import type { Flat } from './flatten.ts'

/** The fields of all responses, or of all items of a list, in the order a form has them. */
export interface Table {
  columns: Map<string, Column>
  order: Column[]
  /** What the published HTML says of a field. */
  findControl: (key: string) => FormControl | undefined
  budget: FieldBudget
}

/** How many more fields there may be: whoever makes up names must not make reading costly. */
export interface FieldBudget {
  left: number
}

export function createTable(findControl: Table['findControl'], budget: FieldBudget): Table {
  return { columns: new Map(), order: [], findControl, budget }
}

/** The characters that the samples of one field may have: all fields share what there is. */
export function sampleChars({ order }: Table): number {
  return Math.floor(MAX_SAMPLES_LENGTH / Math.max(1, order.length))
}

export function addToTable(table: Table, { keys, values }: Flat, respondent: string): void {
  let previous: Column | undefined
  /** New ones before the first known one: they go before it. */
  let leading: Column[] = []
  for (let i = 0; i < keys.length; i += 1) {
    const known = table.columns.get(keys[i]!)
    const column = known ?? addColumn(table, keys[i]!)
    if (!column) continue
    if (!known && previous) insert(table, table.order.indexOf(previous) + 1, [column])
    else if (!known) leading.push(column)
    if (known && leading.length > 0) {
      insert(table, table.order.indexOf(known), leading)
      leading = []
    }
    if (known || previous) previous = column
    addValue(column, values[i]!, respondent)
  }
  table.order.push(...leading)
}

function addColumn(table: Table, key: string): Column | undefined {
  if (table.budget.left === 0) return undefined
  table.budget.left -= 1
  const column = createColumn(key, table.findControl(key))
  table.columns.set(key, column)
  return column
}

function insert(table: Table, at: number, columns: readonly Column[]): void {
  table.order.splice(at, 0, ...columns)
}
