import type { Page } from '../../model/page/index.ts'
import { createSlices } from '../../model/time-slices.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Anchors } from './anchors/index.ts'
import { anchorIn, placesIn } from './rules.ts'
import * as store from './store.ts'

export interface AnchorStatesDeps {
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
    const pause = createSlices()
    for (const row of due) {
      const { page_id: pageId, path, file_hash: fileHash } = row
      const question = { pageId, path, fileHash, places: placesIn(row) }
      const anchor = anchorIn(row)!
      const { state, places } = await locate({ ...question, anchor, shownManifestId: manifestId })
      row.anchor_state = state
      row.anchor_places = JSON.stringify(places)
      row.anchor_manifest_id = manifestId
      await pause()
    }
    await database.write(async (tx) => {
      for (const row of due) await store.setAnchorState(tx, row)
    }, 'relaxed')
  }
}
export type RefreshAnchorStates = ReturnType<typeof createAnchorStates>
