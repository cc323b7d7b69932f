import { MAX_POLL_OPTION, POLL_OPTIONS } from '../../../../../src/model/page/facts.ts'

/** The options as they are saved: empty rows are left out. */
export function filledOptions(rows: readonly string[]): string[] {
  return rows.map((row) => row.normalize('NFC').trim()).filter((row) => row !== '')
}

/** What keeps the rows from being options of a poll; null where nothing does. */
export function problemOf(rows: readonly string[]): string | null {
  const options = filledOptions(rows)
  const { min } = POLL_OPTIONS
  if (options.length < min) return `A poll has at least ${min} options.`
  const twice = options.find((option, i) => options.indexOf(option) < i)
  if (twice !== undefined) return `“${twice}” is there twice.`
  const long = options.find((option) => [...option].length > MAX_POLL_OPTION)
  if (long !== undefined) return `An option has at most ${MAX_POLL_OPTION} characters.`
  return null
}

export function moved(rows: readonly string[], from: number, to: number): string[] {
  const rest = rows.filter((_, i) => i !== from)
  return [...rest.slice(0, to), rows[from]!, ...rest.slice(to)]
}
