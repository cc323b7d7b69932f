import { BYTE_ORDER_MARK, csvLine, quote, quotedText, textCell } from '../../../model/csv.ts'
import { JsonText } from '../../../model/json-text.ts'
import { shortLine } from '../../../model/plain-text.ts'
import type { Field, ResponseRecord, Row, ShortResponse } from '../contract.ts'
import type { Report } from './builder.ts'
import { createUniqueNames, flatten } from './flatten.ts'
import {
  displayText,
  type JsonObject,
  type JsonValue,
  parseStoredObject,
  writeMember,
  writeObject,
} from './json.ts'
import { parseNumber } from './numbers.ts'
import { isPicked, rowItems, type Split, type StoredResponse } from './split.ts'

export function presentResponse(response: StoredResponse, report: Report): ResponseRecord {
  const { data, controls: _, pickedItems: __, ...record } = response
  const members = writeMembers(parseStoredObject(data), ifIndexed(report.fieldIndexes))
  return { ...record, values: new JsonText(writeObject(members)), data: new JsonText(data) }
}

/** One row for each item of the list, in the order sent. */
export function presentRows(response: StoredResponse, report: Report, split: Split): Row[] {
  const { id, respondent, name, submitted_at } = response
  const object = parseStoredObject(response.data)
  const repeated = writeMembers(object, ifIndexed(report.repeatedFieldIndexes)).join()
  const fieldKey = (key: string) => split.row_fields[split.itemFieldIndexes.get(key) ?? -1]?.key
  return rowItems(object, split.key).flatMap(([at, item]) => {
    if (!isPicked(response.pickedItems, split.key, at)) return []
    const own = writeMembers(item, fieldKey)
    const separator = repeated && own.length > 0 ? ',' : ''
    // A concatenation: rows then share the memory of `repeated`, which `join` would copy.
    const values = new JsonText(`{${repeated}${separator}${own.join()}}`)
    return [{ response_id: id, respondent, name, submitted_at, item: at + 1, values }]
  })
}

/** How much of a response is shown among other things. */
const SHORT = { fields: 3, key: 80, text: 200 }

export function presentShort<Row extends Omit<ShortResponse, 'fields'>>({
  data,
  ...row
}: Row & { data: string | null }): ShortResponse {
  if (data === null) return { ...row, fields: null }
  const { keys, values } = flatten(parseStoredObject(data))
  const filled = keys.map((key, at) => ({
    key: shortLine(key, SHORT.key),
    text: shortLine(displayText(values[at]!), SHORT.text),
  }))
  return { ...row, fields: filled.filter(({ text }) => text !== '').slice(0, SHORT.fields) }
}

function ifIndexed(indexes: ReadonlyMap<string, number>) {
  return (key: string) => (indexes.has(key) ? key : undefined)
}

/** Writes the object's fields as JSON members, except those for which `nameOf` has no name. */
function writeMembers(object: JsonObject, nameOf: (key: string) => string | undefined): string[] {
  const { keys, values } = flatten(object)
  return keys.flatMap((key, i) => {
    const name = nameOf(key)
    return name === undefined ? [] : [writeMember(name, values[i]!)]
  })
}

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
