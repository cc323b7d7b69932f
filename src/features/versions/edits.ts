import type { Tx } from '../../platform/db/index.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Services } from '../../platform/services.ts'
import type { Splice } from '../content/index.ts'
import * as store from './store.ts'

/** The limits of stored edits of a page, and of replacements in one edit. */
const MAX_EDITS = 1000
const MAX_SPLICES = 1000
const PRUNE_EVERY = 100

interface FileEdit {
  pageId: string
  fromHash: string
  toHash: string
  splices: Splice[]
}

/** How find-and-replace changed the files of pages, so that comments find their passages again. */
export function createFileEdits({ database, clock }: Pick<Services, 'database' | 'clock'>) {
  const { read } = database

  return {
    /** Stores an edit, unless it has too many replacements. */
    async recordEdit(tx: Tx, { pageId, fromHash, toHash, splices }: FileEdit) {
      if (fromHash === toHash || splices.length > MAX_SPLICES) return
      const text = JSON.stringify(splices.map(({ start, end, length }) => [start, end, length]))
      const edit = await store.insertEdit(tx, [pageId, fromHash, toHash, text, clock.now()])
      const editNo = edit!.edit_no
      if (editNo % PRUNE_EVERY === 0) await store.deleteEditsTo(tx, [pageId, editNo - MAX_EDITS])
    },
    /**
     * The edits that lead from one state of a page's file to another, by the hashes of both.
     *
     * @returns null if there were other writes between the two
     */
    async editsBetween(pageId: string, states: { from: string; to: string }) {
      if (states.from === states.to) return []
      const path = findEditPath(await store.listEdits(read, [pageId]), states)
      if (path === null) return null
      const editNos = path.map(({ edit_no }) => edit_no)
      const splices = await store.findSplices(read, pageId, editNos)
      return path.map(({ edit_no, isUndo }) => {
        const ofEdit = parseSplices(splices.get(edit_no)!)
        return isUndo ? invertSplices(ofEdit) : ofEdit
      })
    },
  }
}

function parseSplices(text: string): Splice[] {
  const rows = JSON.parse(text) as [start: number, end: number, length: number][]
  return rows.map(([start, end, length]) => ({ start, end, length }))
}

/** An edit call that made one file from another, by the hashes of both. */
export type EditEdge = Pick<Tables['file_edits'], 'edit_no' | 'from_hash' | 'to_hash'>

interface EditStep {
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
  const bothWays = edges.flatMap(({ edit_no, from_hash, to_hash }) => [
    { at: from_hash, step: { edit_no, isUndo: false }, next: to_hash },
    { at: to_hash, step: { edit_no, isUndo: true }, next: from_hash },
  ])
  const steps = Map.groupBy(bothWays, ({ at }) => at)
  /** For each state: the step that led to it, and the state before. */
  const origins = new Map<string, { step: EditStep; previous: string } | null>([[from, null]])
  for (const hash of origins.keys()) {
    if (origins.has(to)) break
    for (const { step, next } of steps.get(hash) ?? []) {
      if (!origins.has(next)) origins.set(next, { step, previous: hash })
    }
  }
  if (!origins.has(to)) return null
  const path: EditStep[] = []
  for (let at = origins.get(to); at; at = origins.get(at.previous)) path.unshift(at.step)
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
