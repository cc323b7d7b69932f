import type { Field } from '../contract.ts'
import type { Digest } from './digest.ts'
import { flatten } from './flatten.ts'
import { readObject, type Sent, type SentObject, textOf } from './json.ts'
import { createNames } from './names.ts'
import { findNumber } from './numbers.ts'
import { rowsOf, type Split } from './split.ts'
import type { StoredResponse } from './stored.ts'

/** Without it a spreadsheet does not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

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

/** No two columns have one name. */
export function csvHeader(digest: Digest, split: Split | null): string {
  const columns = split ? ROW_COLUMNS : COLUMNS
  const claim = createNames(columns)
  const names = (split?.row_fields ?? digest.fields).map(({ key }) =>
    quote(claim(textCell(columns.includes(key) ? `values.${key}` : key))),
  )
  return BYTE_ORDER_MARK + line([...columns, ...names])
}

/**
 * A line, or one for each row of a split: a response without rows still has its line. One by one,
 * since a short list may copy a long text onto many rows.
 */
export function* csvLines(
  response: StoredResponse,
  digest: Digest,
  split: Split | null,
): Generator<string> {
  const object = readObject(response.data)
  const about = [response.id, response.respondent, response.name ?? '', response.submitted_at]
  if (split) {
    yield* rowLines(object, about.map(quotedText), { digest, split })
  } else {
    const {
      created_at: createdAt,
      page_version: pageVersion,
      path,
      submit_count: submitCount,
    } = response
    const more = [createdAt, pageVersion ?? '', path, String(submitCount)]
    const cells = createCells(digest.fields)
    fill(cells, object, digest)
    yield line([...[...about, ...more].map(quotedText), ...cells])
  }
}

function* rowLines(
  object: SentObject,
  about: readonly string[],
  { digest, split }: { digest: Digest; split: Split },
): Generator<string> {
  const { row_fields: rowFields, itemPlaces } = split
  const copied = createCells(rowFields)
  fill(copied, object, { fields: digest.copied, places: digest.copiedPlaces })
  const rows = rowsOf(object, split.key)
  if (rows.length === 0) yield line([...about, '', ...copied])
  for (const [i, row] of rows.entries()) {
    const cells = [...copied]
    fill(cells, row, { fields: rowFields, places: itemPlaces })
    yield line([...about, String(i + 1), ...cells])
  }
}

function createCells(fields: readonly Field[]): string[] {
  return Array<string>(fields.length).fill('')
}

function fill(
  cells: string[],
  object: SentObject,
  { fields, places }: { fields: readonly Field[]; places: ReadonlyMap<string, number> },
): void {
  const { keys, values } = flatten(object)
  for (const [i, key] of keys.entries()) {
    const place = places.get(key)
    if (place !== undefined) cells[place] = quote(cellOf(values[i]!, fields[place]!))
  }
}

/** Numbers and booleans stand as they are, a number that its control sent as text too. */
function cellOf(value: Sent, { type }: Field): string {
  const isNumber = type === 'number' && typeof value === 'string' && findNumber(value) !== null
  const isText = !isNumber && (typeof value === 'string' || Array.isArray(value))
  return isText ? textCell(textOf(value)) : textOf(value)
}

/** NUL and halves of surrogate pairs are nothing a file of UTF-8 text can hold. */
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

/** Of cells that are quoted: what is copied onto many rows is looked at once. */
function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}
