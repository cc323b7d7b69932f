/** Two independent CSV parsers: a strict one, and Python's. */
export interface Csv {
  readonly header: string[]
  readonly rows: string[][]
}

/** Accepts exactly RFC 4180: CRLF line ends, doubled quotes, and lines of equal length. */
export function readCsv(bytes: Uint8Array): Csv {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const lines: string[][] = []
  let line: string[] = []
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const match = cell.exec(text)
    if (match === null)
      throw new Error(`no cell at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`)
    const [, quoted, plain, end] = match
    line.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  if (line.length > 0) throw new Error('the last line has no end')
  const [header = [], ...rows] = lines
  const wrong = rows.find((row) => row.length !== header.length)
  if (wrong !== undefined) throw new Error(`a line has ${wrong.length} cells, not ${header.length}`)
  return { header, rows }
}

const SCRIPT = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8-sig')
json.dump(list(csv.reader(io.StringIO(text, newline=''), strict=True)), sys.stdout)`

/** @returns null if Python is not installed */
export async function readCsvByPython(bytes: Uint8Array): Promise<Csv | null> {
  if (Bun.which('python3') === null) return null
  const child = Bun.spawn(['python3', '-c', SCRIPT], { stdin: bytes, stdout: 'pipe' })
  const [header, ...rows] = (await new Response(child.stdout).json()) as string[][]
  return { header: header!, rows }
}
