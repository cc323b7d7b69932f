import type { Account } from '../../model/account.ts'
import type { Batches } from '../../model/batches.ts'
import { Refusal } from '../../model/errors.ts'
import {
  DEFAULT_SETTINGS,
  type Page,
  type SettingsInput,
  type Source,
} from '../../model/page/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId, newSlug } from '../../platform/ids.ts'
import { type Content, type ImportContent, IN_ROW_BYTES } from '../content/index.ts'
import type { VersionRow, Versions } from '../versions/index.ts'
import type { HourRow, Views } from '../views/index.ts'
import type { CreateInput } from './contract.ts'
import type { PagePasswords } from './passwords.ts'
import { assertPlanAllows, firstFree, mergeSettings, nthTitle } from './rules.ts'
import * as store from './store.ts'

const ATTEMPTS = 5

/** A page as another server, or this one, had it. */
export interface GivenPage {
  slug: string
  title: string | null
  settings: SettingsInput
  password: string | null
  source: Source
  created_at: string
  published_at: string | null
  views: number
  max_views: number | null
  /** Ids of contents. */
  draft: string
  published: string | null
  versions: VersionRow[]
}

export interface PageImport {
  page: GivenPage
  contentOf(manifestId: string): Promise<object>
  /** Its views by hour. */
  hours: Batches<HourRow>
  /** Stores what other features have of the page, in the transaction that stores it. */
  addRows(tx: Tx, page: Page): Promise<void>
}

/** What a new page needs, made or imported. */
export interface NewPageDeps {
  database: Database
  clock: Clock
  content: Content
  importContent: ImportContent
  versions: Versions
  views: Views
  passwords: PagePasswords
}

/**
 * Stores a page with its versions, or nothing of it. Its content is checked as that of a new page
 * is, with the limits of the plan. The slug is kept where it is free, and so is the title.
 */
export function createImportPage(deps: NewPageDeps) {
  return async (account: Account, given: PageImport): Promise<Page> => {
    const { settings: givenSettings, max_views: maxViews } = given.page
    assertPlanAllows(account, { ...givenSettings, max_views: maxViews })
    const settings = mergeSettings(DEFAULT_SETTINGS, givenSettings)
    const contents = await stageAll(deps, account, given)
    for (let attempt = 1; ; attempt++) {
      try {
        return await deps.database.write((tx) =>
          insert(deps, tx, { account, given, settings, contents }),
        )
      } catch (err) {
        // Another write took the slug or the title between the choice and the insert.
        const isTaken =
          err instanceof Refusal && (err.code === 'slug_taken' || err.code === 'duplicate_title')
        if (!isTaken || attempt >= ATTEMPTS) throw err
      }
    }
  }
}

type Staged = Awaited<ReturnType<ImportContent>>

/** Stages each content once. Large files are stored at once: they shall not fill the memory. */
async function stageAll(
  { content, importContent }: NewPageDeps,
  account: Account,
  { page, contentOf }: PageImport,
): Promise<Map<string, Staged>> {
  const used = [page.draft, page.published, ...page.versions.map((row) => row.manifest_id)]
  const staged = new Map<string, Staged>()
  for (const id of new Set(used)) {
    if (id === null) continue
    const imported = await importContent(account, (await contentOf(id)) as CreateInput)
    const isPublic = id === page.published
    const ready = isPublic ? await content.prepareRelease(imported) : imported
    await content.putLarge(ready)
    for (const [hash, { byteLength }] of ready.newBlobs) {
      if (byteLength > IN_ROW_BYTES) ready.newBlobs.delete(hash)
    }
    staged.set(id, ready)
  }
  return staged
}

interface Insertion {
  account: Account
  given: PageImport
  settings: Page['settings']
  contents: Map<string, Staged>
}

async function insert(
  { clock, content, versions, views, passwords }: NewPageDeps,
  tx: Tx,
  { account, given, settings, contents }: Insertion,
): Promise<Page> {
  const { page: old } = given
  const id = newId('pg', clock.ms())
  const idOf = (manifestId: string) => contents.get(manifestId)!.manifestId
  const page: Page = {
    id,
    account_id: account.id,
    slug: (await store.findPageBySlug(tx, old.slug)) === undefined ? old.slug : newSlug(),
    title: old.title === null ? null : await freeTitle(tx, account.id, old.title),
    settings,
    password_sealed: old.password === null ? null : passwords.seal(id, old.password),
    access_epoch: 1,
    source: old.source,
    draft_id: idOf(old.draft),
    published_id: old.published === null ? null : idOf(old.published),
    published_at: old.published === null ? null : (old.published_at ?? clock.now()),
    taken_down_at: null,
    taken_down_reason: null,
    revision: 1,
    created_at: old.created_at,
    updated_at: clock.now(),
  }
  for (const staged of contents.values()) await content.save(tx, staged)
  await store.insertPage(tx, page)
  await views.restoreCounter(tx, page, {
    ...{ views: old.views, max_views: old.max_views, hours: given.hours },
  })
  const rows = old.versions.map((row) => ({ ...row, manifest_id: idOf(row.manifest_id) }))
  await versions.insertAll(tx, id, rows)
  await given.addRows(tx, page)
  return page
}

async function freeTitle(tx: Tx, accountId: string, title: string): Promise<string> {
  const n = await firstFree((n) => store.isTitleTaken(tx, accountId, nthTitle(title, n)))
  return nthTitle(title, n)
}
