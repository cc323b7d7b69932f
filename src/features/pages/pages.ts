import type { Account } from '../../model/account.ts'
import { isSlug, type Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import { createPageChanges } from './changes.ts'
import { findSame, importPage, originOf, type PageImport } from './import-page.ts'
import { listAllPages, listIndexable } from './list.ts'
import { isPassword, type PageDeps, passwordOf } from './parts.ts'
import { present } from './present.ts'
import { createPreviews } from './previews.ts'
import { createPageWrites } from './publish.ts'
import { createPublishedPages } from './published.ts'
import { sweepImports } from './remove-hidden.ts'
import { pageNotFound } from './rules.ts'
import * as store from './store.ts'
import { sweepTrash } from './trash.ts'

export type Pages = Awaited<ReturnType<typeof createPages>>

export async function createPages(deps: PageDeps) {
  const { read } = deps.database
  const changes = createPageChanges(deps)
  const parts = { ...deps, changes }
  const { previewOf, ...published } = await createPublishedPages(deps)

  return {
    ...published,
    ...createPreviews(deps, previewOf),
    ...createPageWrites(parts),
    /** For the operations alone. */
    parts,
    onChange: changes.onChange,
    onDraftWrite: changes.onDraftWrite,
    /**
     * The account's own page, by its id or slug.
     *
     * @throws Refusal `page_not_found`, for another account's page as well
     */
    async get(account: Account, idOrSlug: string): Promise<Page> {
      const page = await findByIdOrSlug(read, idOrSlug)
      if (page?.account_id !== account.id) throw pageNotFound()
      return page
    },
    present: (page: Page) => present(deps, page),
    /** Stores a page of an export completely, or nothing of it. */
    importPage: (account: Account, page: PageImport) => importPage(deps, account, page),
    findSame: (account: Account, names: { slug: string; ids: string[] }) =>
      findSame(deps, account, names),
    originOf: (id: string) => originOf(deps, id),
    sweepImports: (atStart = false) => sweepImports(deps, atStart),
    sweepTrash: () => sweepTrash(parts),
    passwordOf: (page: Page) => passwordOf(deps, page),
    isPassword: (page: Page, text: string) => isPassword(deps, page, text),
    invitationOf: (email: string, db: Db = read) => invitationOf(db, email),
    count: (accountId: string, db: Db) => store.countPages(db, accountId),
    listAll: (query: Parameters<typeof listAllPages>[1]) => listAllPages(deps, query),
    countAll: () => store.countPages(read, null),
    /** Whether the account has so many that scanning them would delay other requests. */
    hasMany: (accountId: string) => store.hasManyPages(read, accountId),
    /** The ids of the account's pages, oldest first. */
    idsOf: (accountId: string, db: Db = read) => store.listIdsOf(db, accountId),
    /** The same for queries of other features. */
    idsIn: store.idsOfAccount,
    /** Pages of any account, in the order of the ids. Those that are not there are left out. */
    findAll: (ids: readonly string[], db: Db) => store.findPages(db, ids),
    /** A page of any account, by its id or slug. */
    findNamed: (idOrSlug: string) => findByIdOrSlug(read, idOrSlug),
    /** A page of any account. */
    find: (id: string, db: Db = read) => store.findPage(db, id),
    listIndexable: (limit: number) => listIndexable(deps, limit),
    /** Those of the manifests that are some page's draft or published content. */
    manifestsInUse: store.manifestsInUse,
  }
}

async function findByIdOrSlug(db: Db, idOrSlug: string): Promise<Page | undefined> {
  if (isId('pg', idOrSlug)) return store.findPage(db, idOrSlug)
  return isSlug(idOrSlug) ? store.findPageBySlug(db, idOrSlug) : undefined
}

/** Whether owners of pages have invited the address, and whether one of these asks to sign in. */
async function invitationOf(db: Db, email: string) {
  const pages = await store.listPagesNaming(db, email)
  const inviting = pages.filter(
    ({ settings, suspended_at }) =>
      suspended_at === null && settings.allowed_emails.includes(email),
  )
  const mustSignIn = ({ settings }: Page) => settings.access === 'people' && settings.require_signin
  return { isInvited: inviting.length > 0, mustSignIn: inviting.some(mustSignIn) }
}
