import type { Field } from '../contract.ts'
import type { Report } from './builder.ts'
import { createUniqueNames, flatten } from './flatten.ts'
import { displayText, type JsonObject, type JsonValue } from './json.ts'
import { parseNumber } from './numbers.ts'
import { parseStoredObject } from './parser.ts'
import { isPicked, rowItems, type Split } from './split.ts'
import type { StoredResponse } from './stored-response.ts'

/** Spreadsheets read a file as UTF-8 only if it starts with this. */
const BYTE_ORDER_MARK = '\ufeff'
/** A cell that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/

const COLUMNS = [
  'response_id',
  'respondent',
  'respondent_name',
  'submitted_at',
  'created_at',
  'page_version',
  'path',
  'submit_count',
]
const ROW_COLUMNS = ['response_id', 'respondent', 'respondent_name', 'submitted_at', 'item']

/** The first line; column names are unique. */
export function csvHeader(report: Report, split: Split | null): string {
  const columns = split ? ROW_COLUMNS : COLUMNS
  const claimName = createUniqueNames(columns)
  const names = (split?.row_fields ?? report.fields).map(({ key }) =>
    quote(claimName(textCell(columns.includes(key) ? `values.${key}` : key))),
  )
  return BYTE_ORDER_MARK + csvLine([...columns, ...names])
}

/**
 * One line, or one for each item of a split; a response without items still has one, since the file
 * has every response. It yields single lines: a split may repeat a long text on many of them.
 */
export function* csvLines(
  response: StoredResponse,
  report: Report,
  split: Split | null,
): Generator<string> {
  const { id, respondent, name, submitted_at } = response
  const object = parseStoredObject(response.data)
  const common = [id, respondent, name ?? '', submitted_at].map(quotedText)
  if (split) {
    for (const [item, line] of rowLines(object, common, { report, split })) {
      if (isPicked(response.pickedItems, split.key, item)) yield line
    }
    return
  }
  const { created_at, page_version, path, submit_count: count } = response
  const more = [created_at, page_version ?? '', path, String(count)].map(quotedText)
  const cells = emptyCells(report.fields)
  fillCells(cells, object, report)
  yield csvLine([...common, ...more, ...cells])
}

function* rowLines(
  object: JsonObject,
  common: readonly string[],
  { report, split }: { report: Report; split: Split },
): Generator<[item: number, line: string]> {
  const { repeatedFields, repeatedFieldIndexes } = report
  const { row_fields, itemFieldIndexes } = split
  const repeated = emptyCells(row_fields)
  fillCells(repeated, object, { fields: repeatedFields, fieldIndexes: repeatedFieldIndexes })
  const rows = rowItems(object, split.key)
  if (rows.length === 0) yield [0, csvLine([...common, '', ...repeated])]
  for (const [at, item] of rows) {
    const cells = [...repeated]
    fillCells(cells, item, { fields: row_fields, fieldIndexes: itemFieldIndexes })
    yield [at, csvLine([...common, String(at + 1), ...cells])]
  }
}

function emptyCells(fields: readonly Field[]): string[] {
  return Array<string>(fields.length).fill('')
}

function fillCells(
  cells: string[],
  object: JsonObject,
  columns: { fields: readonly Field[]; fieldIndexes: ReadonlyMap<string, number> },
): void {
  const { keys, values } = flatten(object)
  for (const [i, key] of keys.entries()) {
    const index = columns.fieldIndexes.get(key)
    if (index !== undefined) cells[index] = quote(cellOf(values[i]!, columns.fields[index]!))
  }
}

/** Numbers and booleans are not escaped, nor is the text of a number control if it is a number. */
function cellOf(value: JsonValue, { type }: Field): string {
  const isNumber = type === 'number' && typeof value === 'string' && parseNumber(value) !== null
  const isText = !isNumber && (typeof value === 'string' || Array.isArray(value))
  return isText ? textCell(displayText(value)) : displayText(value)
}

/** Escapes formulas. Replaces NUL and lone surrogates, which a UTF-8 text file cannot contain. */
function textCell(text: string): string {
  const storable = text.toWellFormed().replaceAll('\0', '\ufffd')
  return FORMULA.test(storable) ? `'${storable}` : storable
}

function quotedText(text: string): string {
  return quote(textCell(text))
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Takes quoted cells, so that a cell repeated on many rows is quoted once. */
function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}
