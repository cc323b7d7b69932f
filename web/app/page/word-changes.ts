import { diffWordsWithSpace } from 'diff'
import type { Changes } from './use-page.ts'

export type Line = NonNullable<Changes['files'][number]['lines']>[number]

export interface Part {
  text: string
  isChanged: boolean
}

/** Longer lines are compared as a whole: it would take long, and nobody would read it. */
const MAX_LINE = 5000
const MAX_CHANGES = 200
/** Lines that share less than this are two different ones. */
const MIN_SHARED = 0.3

/**
 * The words that changed, by the number of the line: a removed line is compared with the added one
 * that stands in its place. Lines without such a pair, or with little in common, are left out.
 */
export function wordChanges(lines: readonly Line[]): Map<number, Part[]> {
  const changes = new Map<number, Part[]>()
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed, 'added')
    for (let nth = 0; nth < Math.min(removed, added); nth++) {
      const [before, after] = [at + nth, at + removed + nth]
      const pair = compare(lines[before]!.text, lines[after]!.text)
      if (pair === null) continue
      changes.set(before, pair.before)
      changes.set(after, pair.after)
    }
    at += Math.max(1, removed + added)
  }
  return changes
}

function runOf(lines: readonly Line[], from: number, kind: Line['kind']): number {
  let count = 0
  while (lines[from + count]?.kind === kind) count += 1
  return count
}

function compare(before: string, after: string): { before: Part[]; after: Part[] } | null {
  if (Math.max(before.length, after.length) > MAX_LINE) return null
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_CHANGES })
  if (parts === undefined) return null
  const shared = parts.filter(({ added, removed }) => !added && !removed)
  const sharedLength = shared.reduce((sum, { value }) => sum + value.trim().length, 0)
  if (sharedLength < MIN_SHARED * Math.min(before.length, after.length)) return null
  const partsWithout = (side: 'added' | 'removed') =>
    parts.flatMap(({ value, added, removed }) =>
      (side === 'added' ? added : removed)
        ? []
        : [{ text: value, isChanged: Boolean(added || removed) }],
    )
  return { before: partsWithout('added'), after: partsWithout('removed') }
}
