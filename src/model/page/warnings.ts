/** How many warnings of one page, and of one file, are reported. */
export const MAX_WARNINGS = 50

interface Warning {
  message: string
  path: string | null
  line: number | null
}

/** Warnings of equal text as one: the first, and its places as compilers name them. */
export function groupWarnings<W extends Warning>(
  warnings: readonly W[],
): { first: W; places: string[] }[] {
  const groups = new Map<string, { first: W; places: string[] }>()
  for (const first of warnings) {
    const group = groups.get(first.message) ?? { first, places: [] }
    group.places.push(...placeOf(first))
    groups.set(first.message, group)
  }
  return [...groups.values()]
}

function placeOf({ path, line }: Warning): string[] {
  if (path === null) return line === null ? [] : [`line ${line}`]
  return [line === null ? path : `${path}:${line}`]
}

/** The first names, and how many more there are. */
export function shortened(names: readonly string[], most: number): string {
  const more = names.length - most
  const list = names.slice(0, most).join(', ')
  return more > 0 ? `${list} and ${more} more` : list
}
