import type { Splice } from '../content/index.ts'

/** An edit call that made one file from another, by the hashes of both. */
export interface EditEdge {
  edit_no: number
  from_hash: string
  to_hash: string
}

export interface EditStep {
  edit_no: number
  /** Whether the step undoes the edit. */
  isUndo: boolean
}

/**
 * Finds the shortest way from one state of a file to another, through edits and back through undone
 * ones.
 * @returns null if there were other writes between the two
 */
export function findEditPath(
  edges: readonly EditEdge[],
  { from, to }: { from: string; to: string },
): EditStep[] | null {
  const steps = new Map<string, { step: EditStep; next: string }[]>()
  const addStep = (hash: string, step: { step: EditStep; next: string }) =>
    steps.set(hash, [...(steps.get(hash) ?? []), step])
  for (const { edit_no, from_hash: before, to_hash: after } of edges) {
    addStep(before, { step: { edit_no, isUndo: false }, next: after })
    addStep(after, { step: { edit_no, isUndo: true }, next: before })
  }
  /** For each state: the step that led to it, and the state before. */
  const reached = new Map<string, { step: EditStep; previous: string } | null>([[from, null]])
  for (const hash of reached.keys()) {
    if (hash === to) return pathTo(to, reached)
    for (const { step, next } of steps.get(hash) ?? []) {
      if (!reached.has(next)) reached.set(next, { step, previous: hash })
    }
  }
  return null
}

function pathTo(
  to: string,
  reached: ReadonlyMap<string, { step: EditStep; previous: string } | null>,
): EditStep[] {
  const path: EditStep[] = []
  for (let at = reached.get(to); at; at = reached.get(at.previous)) path.unshift(at.step)
  return path
}

/** The inverse of a change. */
export function invertSplices(splices: readonly Splice[]): Splice[] {
  let shift = 0
  return splices.map(({ start, end, length }) => {
    const inverse = { start: start + shift, end: start + shift + length, length: end - start }
    shift += length - (end - start)
    return inverse
  })
}
