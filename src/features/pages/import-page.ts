import type { Account } from '../../model/account.ts'
import type { ArchivedPage } from '../../model/archive.ts'
import { refuse } from '../../model/errors.ts'
import { DEFAULT_SETTINGS, type Page } from '../../model/page/index.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { LastStep, WriteStep } from '../../platform/db/long-write.ts'
import { inChunks } from '../../platform/db/rows.ts'
import { newId } from '../../platform/ids.ts'
import type { Staged } from '../content/index.ts'
import { retryTaken } from './changes.ts'
import type { CreateInput } from './contract.ts'
import { buildPage } from './create.ts'
import { assertSlugFree, isSlugKept, type PageDeps } from './parts.ts'
import * as imports from './records/store.ts'
import { removeHidden } from './removal.ts'
import { assertPlanAllows, mergeSettings } from './rules.ts'
import * as store from './store.ts'

const VERSIONS = 100

/** Content in the form of the input of a create, whose files are read one after the other. */
export interface ArchivedContent {
  /** Names its files as uploads, by their hashes. */
  input: object
  sizeBytes: number
  readFile(hash: string): Promise<Uint8Array>
}

export interface PageImport {
  page: ArchivedPage
  origin: { server: string; page_id: string }
  contentOf(manifestId: string): ArchivedContent
  /** Stores the page's views and its data of other features. */
  addRows(step: WriteStep, page: Page): Promise<LastStep>
}

/**
 * Stores a page with its versions and all of its data, or nothing. Its content is checked like that
 * of a new page, with the limits of the plan. It keeps its slug and its title if they are free.
 * It is stored in short transactions, so that visitors of other pages do not wait. Before the last
 * one the page is hidden: nothing finds it, and it has neither its slug nor its title.
 */
export async function importPage(
  deps: PageDeps,
  account: Account,
  source: PageImport,
): Promise<Page> {
  const { database, space, clock } = deps
  const { max_views } = source.page
  const { agreement = null, ...archivedSettings } = source.page.settings
  assertPlanAllows(account, { ...archivedSettings, max_views, agreement })
  const settings = { ...mergeSettings(DEFAULT_SETTINGS, archivedSettings), agreement }
  const id = newId('pg', clock.ms())

  /** Records that the import still runs. Its data becomes durable with the last transaction. */
  const step: WriteStep = async (work) => {
    space.assertFits(0)
    await database.write(async (tx) => {
      await assertImporting(tx, id, clock.now())
      await work(tx)
    }, 'relaxed')
  }

  try {
    const page = await storeContents(deps, { account, source, settings, id }, step)
    const last = await source.addRows(step, page)
    return await show(deps, { page, source, last })
  } catch (err) {
    await removeHidden(deps, id)
    throw err
  }
}

interface Importing {
  account: Account
  source: PageImport
  settings: Page['settings']
  id: string
}

async function assertImporting(tx: Tx, id: string, now: string): Promise<void> {
  if (await store.keepImporting(tx, [id, now])) return
  throw refuse.conflict('conflict', 'The import of this page was interrupted: import it again.')
}

/** Stores the hidden page with its draft and its published content, and then its versions. */
async function storeContents(deps: PageDeps, importing: Importing, step: WriteStep): Promise<Page> {
  const { content, versions, database, clock } = deps
  const { account, settings, id } = importing
  const { page: old } = importing.source
  const stagedById = new Map([[old.draft, await stage(deps, importing, old.draft)]])
  if (old.published !== null && old.published !== old.draft) {
    stagedById.set(old.published, await stage(deps, importing, old.published))
  }
  const idOf = (manifestId: string) => stagedById.get(manifestId)!.manifestId
  const page = buildPage(deps, old.password, {
    ...{ id, account_id: account.id, settings, source: old.source, created_at: old.created_at },
    draft_id: idOf(old.draft),
    published_id: old.published === null ? null : idOf(old.published),
    // A page that was taken offline has one too: when it was last published.
    ...(old.published_at !== null && { published_at: old.published_at }),
  })
  await database.write(async (tx) => {
    for (const ready of stagedById.values()) await content.save(tx, ready)
    await store.insertPage(tx, page, clock.now())
  }, 'relaxed')

  for (const [id, all] of Map.groupBy(old.versions, (row) => row.manifest_id)) {
    const ready = stagedById.get(id) ?? (await stage(deps, importing, id))
    const manifest = { manifest_id: ready.manifestId }
    for (const some of inChunks(all, VERSIONS)) {
      const rows = some.map((row) => ({ ...row, ...manifest }))
      await step(async (tx) => {
        // Stored with the rows that refer to it, so that the sweeper does not delete it.
        await content.save(tx, ready)
        await versions.insertAll(tx, page, rows)
      })
    }
  }
  return page
}

async function stage(
  { content, importContent }: PageDeps,
  { account, source }: Importing,
  id: string,
): Promise<Staged> {
  const { input, sizeBytes, readFile } = source.contentOf(id)
  const uploads = {
    read: async (_account: Account, name: string) => {
      return { bytes: await readFile(name), storedHash: null }
    },
  }
  return content.holdMemory(sizeBytes, async () => {
    const imported = await importContent(account, input as CreateInput, { uploads })
    return content.putFiles(imported, id === source.page.published)
  })
}

interface Stored {
  page: Page
  source: PageImport
  last: LastStep
}

/** Gives the page its slug and its title if they are free, and makes it visible. */
async function show(deps: PageDeps, { page, source, last }: Stored): Promise<Page> {
  const { database, clock } = deps
  const { id, account_id } = page
  const { slug, title } = source.page
  const from = { from_server: source.origin.server, from_page_id: source.origin.page_id }

  async function insert(tx: Tx): Promise<Page> {
    await assertImporting(tx, id, clock.now())
    const isUsed = (await store.findPageBySlug(tx, [slug])) !== undefined
    const isFree = !isUsed && !(await isSlugKept(tx, deps, { slug, account_id }))
    const visible = {
      ...page,
      slug: isFree ? slug : page.slug,
      title: title === null ? null : await store.freeTitle(tx, account_id, title),
      updated_at: clock.now(),
    }
    await store.updatePage(tx, visible)
    await assertSlugFree(tx, deps, visible)
    await imports.insertImported(tx, [{ page_id: id, account_id, ...from }])
    await last(tx)
    return visible
  }

  return retryTaken(['slug_taken', 'duplicate_title'], () =>
    database.write(insert).catch((err) => {
      if (!isUniqueViolation(err, 'imported_pages.from_page_id')) throw err
      throw refuse.conflict('conflict', 'Another import brought this page meanwhile.')
    }),
  )
}

/** The account's page with this slug, or that was made as one of these pages. */
export async function findSame(
  { database: { read } }: PageDeps,
  { id: accountId }: Account,
  { slug, ids }: { slug: string; ids: readonly string[] },
): Promise<{ page: Page; hasSlugAlone: boolean } | null> {
  for (const id of ids) {
    const origin = await imports.findFrom(read, [accountId, id])
    const page = await store.findPage(read, [origin?.page_id ?? id])
    if (page?.account_id === accountId) return { page, hasSlugAlone: false }
  }
  const page = await store.findPageBySlug(read, [slug])
  return page?.account_id === accountId ? { page, hasSlugAlone: true } : null
}

export async function originOf({ database }: PageDeps, pageId: string) {
  const row = await imports.findOrigin(database.read, [pageId])
  return row === undefined ? null : { server: row.from_server, page_id: row.from_page_id }
}
