import { isInTrash, preconditionFailed, Refusal, refuse } from '../../model/errors.ts'
import type { RequestContext, Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database, Durability, Tx } from '../../platform/db/index.ts'
import {
  AUTOSAVE,
  type DraftListener,
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
  manifestId: string
  sizeBytes: number
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
 * Runs in the transaction of a change: it awaits only the database, and its failure rolls back
 * both.
 */
export type PageListener = (tx: Tx, before: Page, after: Page) => Promise<void>

/** Those who are notified, in the transaction of the write. */
export interface PageListeners {
  /** At every change of a page. */
  change: PageListener[]
  /** At every write of a draft, and when the comments that it resolves are recorded. */
  draft: DraftListener[]
}

/** The deps of a change of a page that is there. */
export interface PageParts extends PageDeps {
  listeners: PageListeners
}

/**
 * Changes a page in its own transaction. If another write came first, a change of the draft and a
 * request with `If-Match` are refused.
 *
 * @throws Refusal `page_not_found`, `in_trash`, `precondition_failed`, `conflict`
 */
export function changePage(
  parts: PageParts,
  { page, context }: ChangeRequest,
  change: PageChange,
): Promise<Page> {
  const { hasIfMatch } = context
  return parts.database.write(
    (tx) => changePageWithin(tx, parts, { ...change, page, hasIfMatch }),
    change.durability,
  )
}

/** Changes a page as part of a larger transaction. */
export async function changePageWithin(
  tx: Tx,
  parts: PageParts,
  change: PageChange & { page: Page; hasIfMatch?: boolean },
): Promise<Page> {
  const { page, hasIfMatch = false, onDraft, takesTrashed = false, isNoEdit = false } = change
  const current = await lock(tx, page, hasIfMatch)
  if (current.trashed_at !== null && !takesTrashed) throw isInTrash()
  if (onDraft && current.draft_id !== page.draft_id) throw draftChanged()
  const next = await change.apply(tx, current)
  const epoch = changesAccess(current, next) ? current.access_epoch + 1 : next.access_epoch
  const updated_at = isNoEdit ? current.updated_at : parts.clock.now()
  const after = { ...next, access_epoch: epoch, updated_at }
  await store.updatePage(tx, after)
  if (after.slug !== current.slug) {
    await assertSlugFree(tx, parts, after)
    await keepSlug(tx, parts, { slug: current.slug, account_id: current.account_id })
  }
  for (const listener of parts.listeners.change) await listener(tx, current, after)
  for (const slug of new Set([current.slug, after.slug])) {
    await announceChange(parts.database, tx, slug)
  }
  return after
}

/** Makes stored content the draft, and saves it as a version. @returns the page to store */
export async function setDraft(tx: Tx, parts: PageParts, draft: NewDraft) {
  const { content, versions, clock } = parts
  const { page, manifestId, publish, addresses = [], restoredNo = null, ...version } = draft
  const { id: pageId, account_id: accountId, draft_id, published_id: publishedId } = page
  const versionNo = await versions.save(tx, {
    ...version,
    ...{ pageId, accountId, manifestId, publishedId },
  })
  const unreferenced = publish && publishedId !== null ? [draft_id, publishedId] : [draft_id]
  await content.markUnreferenced(tx, unreferenced)
  const publication = { published_id: manifestId, published_at: clock.now() }
  const next: Page = { ...page, draft_id: manifestId, ...(publish && publication) }
  const isLive = next.published_id === manifestId
  await announceDraft(tx, parts, { pageId, versionNo, isLive, addresses, restoredNo })
  return { next, versionNo }
}

/** Records which comments the current draft resolves. */
export async function addAddresses(
  tx: Tx,
  parts: PageParts,
  { page, addresses }: { page: Page; addresses: readonly string[] },
): Promise<void> {
  const { id: pageId, draft_id, published_id } = page
  const versionNo = await parts.versions.numberOf(pageId, draft_id, tx)
  if (versionNo === null) throw new Error(`The draft of ${pageId} is no version`)
  const isLive = published_id === draft_id
  await announceDraft(tx, parts, { pageId, versionNo, isLive, addresses, restoredNo: null })
}

async function announceDraft(tx: Tx, { listeners }: PageParts, write: DraftWrite): Promise<void> {
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
  const current = await store.lockPage(tx, id)
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
