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

export function createOutput(as_json: boolean): Output {
  return {
    result: (value, text) => {
      const line = as_json ? JSON.stringify(value) : text
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

/**
 * What others wrote, as a terminal may show it: a title or a response could otherwise move the
 * cursor, or start a line of its own.
 */
export function oneLine(text: string | null): string {
  return (text ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
