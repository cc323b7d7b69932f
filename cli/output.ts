import stringWidth from 'string-width'

/** An expected failure. main.ts prints its message on one line and exits with 1. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed'
  readonly result: unknown

  constructor(message: string, result?: unknown) {
    super(message)
    this.result = result
  }
}

/** What a command names is not there. main.ts exits with 4, as where a server says so. */
export class NotFound extends CommandFailed {
  override readonly name = 'NotFound'
  readonly code: 'page_not_found' | 'file_not_found'

  constructor(code: NotFound['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Wrong usage. main.ts prints its message with a hint and exits with 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** Text for people. A string is one line, and a list has one line in each item. */
export type Lines = string | readonly string[]

export type Output = ReturnType<typeof createOutput>

export function createOutput(asJson: boolean) {
  return {
    /** Prints the value as one JSON line with `--json`, else the lines. */
    result(value: unknown, lines: Lines): void {
      if (asJson) writeJson(value)
      else writeLines('stdout', lines)
    },
    /** Prints the lines, and nothing with `--json`: the result or the error says it then. */
    say(lines: Lines): void {
      if (!asJson) writeLines('stdout', lines)
    },
    /** Prints on stderr what a person should know of the result; nothing with `--json`. */
    note(lines: Lines): void {
      if (!asJson) writeLines('stderr', lines)
    },
  }
}

/**
 * Writes lines. This and the functions below are the only ones that write to stdout and stderr:
 * they replace everything that could control a terminal, wherever the text comes from.
 */
export function writeLines(stream: 'stdout' | 'stderr', lines: Lines): void {
  const list = typeof lines === 'string' ? [lines].filter((line) => line !== '') : lines
  if (list.length === 0) return
  process[stream].write(list.map((line) => `${neutralize(line)}\n`).join(''))
}

/** Writes one JSON value to stdout, with all control characters escaped. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${safeJson(value)}\n`)
}

/** Waits until the reader of stdout has taken all that was written. Fails where it is gone. */
export async function flush(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.once('error', reject)
    process.stdout.write('', (err) => {
      process.stdout.off('error', reject)
      if (err) reject(err)
      else resolve()
    })
  })
}

/** Writes a line in faint letters, where stderr is a terminal that shows colours. */
export function writeFaintLine(line: string, noColor: boolean): void {
  const [on, off] = process.stderr.isTTY && !noColor ? ['\u001b[2m', '\u001b[0m'] : ['', '']
  process.stderr.write(`${on}${oneLine(line)}${off}\n`)
}

export function writeProgress(line: string | null): void {
  process.stderr.write(`\r${neutralize(line ?? '')}\u001b[K`)
}

export function writeQuestion(question: string): void {
  process.stderr.write(neutralize(question))
}

/** Writes a file to stdout byte for byte. On a terminal, control characters are replaced. */
export async function writeFile(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of chunks) {
    const chunk = process.stdout.isTTY ? printable(decoder.decode(bytes, { stream: true })) : bytes
    if (process.stdout.write(chunk)) continue
    await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
}

export type Row = Record<string, string | null>

export function table(rows: Row[], empty: string): string[] {
  const [first] = rows
  if (first === undefined) return [empty]
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => oneLine(row[name] ?? '')))]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => stringWidth(line[i]!))))
  return lines.map((line) =>
    line
      .map((text, i) => padded(text, widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

/** Chinese and Japanese letters and emoji take two columns of a terminal. */
function padded(text: string, width: number): string {
  return text + ' '.repeat(width - stringWidth(text))
}

/** Names, and behind them in a column their texts. */
export function labelled(pairs: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => stringWidth(name)))
  return pairs.map(([name, text]) => `${padded(name, width)}  ${oneLine(text)}`)
}

/** Formats rows for programs: one line a row, cells separated by tabs, no names. */
export function tabSeparated(rows: Row[]): string[] {
  return rows.map((row) => Object.values(row).map(oneLine).join('\t'))
}

/** Characters that move the cursor, end the line or change its direction. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/**
 * Makes untrusted text safe to print on one line. A title or a response could otherwise move the
 * cursor or add a line of its own.
 */
export function oneLine(text: unknown): string {
  return String(text ?? '')
    .replaceAll(CONTROL_CHARACTERS, ' ')
    .trim()
}

/** Like `oneLine`, but keeps tabs, which separate cells, and spaces at the ends. */
export function neutralize(line: unknown): string {
  return String(line ?? '').replaceAll(CONTROL_CHARACTERS, (chars) => chars.replace(/[^\t]/gu, ' '))
}

/** Makes untrusted text safe to print, but keeps its line ends and tabs. */
function printable(text: string): string {
  return text
    .replaceAll('\r', '')
    .replaceAll(CONTROL_CHARACTERS, (chars) => chars.replace(/[^\t\n]/gu, ' '))
}

/** JSON with all control characters escaped. `JSON.stringify` escapes only some of them. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(CONTROL_CHARACTERS, (chars) =>
    chars.replace(/./gsu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** At most so many characters of a line, with an ellipsis where it is cut. */
export function truncate(line: string, maxChars: number): string {
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line
}
