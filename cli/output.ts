/** An expected failure: one clear line on stderr, exit status 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Wrong usage: the line and a hint on stderr, exit status 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

export interface Output {
  /** With `--json` the value, one JSON line and nothing else on stdout; without it the text. */
  result(value: unknown, text: string): void
}

export function createOutput(asJson: boolean): Output {
  return {
    result: (value, text) => {
      const line = asJson ? safeJson(value) : printable(text)
      if (line !== '') process.stdout.write(`${line}\n`)
    },
  }
}

export type Row = Record<string, string | null>

/** Columns under their names, for reading. */
export function table(rows: Row[], empty: string): string {
  const [first] = rows
  if (first === undefined) return empty
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The same for programs: a line a row, a tab between its cells, no names. */
export function tabbed(rows: Row[]): string {
  return rows.map((row) => Object.values(row).map(oneLine).join('\t')).join('\n')
}

/** What moves a cursor, ends a line or turns its direction. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/**
 * What others wrote, as a terminal may show it: a title or a response could otherwise move the
 * cursor, or start a line of its own.
 */
export function oneLine(text: string | null): string {
  return (text ?? '').replaceAll(STEERING, ' ').trim()
}

/** The same of text that has lines and tabs of its own. */
export function printable(text: string): string {
  return text.replaceAll('\r', '').replaceAll(STEERING, (found) => found.replace(/[^\t\n]/gu, ' '))
}

/** The same value: of what steers, JSON itself escapes but a part. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(STEERING, (found) => [...found].map(escaped).join(''))
}
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
