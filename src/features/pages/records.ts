import { preconditionFailed, refuse } from '../../model/errors.ts'
import type { RequestContext } from '../../model/operation.ts'
import type { Page, PageObject } from '../../model/page/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { Views } from '../views/index.ts'
import { presentPage } from './present.ts'
import { changesAccess } from './rules.ts'
import * as store from './store.ts'

/** Channel on which every node hears that what it knows of a page (by slug) is out of date. */
export const PAGE_CHANGED = 'page_changed'

export interface PageDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  content: Content
  versions: Versions
  views: Views
  baseUrl: string
}

export interface Change {
  /** Rests on the draft as the caller saw it: refused with 409 when another write changed it. */
  onDraft: boolean
  /** What the page is afterwards. Runs in the transaction, on the page as it is now. */
  apply(tx: Tx, current: Page): Promise<Page>
}

/** How pages are kept and shown: what every verb of this room stands on. */
export function createRecords(deps: PageDeps) {
  const { database, clock, secrets, content, versions, views, baseUrl } = deps

  const passwords = {
    seal: (pageId: string, text: string) => secrets.seal('page-password', pageId, text),
    open: ({ id, password_sealed: passwordSealed }: Page) =>
      passwordSealed === null ? undefined : secrets.open('page-password', id, passwordSealed),
  }

  function shownPassword(page: Page): string | undefined {
    return page.settings.access === 'password' ? passwords.open(page) : undefined
  }

  async function present(page: Page): Promise<PageObject> {
    const [object] = await presentAll([page])
    // Deleted since it was read or written: to its owner that is as if it had been before.
    if (object === undefined) throw pageNotFound()
    const password = shownPassword(page)
    return { ...object, ...(password !== undefined && { password }) }
  }

  /** A list's pages: without passwords. */
  async function presentAll(pages: Page[]): Promise<PageObject[]> {
    if (pages.length === 0) return []
    const outlines = await content.outlines(pages.map(({ draft_id: draftId }) => draftId))
    const counters = await views.countersOf(pages.map(({ id }) => id))
    return pages.flatMap((page) => {
      const outline = outlines.get(page.draft_id)
      const counter = counters.get(page.id)
      // Deleted between the reads: it is no longer one of the account's pages.
      return outline && counter ? [presentPage(page, outline, counter, { baseUrl })] : []
    })
  }

  function change(page: Page, context: RequestContext, change: Change): Promise<Page> {
    return database
      .write((tx) => changeWithin(tx, page, { ...change, hasIfMatch: context.if_match }))
      .catch(throwTaken)
  }

  /** Changes a page as part of a larger transaction. */
  async function changeWithin(
    tx: Tx,
    page: Page,
    { onDraft, apply, hasIfMatch = false }: Change & { hasIfMatch?: boolean },
  ): Promise<Page> {
    const current = await store.lockPage(tx, page.id)
    if (current === undefined) throw pageNotFound()
    if (hasIfMatch && current.revision !== page.revision + 1) throw preconditionFailed()
    if (onDraft && current.draft_id !== page.draft_id) throw draftChanged()
    const next = await apply(tx, current)
    const epoch = changesAccess(current, next) ? current.access_epoch + 1 : next.access_epoch
    const changed = { ...next, access_epoch: epoch, updated_at: clock.now() }
    await store.updatePage(tx, changed)
    for (const slug of new Set([current.slug, changed.slug])) {
      await database.notify(tx, PAGE_CHANGED, slug)
    }
    return changed
  }

  /** The page with this content as its draft, live as well where it is published. */
  async function setDraft(tx: Tx, current: Page, manifestId: string, publish: boolean) {
    const { draft_id: draftId, published_id: publishedId } = current
    await content.markUnreferenced(tx, [draftId, ...(publish && publishedId ? [publishedId] : [])])
    const next = { ...current, draft_id: manifestId }
    return publish ? { ...next, published_id: manifestId, published_at: clock.now() } : next
  }

  async function remove(page: Page, context: RequestContext): Promise<void> {
    await database.write(async (tx) => {
      const current = await store.lockPage(tx, page.id)
      if (current === undefined) throw pageNotFound()
      if (context.if_match && current.revision !== page.revision + 1) throw preconditionFailed()
      await content.markUnreferenced(tx, [current.draft_id])
      await versions.deleteAll(tx, page.id)
      await store.deletePage(tx, page.id)
      await database.notify(tx, PAGE_CHANGED, current.slug)
    })
  }

  return { passwords, present, presentAll, change, changeWithin, setDraft, remove }
}
export type Records = ReturnType<typeof createRecords>

/** The engine's word that something is taken, in ours. */
export function throwTaken(err: unknown): never {
  if (isUniqueViolation(err, 'pages.slug')) {
    throw refuse.conflict('slug_taken', 'This slug is taken: choose another.', { param: 'slug' })
  }
  if (isUniqueViolation(err, 'pages.title')) {
    throw refuse.conflict(
      'duplicate_title',
      'Another page of this account has this title: choose another.',
      { param: 'title' },
    )
  }
  throw err
}

export function pageNotFound() {
  return refuse.notFound('page_not_found', 'There is no such page in this account.')
}

function draftChanged() {
  return refuse.conflict(
    'conflict',
    'Another write changed this page in the meantime, and nothing was written: read it again.',
  )
}
