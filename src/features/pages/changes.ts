import { isInTrash, preconditionFailed, refuse } from '../../model/errors.ts'
import type { RequestContext, Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { hasManyRows } from '../../platform/db/delete-in-pieces.ts'
import type { Database, Durability, Tx } from '../../platform/db/index.ts'
import { AUTOSAVE, type VersionAuthor, type VersionSource } from '../versions/index.ts'
import { insertChange } from './changed/store.ts'
import { assertSlugFree, keepSlug, type PageDeps } from './parts.ts'
import { removeHidden } from './remove-hidden.ts'
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

/** A write of a page's draft, in the form in which other features are notified of it. */
export interface DraftWrite {
  pageId: string
  /** The version that has its content. */
  versionNo: number
  /** Whether visitors see that version now. */
  isLive: boolean
  addresses: readonly string[]
  restoredNo: number | null
}

/**
 * Runs in the transaction of the write: it awaits only the database; its failure rolls back both.
 */
export type DraftListener = (tx: Tx, write: DraftWrite) => Promise<void>

export type PageChanges = ReturnType<typeof createPageChanges>

/** The deps, and the one way to change a page. */
export interface PageParts extends PageDeps {
  changes: PageChanges
}

export function createPageChanges(deps: PageDeps) {
  const { database, clock, content, versions, agreements } = deps
  const listeners: PageListener[] = []
  const draftListeners: DraftListener[] = []

  async function announceDraft(tx: Tx, write: DraftWrite): Promise<void> {
    for (const listener of draftListeners) await listener(tx, write)
  }

  async function applyChange(
    tx: Tx,
    { page, hasIfMatch }: { page: Page; hasIfMatch: boolean },
    { onDraft, takesTrashed = false, isNoEdit = false, apply }: PageChange,
  ): Promise<Page> {
    const current = await lock(tx, page, hasIfMatch)
    if (current.trashed_at !== null && !takesTrashed) throw isInTrash()
    if (onDraft && current.draft_id !== page.draft_id) throw draftChanged()
    const next = await apply(tx, current)
    const epoch = changesAccess(current, next) ? current.access_epoch + 1 : next.access_epoch
    const updated_at = isNoEdit ? current.updated_at : clock.now()
    const changed = { ...next, access_epoch: epoch, updated_at }
    await store.updatePage(tx, changed)
    if (changed.slug !== current.slug) {
      await assertSlugFree(tx, deps, changed)
      await keepSlug(tx, deps, { slug: current.slug, account_id: current.account_id })
    }
    for (const listener of listeners) await listener(tx, current, changed)
    for (const slug of new Set([current.slug, changed.slug])) {
      await announceChange(database, tx, slug)
    }
    return changed
  }

  /** Deletes the page, or hides it where that would take long. */
  async function removeLocked(
    tx: Tx,
    page: Page,
    { isLarge, slugOwner }: { isLarge: boolean; slugOwner: string | null },
  ): Promise<void> {
    const { id, slug, draft_id } = page
    if (isLarge) await store.hidePage(tx, id)
    else {
      await content.markUnreferenced(tx, [draft_id])
      await versions.deleteAll(tx, page)
      await agreements.deleteAll(tx, page)
      await store.deletePage(tx, id)
    }
    await keepSlug(tx, deps, { slug, account_id: slugOwner })
    await announceChange(database, tx, slug)
  }

  /**
   * Other writes wait for a transaction, so a page with many rows is deleted in several.
   *
   * @param slugOwner the account that may take the slug again
   */
  async function remove(
    id: string,
    slugOwner: string | null,
    lockIn: (tx: Tx) => Promise<Page | undefined>,
  ): Promise<void> {
    const isLarge = await hasManyRows(database, id)
    await database.write(async (tx) => {
      const page = await lockIn(tx)
      if (page !== undefined) await removeLocked(tx, page, { isLarge, slugOwner })
    }, 'freeing')
    if (isLarge) await removeHidden(deps, id)
  }

  return {
    /**
     * Changes a page in its own transaction. If another write came first, a change of the draft and
     * a request with `If-Match` are refused.
     *
     * @throws Refusal `page_not_found`, `in_trash`, `precondition_failed`, `conflict`
     */
    change: ({ page, context }: ChangeRequest, change: PageChange): Promise<Page> =>
      database.write(
        (tx) => applyChange(tx, { page, hasIfMatch: context.hasIfMatch }, change),
        change.durability,
      ),
    /** Changes a page as part of a larger transaction. */
    changeWithin: (tx: Tx, page: Page, change: PageChange): Promise<Page> =>
      applyChange(tx, { page, hasIfMatch: false }, change),
    /** Makes stored content the draft, and saves it as a version. @returns the page to store */
    async setDraft(tx: Tx, current: Page, draft: NewDraft) {
      const { manifestId, sizeBytes, source, publish, addresses = [], restoredNo = null } = draft
      const { id: pageId, account_id: accountId } = current
      const { draft_id, published_id: publishedId } = current
      const { author } = draft
      const version = { pageId, accountId, manifestId, sizeBytes, source, publishedId, author }
      const versionNo = await versions.save(tx, version)
      const replaced = publish && publishedId !== null ? [draft_id, publishedId] : [draft_id]
      await content.markUnreferenced(tx, replaced)
      const published = { published_id: manifestId, published_at: clock.now() }
      const next: Page = { ...current, draft_id: manifestId, ...(publish && published) }
      const isLive = next.published_id === manifestId
      await announceDraft(tx, { pageId, versionNo, isLive, addresses, restoredNo })
      return { next, versionNo }
    },
    /** Records which comments the current draft resolves. */
    async addAddresses(
      tx: Tx,
      { id: pageId, draft_id, published_id }: Page,
      ids: readonly string[],
    ): Promise<void> {
      const versionNo = await versions.numberOf(pageId, draft_id, tx)
      if (versionNo === null) throw new Error(`The draft of ${pageId} is no version`)
      const isLive = published_id === draft_id
      await announceDraft(tx, { pageId, versionNo, isLive, addresses: ids, restoredNo: null })
    },
    /** Deletes a page and all it has. @throws Refusal `page_not_found`, `precondition_failed` */
    remove: ({ page, context }: ChangeRequest): Promise<void> =>
      remove(page.id, page.account_id, (tx) => lock(tx, page, context.hasIfMatch)),
    /** Deletes a page that came to the trash before a time and is still there. */
    removeTrashed: ({ id, account_id }: store.PageOfAccount, before: string): Promise<void> =>
      remove(id, account_id, async (tx) => {
        const page = await store.lockPage(tx, id)
        return page?.trashed_at != null && page.trashed_at < before ? page : undefined
      }),
    /** Deletes a page of a deleted account. */
    async removeOf(accountId: string, id: string): Promise<void> {
      await remove(id, null, async (tx) => {
        const page = await store.lockPage(tx, id)
        return page?.account_id === accountId ? page : undefined
      })
      // Its deletion may have broken off before.
      await removeHidden(deps, id)
    },
    /** Calls the listener at every change of a page, in the transaction of the change. */
    onChange: (listener: PageListener) => void listeners.push(listener),
    /**
     * Calls the listener at every write of a draft, and when the comments that it resolves are
     * recorded, in the transaction of the write.
     */
    onDraftWrite: (listener: DraftListener) => void draftListeners.push(listener),
  }
}

/** Reads the page as it is now and locks it until the transaction ends. */
async function lock(tx: Tx, { id, revision }: Page, hasIfMatch: boolean): Promise<Page> {
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
