import { Download } from './download.ts'

/** Spreadsheets read a file as UTF-8 only if it starts with this. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A cell that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/

/** Escapes formulas. Replaces NUL and lone surrogates, which a UTF-8 text file cannot contain. */
export function textCell(text: string): string {
  const storable = text.toWellFormed().replaceAll('\0', '\ufffd')
  return FORMULA.test(storable) ? `'${storable}` : storable
}

export function quotedText(text: string): string {
  return quote(textCell(text))
}

export function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Takes quoted cells, so that a cell repeated on many rows is quoted once. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

/** A file with a line for each row, which is read while the file is sent. */
export function csvDownload<Row>(
  filename: string,
  columns: Readonly<Record<string, (row: Row) => unknown>>,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Download {
  async function* chunks() {
    yield BYTE_ORDER_MARK + csvLine(Object.keys(columns))
    for await (const row of rows) {
      yield csvLine(Object.values(columns).map((cell) => quotedText(String(cell(row) ?? ''))))
    }
  }
  return new Download({ filename, mime: 'text/csv; charset=utf-8', chunks: chunks() })
}
