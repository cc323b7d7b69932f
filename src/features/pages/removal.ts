import { type Page, TRASH_DAYS } from '../../model/page/index.ts'
import { CLOCKS_APART_MS } from '../../platform/clock.ts'
import { deleteRowsOfPage, hasManyRows } from '../../platform/db/delete-in-pieces.ts'
import { lowerAll } from '../../platform/db/future-times.ts'
import type { Tx } from '../../platform/db/index.ts'
import { announceChange, type ChangeRequest, changePage, lock, retryTaken } from './changes.ts'
import { keepSlug, type PageDeps } from './parts.ts'
import * as store from './store.ts'

const TRASH_MS = TRASH_DAYS * 24 * 60 * 60 * 1000
/** How many pages one sweep deletes. */
const BATCH = 500

/** Takes the page offline and out of the lists, with all it has, until it comes back. */
export function trash(deps: PageDeps, request: ChangeRequest): Promise<Page> {
  return changePage(deps, request, {
    onDraft: false,
    takesTrashed: true,
    isNoEdit: true,
    durability: 'freeing',
    async apply(_tx, current) {
      if (current.trashed_at !== null) return current
      const { published_id: trashed_published_id } = current
      return { ...current, trashed_at: deps.clock.now(), trashed_published_id, published_id: null }
    },
  })
}

/** The page as it was, at its link. Its title gets a number where another page has it now. */
export function takeBack(deps: PageDeps, request: ChangeRequest): Promise<Page> {
  // On PostgreSQL another write may take the title between the choice and the update.
  return retryTaken(['duplicate_title'], () =>
    changePage(deps, request, {
      onDraft: false,
      takesTrashed: true,
      isNoEdit: true,
      async apply(tx, current) {
        const { account_id, title, trashed_at, trashed_published_id: published_id } = current
        if (trashed_at === null) return current
        const free = title === null ? null : await store.freeTitle(tx, account_id, title)
        const back = { trashed_at: null, trashed_published_id: null, published_id }
        return { ...current, title: free, ...back }
      },
    }),
  )
}

/** Deletes the pages whose time in the trash is over. @returns how many there were */
export async function sweepTrash(deps: PageDeps): Promise<number> {
  const before = deps.clock.after(-TRASH_MS)
  const due = await store.listTrashed(deps.database.read, [before, BATCH])
  for (const { id, account_id } of due) {
    await remove(deps, { id, slugOwner: account_id }, async (tx) => {
      const page = await store.lockPage(tx, [id])
      return page?.trashed_at != null && page.trashed_at < before ? page : undefined
    })
  }
  return due.length
}

/** Deletes a page and all it has. @throws Refusal `page_not_found`, `precondition_failed` */
export function removePage(deps: PageDeps, { page, context }: ChangeRequest): Promise<void> {
  const { id, account_id: slugOwner } = page
  return remove(deps, { id, slugOwner }, (tx) => lock(tx, page, context.hasIfMatch))
}

/** Deletes a page of a deleted account. */
export async function removeOf(deps: PageDeps, accountId: string, id: string): Promise<void> {
  await remove(deps, { id, slugOwner: null }, async (tx) => {
    const page = await store.lockPage(tx, [id])
    return page?.account_id === accountId ? page : undefined
  })
  // Its deletion may have broken off before.
  await removeHidden(deps, id)
}

interface Removal {
  id: string
  /** The account that may take the slug again. */
  slugOwner: string | null
}

/** Other writes wait for a transaction, so a page with many rows is hidden, and then deleted. */
async function remove(
  deps: PageDeps,
  { id, slugOwner }: Removal,
  lockIn: (tx: Tx) => Promise<Page | undefined>,
): Promise<void> {
  const { database } = deps
  const isLarge = await hasManyRows(database, id)
  await database.write(async (tx) => {
    const page = await lockIn(tx)
    if (page === undefined) return
    if (isLarge) await store.hidePage(tx, id)
    else {
      await deleteContent(tx, deps, page)
      await store.deletePage(tx, [id])
    }
    await keepSlug(tx, deps, { slug: page.slug, account_id: slugOwner })
    await announceChange(database, tx, page.slug)
  }, 'freeing')
  if (isLarge) await removeHidden(deps, id)
}

/** What a page has besides its rows. */
async function deleteContent(
  tx: Tx,
  { content, versions, agreements }: PageDeps,
  page: Pick<Page, 'id' | 'account_id' | 'draft_id' | 'published_id'>,
): Promise<void> {
  await content.markUnreferenced(tx, [page.draft_id, page.published_id ?? page.draft_id])
  await versions.deleteAll(tx, page)
  await agreements.deleteAll(tx, page)
}

/**
 * Deletes a page that is hidden, in short transactions. It does nothing where the page is not
 * hidden any more: an import cannot end after this begins.
 */
export async function removeHidden(deps: PageDeps, id: string): Promise<void> {
  const { database } = deps
  const isHidden = await database.write(async (tx) => {
    const page = await store.abandonImport(tx, [id])
    if (page === undefined) return false
    await deleteContent(tx, deps, page)
    return true
  }, 'freeing')
  if (!isHidden) return
  await deleteRowsOfPage(database, id)
  await database.write((tx) => store.deletePage(tx, [id]), 'freeing')
}

/** An import without a write for this long has ended. Reading one content takes less. */
const ABANDONED_MS = 15 * 60_000

/**
 * Deletes the pages whose import broke off, and those whose deletion did.
 *
 * @param atStart no import of this process is under way. On SQLite there is no other process.
 */
export async function sweepImports(deps: PageDeps, atStart: boolean): Promise<number> {
  const { database, clock } = deps
  const isAlone = atStart && database.engine === 'sqlite'
  await lowerAll({ database, clock }, { main: [store.importTimes] })
  const before = clock.after(isAlone ? CLOCKS_APART_MS : -ABANDONED_MS)
  const pages = await store.listAbandoned(database.read, [before])
  for (const id of pages) await removeHidden(deps, id)
  return pages.length
}
