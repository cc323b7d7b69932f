import type { Page } from '../../model/page/index.ts'
import { inChunks } from '../../platform/db/chunks.ts'
import type { Database } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { AnchorQuestion, Anchors } from './anchors/index.ts'
import { anchorIn, placesIn } from './rules.ts'
import * as store from './store.ts'

/** So many are located and stored at once, which holds up others for some milliseconds. */
const ROWS = 200

interface AnchorStatesDeps {
  database: Database
  anchors: Anchors
}

/**
 * Updates the anchor states of rows to the published content, and stores them, so that anchors are
 * located once after each publish and not at each read.
 */
export function createAnchorStates({ database, anchors }: AnchorStatesDeps) {
  return async (page: Page, rows: store.CommentRow[]): Promise<void> => {
    const manifestId = page.published_id ?? page.draft_id
    const isDue = (row: store.CommentRow) =>
      row.anchor !== null && row.anchor_manifest_id !== manifestId
    const due = rows.filter(isDue)
    if (due.length === 0) return
    const locate = anchors.startPass()
    for (const part of inChunks(due, ROWS)) {
      await takeTurn()
      const located = await locate(part.map((row) => questionOf(row, manifestId)))
      part.forEach((row, at) => {
        const { state, places } = located[at]!
        row.anchor_state = state
        row.anchor_places = JSON.stringify(places)
        row.anchor_manifest_id = manifestId
      })
      await database.write(async (tx) => {
        for (const row of part) await store.setAnchorState(tx, row)
      }, 'relaxed')
    }
  }
}

function questionOf(row: store.CommentRow, shownManifestId: string): AnchorQuestion {
  const { page_id: pageId, path, file_hash: fileHash } = row
  const anchor = anchorIn(row)!
  return { pageId, path, fileHash, anchor, places: placesIn(row), shownManifestId }
}

export type RefreshAnchorStates = ReturnType<typeof createAnchorStates>
