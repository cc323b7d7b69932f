/**
 * The known name that a mistyped one probably means; null where none is close. A swap of two
 * neighbours counts as one mistake; case and separators count as none.
 *
 * @param maxMistakes by default one for every three characters
 */
export function closestName(
  typed: string,
  known: Iterable<string>,
  maxMistakes = Math.max(1, Math.floor(Math.min(typed.length, MAX_CHARS) / 3)),
): string | null {
  const wanted = normalize(typed.slice(0, MAX_CHARS))
  let closest: string | null = null
  let fewest = maxMistakes + 1
  for (const name of known) {
    const mistakes = distance(wanted, normalize(name))
    if (mistakes >= fewest) continue
    fewest = mistakes
    closest = name
  }
  return closest
}

/** Names are short; a longer one is compared by its start. */
const MAX_CHARS = 60

/** `maxViews`, `max-views` and `max_views` are one name. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}

/** The optimal string alignment distance. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
