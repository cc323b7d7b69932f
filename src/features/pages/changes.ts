import { isInTrash, preconditionFailed, Refusal, refuse } from '../../model/errors.ts'
import type { RequestContext, Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database, Durability, Tx } from '../../platform/db/index.ts'
import type { Staged } from '../content/index.ts'
import {
  AUTOSAVE,
  type DraftWrite,
  type VersionAuthor,
  type VersionSource,
} from '../versions/index.ts'
import { insertChange } from './changed/store.ts'
import { assertSlugFree, keepSlug, type PageDeps } from './parts.ts'
import { changesAccess, pageNotFound } from './rules.ts'
import * as store from './store.ts'

/** The channel on which a write announces to every node what it changed. */
export const PAGE_CHANGED = 'page_changed'

/**
 * Removes pages from the cache of every node, once the transaction has committed.
 *
 * @param changed the slug of a page, or the id of an account: all its pages
 */
export async function announceChange(database: Database, tx: Tx, changed: string): Promise<void> {
  if (database.engine === 'postgres') await insertChange(tx, [changed])
  await database.notify(tx, PAGE_CHANGED, changed)
}

/** A request that changes a page: the page as it read it, and whether it came with `If-Match`. */
export type ChangeRequest = Pick<Subjects['owner'], 'page' | 'context'>

export interface PageChange {
  /** Whether the change builds on the draft that the request read. */
  onDraft: boolean
  /** Whether it may be in the trash. */
  takesTrashed?: boolean
  /** Whether it is no edit, so that the page keeps its place in lists. */
  isNoEdit?: boolean
  /** `freeing` for writes that take a page offline or change who may open it. */
  durability?: Durability
  /** The page after the change. Runs in the transaction, on the page as it is then. */
  apply(tx: Tx, current: Page): Promise<Page>
}

export interface NewDraft {
  /** As it is in the transaction. */
  page: Page
  content: Staged
  source: VersionSource
  /** Whether visitors see it as well. */
  publish: boolean
  /** The ids of comments that it answers. */
  addresses?: readonly string[] | undefined
  /** The version that it restores. */
  restoredNo?: number | undefined
  author: VersionAuthor
}

export function authorOf({ source, key }: RequestContext, isAutosave = false): VersionAuthor {
  return { via: isAutosave ? AUTOSAVE : source, key_name: key?.name ?? null }
}

/**
 * Changes a page in its own transaction. If another write came first, a change of the draft and a
 * request with `If-Match` are refused.
 *
 * @throws Refusal `page_not_found`, `in_trash`, `precondition_failed`, `conflict`
 */
export function changePage(
  deps: PageDeps,
  { page, context }: ChangeRequest,
  change: PageChange,
): Promise<Page> {
  const { hasIfMatch } = context
  return deps.database.write(
    (tx) => changePageWithin(tx, deps, { ...change, page, hasIfMatch }),
    change.durability,
  )
}

/** Changes a page as part of a larger transaction. */
export async function changePageWithin(
  tx: Tx,
  deps: PageDeps,
  change: PageChange & { page: Page; hasIfMatch?: boolean },
): Promise<Page> {
  const { page, hasIfMatch = false, onDraft, takesTrashed = false, isNoEdit = false } = change
  const current = await lock(tx, page, hasIfMatch)
  if (current.trashed_at !== null && !takesTrashed) throw isInTrash()
  if (onDraft && current.draft_id !== page.draft_id) throw draftChanged()
  const next = await change.apply(tx, current)
  const epoch = changesAccess(current, next) ? current.access_epoch + 1 : next.access_epoch
  const updated_at = isNoEdit ? current.updated_at : deps.clock.now()
  const after = { ...next, access_epoch: epoch, updated_at }
  await store.updatePage(tx, after)
  if (after.slug !== current.slug) {
    await assertSlugFree(tx, deps, after)
    await keepSlug(tx, deps, { slug: current.slug, account_id: current.account_id })
  }
  for (const listener of deps.listeners.change) await listener(tx, current, after)
  for (const slug of new Set([current.slug, after.slug])) {
    await announceChange(deps.database, tx, slug)
  }
  return after
}

/** Stores content, makes it the draft, and saves it as a version. @returns the page to store */
export async function setDraft(tx: Tx, deps: PageDeps, draft: NewDraft) {
  const { content, versions, clock } = deps
  const { publish, addresses = [], restoredNo = null, ...version } = draft
  const { page } = draft
  const { id: pageId, draft_id, published_id } = page
  const { manifestId } = draft.content
  await content.save(tx, draft.content)
  const versionNo = await versions.save(tx, version)
  const unreferenced = publish && published_id !== null ? [draft_id, published_id] : [draft_id]
  await content.markUnreferenced(tx, unreferenced)
  const publication = { published_id: manifestId, published_at: clock.now() }
  const next: Page = { ...page, draft_id: manifestId, ...(publish && publication) }
  const isLive = next.published_id === manifestId
  await announceDraft(tx, deps, { pageId, versionNo, isLive, addresses, restoredNo })
  return { next, versionNo }
}

/** Records which comments the current draft resolves. */
export async function addAddresses(
  tx: Tx,
  deps: PageDeps,
  { page, addresses }: { page: Page; addresses: readonly string[] },
): Promise<void> {
  const { id: pageId, draft_id, published_id } = page
  const versionNo = await deps.versions.numberOf(pageId, draft_id, tx)
  if (versionNo === null) throw new Error(`The draft of ${pageId} is no version`)
  const isLive = published_id === draft_id
  await announceDraft(tx, deps, { pageId, versionNo, isLive, addresses, restoredNo: null })
}

async function announceDraft(tx: Tx, { listeners }: PageDeps, write: DraftWrite): Promise<void> {
  for (const listener of listeners.draft) await listener(tx, write)
}

/**
 * How often another title is chosen after a concurrent write took it. Each write that takes one is
 * then complete, so this is also the limit of such concurrent writes.
 */
const ATTEMPTS = 100

/** Runs a write again where another took the title or slug that it had chosen as free. */
export async function retryTaken<T>(
  codes: readonly ('duplicate_title' | 'slug_taken')[],
  write: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (err) {
      const isTaken = err instanceof Refusal && codes.some((code) => code === err.code)
      if (!isTaken || attempt >= ATTEMPTS) throw err
    }
  }
}

/** Reads the page as it is now and locks it until the transaction ends. */
export async function lock(tx: Tx, { id, revision }: Page, hasIfMatch: boolean): Promise<Page> {
  const current = await store.lockPage(tx, [id])
  if (current === undefined) throw pageNotFound()
  // The lock itself increases the revision by one.
  if (hasIfMatch && current.revision !== revision + 1) throw preconditionFailed()
  return current
}

function draftChanged() {
  return refuse.conflict(
    'conflict',
    'Another write changed this page in the meantime, and nothing was written: read it again.',
  )
}
