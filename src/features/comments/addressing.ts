import type { Tx } from '../../platform/db/index.ts'
import type { RecordEvent } from '../events/index.ts'
import { findThreads } from './change-comments.ts'
import * as store from './store.ts'

/** A write of a page's draft, as the feature of comments is notified of it. */
export interface DraftWrite {
  pageId: string
  /** The version that has its content. */
  versionNo: number
  /** Whether visitors see that version now. */
  isLive: boolean
  /** The comments that the write resolves. */
  addresses: readonly string[]
  /** The version that was restored: later changes are not in the draft. */
  restoredNo: number | null
}

/**
 * Resolves the comments that changes of a page answer, when these are published. Runs in the
 * transaction of the write.
 *
 * @throws Refusal `comment_not_found`, `comment_is_reply` in `addresses`
 */
export type OnDraftWrite = (tx: Tx, write: DraftWrite) => Promise<void>

export function createAddressing({ recordEvent }: { recordEvent: RecordEvent }): OnDraftWrite {
  async function resolve(tx: Tx, { pageId, versionNo }: DraftWrite, rows: store.CommentRow[]) {
    const revision = await store.startChange(tx, pageId)
    const ids = rows.map(({ id }) => id)
    const answered = { state: 'resolved', addressed_in: versionNo, addressed_by_draft: null }
    await store.update(tx, ids, { ...answered, revision })
    const threads = rows.map((row) => ({ id: row.id, email: confirmedEmail(row) }))
    const event = { pageId, count: rows.length, notifyOwner: false, versionNo, threads }
    await recordEvent(tx, { kind: 'addressed', ...event })
  }

  return async (tx, write) => {
    const { pageId, versionNo, isLive, addresses, restoredNo } = write
    if (restoredNo !== null) await store.forgetAddressed(tx, pageId, restoredNo)
    if (addresses.length > 0) {
      const rows = await findThreads(tx, pageId, { ids: addresses, param: 'addresses' })
      const ids = rows.map(({ id }) => id)
      await store.update(tx, ids, { addressed_by_draft: versionNo })
    }
    if (!isLive) return
    const due = await store.listAddressed(tx, pageId)
    if (due.length > 0) await resolve(tx, write, due)
  }
}

function confirmedEmail(row: store.CommentRow): string | null {
  return row.author_kind === 'confirmed' ? row.author_email : null
}
