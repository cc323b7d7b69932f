import { refuse } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import type { DraftListener, DraftWrite } from '../versions/index.ts'
import type { CommentChange } from './contract.ts'
import { commentNotFound, editableUntilMs, isReply, placeOf } from './rules.ts'
import * as store from './store.ts'

/** The columns of a deleted comment that is kept for its replies. */
const ERASED = {
  body: '',
  name: null,
  author_email: null,
  anchor: null,
  anchor_state: null,
  is_hidden: 0,
  is_deleted: 1,
  edited_at: null,
} as const

type ChangeDeps = Pick<Services, 'database' | 'space' | 'clock'>

/** The keys that identify an author on a page. */
type AuthorKeys = readonly string[]

/** Changes existing comments: for their authors during the edit time, and for the page's owner. */
export function createChanges({ database, space, clock }: ChangeDeps) {
  /** The comment that is to be changed, with the page's comments locked. */
  async function lock(tx: Tx, pageId: string, id: string) {
    const revision = await store.startChange(tx, pageId)
    const row = isId('cmt', id) ? await store.find(tx, [pageId, id]) : undefined
    if (row === undefined) throw commentNotFound()
    return { row, revision }
  }

  /** @throws Refusal `comment_not_found`, also for another's, a hidden or a deleted comment */
  async function lockOwn(tx: Tx, pageId: string, { id, keys }: { id: string; keys: AuthorKeys }) {
    const { row, revision } = await lock(tx, pageId, id)
    const isOwn = keys.includes(row.author_key) && row.is_hidden === 0 && row.is_deleted === 0
    if (!isOwn) throw commentNotFound()
    if (editableUntilMs(row) > clock.ms()) return { row, revision }
    const message = 'A comment can be changed for 15 minutes after it was written.'
    throw refuse.conflict('edit_time_over', message)
  }

  return {
    /** @throws Refusal `comment_not_found`, `edit_time_over` */
    async editOwn(
      pageId: string,
      own: { id: string; keys: AuthorKeys },
      { body, name }: { body: string; name: string | null | undefined },
    ): Promise<store.CommentRow> {
      space.assertFits(Buffer.byteLength(body))
      return database.write(async (tx) => {
        const { row, revision } = await lockOwn(tx, pageId, own)
        const patch = { body, name: name ?? row.name, edited_at: clock.now(), revision }
        await store.update(tx, [row.id], patch)
        return { ...row, ...patch }
      })
    },
    /** @throws Refusal `comment_not_found`, `edit_time_over` */
    withdraw(pageId: string, own: { id: string; keys: AuthorKeys }): Promise<void> {
      return database.write(async (tx) => {
        const { row, revision } = await lockOwn(tx, pageId, own)
        if ((await store.countReplies(tx, [row.id])) === 0) return removeRow(tx, row, revision)
        await store.update(tx, [row.id], { ...ERASED, revision })
      }, 'freeing')
    },
    /** @throws Refusal `comment_not_found` */
    remove(pageId: string, id: string): Promise<void> {
      return database.write(async (tx) => {
        const { row, revision } = await lock(tx, pageId, id)
        await removeRow(tx, row, revision)
      }, 'freeing')
    },
    /** @throws Refusal `comment_not_found`, `comment_is_reply`, `not_your_comment` */
    update(pageId: string, id: string, change: CommentChange): Promise<store.CommentRow> {
      return database.write(async (tx) => {
        const { row, revision } = await lock(tx, pageId, id)
        const patch = { ...patchOf(row, change, clock), revision }
        await store.update(tx, [row.id], patch)
        const changed = { ...row, ...patch }
        const hasMoved = placeOf(changed) !== placeOf(row)
        if (row.parent_id === null && hasMoved) await sequence.place(tx, [id, placeOf(changed)])
        return changed
      })
    },
    /** All or none. @throws Refusal `comment_not_found`, `comment_is_reply` */
    setStates(pageId: string, ids: readonly string[], state: 'open' | 'resolved'): Promise<void> {
      return database.write(async (tx) => {
        const revision = await store.startChange(tx, pageId)
        const rows = await findThreads(tx, pageId, { ids, param: 'comment_ids' })
        const changed = rows.filter((row) => row.state !== state)
        await setState(tx, changed, { ...statePatch(state), revision })
      })
    },
  }
}

async function setState(
  tx: Tx,
  rows: readonly store.CommentRow[],
  patch: store.CommentPatch & Pick<store.CommentRow, 'state'>,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await store.update(tx, ids, patch)
  for (const row of rows) await sequence.place(tx, [row.id, placeOf({ ...row, ...patch })])
}

/** The comments with these ids, each of which begins a thread. */
async function findThreads(
  tx: Tx,
  pageId: string,
  { ids, param }: { ids: readonly string[]; param: string },
): Promise<store.CommentRow[]> {
  const uniqueIds = [...new Set(ids)]
  const rows = uniqueIds.every((id) => isId('cmt', id)) ? await store.findAll(tx, uniqueIds) : []
  const isOfPage = rows.every((row) => row.page_id === pageId)
  if (rows.length < uniqueIds.length || !isOfPage) throw commentNotFound(param)
  if (rows.some((row) => row.parent_id !== null)) throw isReply(param)
  return rows
}

/** Deletes a comment and its replies; also its deleted parent, if no other reply needs it. */
async function removeRow(tx: Tx, row: store.CommentRow, revision: number): Promise<void> {
  const { id, page_id, parent_id } = row
  await store.giveBack(tx, [await store.remove(tx, id), page_id])
  if (parent_id === null) {
    await sequence.forgetItems(tx, [id])
    return void (await store.requireWhole(tx, [page_id]))
  }
  const parent = await store.find(tx, [page_id, parent_id])
  const isEmptyPlace = parent?.is_deleted === 1 && (await store.countReplies(tx, [parent_id])) === 0
  if (parent !== undefined && isEmptyPlace) return removeRow(tx, parent, revision)
  await store.update(tx, [parent_id], { revision })
  await sequence.forgetReply(tx, [parent_id, id])
  if (parent !== undefined) await sequence.place(tx, [parent_id, placeOf(parent)])
}

function patchOf(row: store.CommentRow, change: CommentChange, clock: Clock): store.CommentPatch {
  const { body, state, is_hidden } = change
  if (body !== undefined && row.author_kind !== 'owner') {
    const message = 'A viewer wrote this comment: only its author can change its text.'
    throw refuse.forbidden('not_your_comment', message, { param: 'body' })
  }
  if (state !== undefined && row.parent_id !== null) throw isReply('state')
  return {
    ...(body !== undefined && { body, edited_at: clock.now() }),
    ...(state !== undefined && state !== row.state && statePatch(state)),
    ...(is_hidden !== undefined && { is_hidden: is_hidden ? 1 : 0 }),
  }
}

/** A thread that is opened again loses the version that resolved it. */
function statePatch(state: 'open' | 'resolved') {
  return { state, addressed_in: null, addressed_by_draft: null }
}

/**
 * Resolves the comments that changes of a page answer, when these are published.
 *
 * @returns a listener that throws Refusal `comment_not_found`, `comment_is_reply`
 */
export function createAddressing({ recordEvent }: { recordEvent: RecordEvent }): DraftListener {
  async function resolve(tx: Tx, { pageId, versionNo }: DraftWrite, rows: store.CommentRow[]) {
    const revision = await store.startChange(tx, pageId)
    const answered = { ...statePatch('resolved'), addressed_in: versionNo }
    await setState(tx, rows, { ...answered, revision })
    const threadIds = rows.map(({ id }) => id)
    await recordEvent(tx, { kind: 'addressed', pageId, versionNo, threadIds })
  }

  return async (tx, write) => {
    const { pageId, versionNo, isLive, addresses, restoredNo } = write
    if (restoredNo !== null) await store.forgetAddressed(tx, [pageId, restoredNo])
    if (addresses.length > 0) {
      const rows = await findThreads(tx, pageId, { ids: addresses, param: 'addresses' })
      const ids = rows.map(({ id }) => id)
      await store.update(tx, ids, { addressed_by_draft: versionNo })
    }
    if (!isLive) return
    const due = await store.listAddressed(tx, [pageId])
    if (due.length > 0) await resolve(tx, write, due)
  }
}
