/** An expected failure: one clear line on stderr, exit status 1. */
export class CommandFailed extends Error {}

/** Wrong usage: the line and a hint on stderr, exit status 2. */
export class WrongUsage extends Error {}

export interface Output {
  /** With `--json` the value, one JSON line and nothing else on stdout; without it the text. */
  result(value: unknown, text: string): void
}

export function createOutput(as_json: boolean): Output {
  return {
    result: (value, text) => {
      process.stdout.write(`${as_json ? JSON.stringify(value) : text}\n`)
    },
  }
}

/** Columns under their names, for reading. */
export function table(rows: Record<string, string | null>[], empty: string): string {
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
