import type { Account } from '../../model/account.ts'
import type { Subjects } from '../../model/operation.ts'
import { isSlug, type Page } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import { settingWarnings } from '../../model/page/setting-effects.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { Database, Db, IdQuery } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  type Content,
  describeWarnings,
  type ImportContent,
  MAX_WARNINGS,
  type Release,
} from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { Views } from '../views/index.ts'
import {
  type AccountPages,
  type AllPages,
  createAccountPages,
  createAllPages,
} from './all-pages.ts'
import {
  type ChangeRequest,
  createPageChanges,
  type DraftListener,
  type PageChanges,
  type PageListener,
} from './changes.ts'
import type {
  ChangesInput,
  CreateInput,
  EditInput,
  ListInput,
  PageDifferences,
  UpdateInput,
} from './contract.ts'
import { createCreatePage, createIdempotency } from './create.ts'
import { createEditHtml, type EditsSummary } from './edit-html.ts'
import { createFreedSlugs, type FreedSlugs } from './freed-slugs.ts'
import { createImportPage, createOrigins, type PageImport, type SamePage } from './import-page.ts'
import {
  createFindListed,
  createListIndexable,
  createListPages,
  type IndexablePage,
  type PageList,
} from './list.ts'
import { createPageFiles, type PageFiles } from './page-files.ts'
import { createPagePasswords, type PagePasswords } from './passwords.ts'
import { createPresenter, type Written } from './present.ts'
import { createPreviews, type Previews } from './previews.ts'
import { createPublishing } from './publish.ts'
import { createPublishedPages, type PublishedPages } from './published.ts'
import { createReadChanges, createReadHtml, type PageHtml } from './read-html.ts'
import {
  createRemoveHidden,
  createUnfinishedImports,
  type UnfinishedImports,
} from './remove-hidden.ts'
import { fallbackWarnings, pageNotFound } from './rules.ts'
import * as store from './store.ts'
import { createSettingChanges, createUpdatePage, type SettingChanges } from './update.ts'

export interface Pages
  extends Omit<PublishedPages, 'previewOf'>,
    Previews,
    SettingChanges,
    AccountPages,
    AllPages,
    PageFiles,
    UnfinishedImports {
  create(request: Subjects['account'], input: CreateInput): Promise<Written>
  list(account: Account, input: ListInput): Promise<PageList>
  /**
   * The account's own page, by its id or slug.
   * @throws Refusal `page_not_found`, for another account's page as well
   */
  get(account: Account, idOrSlug: string): Promise<Page>
  present(page: Page): Promise<PageObject>
  /** Stores a page of an export completely, or nothing of it. */
  importPage(account: Account, given: PageImport): Promise<Page>
  /** The account's page with this slug, or that was made as one of these pages. */
  findSame(account: Account, given: { slug: string; ids: string[] }): Promise<SamePage | null>
  /** The origin of an imported page. */
  originOf(id: string): Promise<PageImport['origin'] | null>
  update(request: Subjects['owner'], input: UpdateInput): Promise<Written>
  delete(request: ChangeRequest): Promise<void>
  publish(
    request: ChangeRequest,
    addresses?: readonly string[],
  ): Promise<Written & Pick<PageObject, 'open_to'>>
  unpublish(request: ChangeRequest): Promise<PageObject>
  readHtml(page: Page, full: boolean): Promise<PageHtml>
  /** @throws Refusal `version_not_found`, `nothing_published` */
  readChanges(page: Page, input: ChangesInput): Promise<PageDifferences>
  editHtml(request: Subjects['owner'], input: EditInput): Promise<Written & { edits: EditsSummary }>
  restore(
    request: ChangeRequest,
    restored: { version_no: number; publish: boolean },
  ): Promise<Written>
  /** The page's password, also where its access does not ask for it now. */
  passwordOf(page: Page): string | null
  /** Whether the text is the page's password, compared in constant time. */
  isPassword(page: Page, text: string): boolean
  /** Whether owners of pages have invited the address, and whether one of these asks to sign in. */
  invitationOf(email: string, db?: Db): Promise<Invitation>
  count(accountId: string, db: Db): Promise<{ pages: number; published_pages: number }>
  /** Whether the account has so many that scanning them would delay other requests. */
  hasMany(accountId: string): Promise<boolean>
  /** The ids of the account's pages, oldest first. */
  idsOf(accountId: string, db?: Db): Promise<string[]>
  /** The same for queries of other features. */
  idsIn(accountId: string): IdQuery
  /** Pages of any account, in the order of the ids. Those that are not there are left out. */
  findAll(ids: readonly string[], db: Db): Promise<Page[]>
  /** A page of any account. */
  find(id: string, db?: Db): Promise<Page | undefined>
  /** Pages that search engines may list and everybody can open now, newest first. */
  listIndexable(limit: number): Promise<IndexablePage[]>
  /** Those of the manifests that are some page's draft or published content. */
  manifestsInUse(db: Db, manifestIds: string[]): Promise<string[]>
  /** Calls the listener at every change of a page, in the transaction of the change. */
  onChange(listener: PageListener): void
  /** Calls the listener at every write of a draft, in the transaction of the write. */
  onDraftWrite(listener: DraftListener): void
}

export interface Invitation {
  isInvited: boolean
  mustSignIn: boolean
}

interface PagesDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  /** What an import stores must fit into it. */
  space: ContentSpace
  content: Content
  importContent: ImportContent
  versions: Versions
  views: Views
  baseUrl: string
  origins: boolean
}

export async function createPages(deps: PagesDeps): Promise<Pages> {
  const { database, clock, secrets, content, versions, views, baseUrl, origins } = deps
  const { read } = database
  const passwords = createPagePasswords(secrets)
  const removeHidden = createRemoveHidden(deps)
  const freedSlugs = createFreedSlugs(clock)
  const changes = createPageChanges({
    database,
    clock,
    content,
    versions,
    freedSlugs,
    removeHidden,
  })
  const { present, presentAll } = createPresenter({
    content,
    views,
    clock,
    passwords,
    baseUrl,
  })
  const editHtml = createEditHtml({ content, versions, changes })
  const publishing = createPublishing({ content, versions, changes })
  const settings = createSettingChanges({ database, changes })
  const published = await createPublishedPages({ database, content, views })
  const previews = createPreviews({ content, versions, published, secrets, clock, baseUrl })
  const findListed = createFindListed(database)
  const { create, update } = createWrites(deps, { passwords, changes, freedSlugs })

  async function written(
    { page, release }: { page: Page; release: Release | null },
    input: UpdateInput = {},
  ): Promise<Written> {
    const ofContent =
      release === null ? [] : [...fallbackWarnings(page, release), ...release.warnings]
    const described = describeWarnings(ofContent, { baseUrl, origins })
    const warnings = [...settingWarnings(page.settings, input), ...described]
    return { data: await present(page), warnings: warnings.slice(0, MAX_WARNINGS) }
  }

  return {
    create,
    importPage: createImportPage({ ...deps, passwords, freedSlugs, removeHidden }),
    ...createUnfinishedImports({ database, clock, removeHidden }),
    ...createOrigins(read),
    list: createListPages({ findListed, clock, views, presentAll }),
    async get(account, idOrSlug) {
      const page = await findByIdOrSlug(read, idOrSlug)
      if (page?.account_id !== account.id) throw pageNotFound()
      return page
    },
    present,
    update: async (request, input) => written(await update(request, input), input),
    delete: changes.remove,
    async publish(request, addresses) {
      const answer = await written(await publishing.publish(request, addresses))
      return { ...answer, open_to: answer.data.open_to }
    },
    unpublish: async (request) => present(await publishing.unpublish(request)),
    readHtml: createReadHtml(content),
    ...createPageFiles({ content, versions }),
    readChanges: createReadChanges({ content, versions }),
    async editHtml(request, input) {
      const { edits, ...edited } = await editHtml(request, input)
      return { ...(await written(edited)), edits }
    },
    restore: async (request, restored) => written(await publishing.restore(request, restored)),
    cachedPage: published.cachedPage,
    cachedPageById: published.cachedPageById,
    findPublished: published.findPublished,
    findPublishedById: published.findPublishedById,
    contentOf: published.contentOf,
    ...createAccountPages({ database, changes, freedSlugs }),
    ...previews,
    ...createAllPages({ database, findListed, clock, changes, presentAll }),
    passwordOf: (page) => passwords.open(page) ?? null,
    isPassword: passwords.matches,
    invite: settings.invite,
    stopMails: settings.stopMails,
    invitationOf: (email, db = read) => invitationOf(db, email),
    count: (accountId, db) => store.countPages(db, accountId),
    idsOf: (accountId, db = read) => store.listIdsOf(db, accountId),
    idsIn: store.idsOfAccount,
    hasMany: (accountId) => store.hasManyPages(read, accountId),
    findAll: (ids, db) => store.findPages(db, ids),
    find: (id, db = read) => store.findPage(db, id),
    listIndexable: createListIndexable({ database, clock, views }),
    manifestsInUse: store.manifestsInUse,
    onChange: changes.onChange,
    onDraftWrite: changes.onDraftWrite,
  }
}

/** The operations that take content. */
function createWrites(
  deps: PagesDeps,
  parts: { passwords: PagePasswords; changes: PageChanges; freedSlugs: FreedSlugs },
) {
  const { passwords, changes, freedSlugs } = parts
  const { database, clock, secrets, content, importContent, versions, views, baseUrl, origins } =
    deps
  const create = createCreatePage({
    database,
    clock,
    content,
    importContent,
    versions,
    views,
    passwords,
    freedSlugs,
    idempotency: createIdempotency({ database, clock, secrets }),
    baseUrl,
    origins,
  })
  return { create, update: createUpdatePage({ content, importContent, views, passwords, changes }) }
}

async function findByIdOrSlug(db: Db, idOrSlug: string): Promise<Page | undefined> {
  if (isId('pg', idOrSlug)) return store.findPage(db, idOrSlug)
  return isSlug(idOrSlug) ? store.findPageBySlug(db, idOrSlug) : undefined
}

async function invitationOf(db: Db, email: string): Promise<Invitation> {
  const pages = await store.listPagesNaming(db, email)
  const inviting = pages.filter(
    ({ settings, suspended_at }) =>
      suspended_at === null && settings.allowed_emails.includes(email),
  )
  const mustSignIn = ({ settings }: Page) => settings.access === 'people' && settings.require_signin
  return { isInvited: inviting.length > 0, mustSignIn: inviting.some(mustSignIn) }
}
