/** An expected failure. main.ts prints its message on one line and exits with 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Wrong usage. main.ts prints its message with a hint and exits with 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

export interface Output {
  /** Prints the value as one JSON line with `--json`, else the text. */
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

/** Formats rows as columns under their names, for people. */
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

/** Formats rows for programs: one line a row, cells separated by tabs, no names. */
export function tabSeparated(rows: Row[]): string {
  return rows.map((row) => Object.values(row).map(oneLine).join('\t')).join('\n')
}

/** Characters that move the cursor, end the line or change its direction. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/**
 * Makes untrusted text safe to print on one line. A title or a response could otherwise move the
 * cursor or add a line of its own.
 */
export function oneLine(text: string | null): string {
  return (text ?? '').replaceAll(CONTROL_CHARACTERS, ' ').trim()
}

/** Makes untrusted text safe to print, but keeps its line ends and tabs. */
export function printable(text: string): string {
  return text
    .replaceAll('\r', '')
    .replaceAll(CONTROL_CHARACTERS, (found) => found.replace(/[^\t\n]/gu, ' '))
}

/** JSON with all control characters escaped. `JSON.stringify` escapes only some of them. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(CONTROL_CHARACTERS, (found) =>
    [...found].map(escapeCharacter).join(''),
  )
}
function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
