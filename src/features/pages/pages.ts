import type { Account } from '../../model/account.ts'
import { operationsOf } from '../../model/operation.ts'
import { isSlug, type Page } from '../../model/page/index.ts'
import type { ListedPage, PageObject } from '../../model/page/page-object.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'

import * as contract from './contract.ts'
import { createPage, duplicate } from './create.ts'
import { editHtml } from './edit-html.ts'
import { findSame, importPage, originOf, type PageImport } from './import-page.ts'
import { listAllPages, listIndexable, listPages } from './list.ts'
import { isPassword, type PageDeps, passwordOf } from './parts.ts'
import { present, written } from './present.ts'
import { createPreviews } from './previews.ts'
import { createPageWrites, publish, restore, unpublish } from './publish.ts'
import { createPublishedPages } from './published.ts'
import { download, listFiles, readChanges, readFile, readHtml } from './read.ts'
import { removePage, sweepImports, sweepTrash, takeBack, trash } from './removal.ts'
import { pageNotFound } from './rules.ts'
import * as store from './store.ts'
import { updatePage } from './update.ts'

export type Pages = Awaited<ReturnType<typeof createPages>>

export async function createPages(services: Omit<PageDeps, 'listeners'>) {
  const deps: PageDeps = { ...services, listeners: { change: [], draft: [] } }
  const { read } = deps.database
  const { previewOf, ...published } = await createPublishedPages(deps)

  return {
    ...published,
    ...createPreviews(deps, previewOf),
    ...createPageWrites(deps),
    /** For the operations alone. */
    deps,
    listeners: deps.listeners,
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
    sweepTrash: () => sweepTrash(deps),
    passwordOf: (page: Page) => passwordOf(deps, page),
    isPassword: (page: Page, text: string) => isPassword(deps, page, text),
    /** Reads all pages of the server: in a thread where these are many, but for a transaction. */
    async invitationOf(email: string, tx?: Tx) {
      const isLong = tx === undefined && (await store.hasManyPages(read, null))
      return isLong
        ? deps.database.longRead((db) => invitationOf(db, email))
        : invitationOf(tx ?? read, email)
    },
    count: (accountId: string, db: Db) => store.countPages(db, accountId),
    listAll: (query: Parameters<typeof listAllPages>[1]) => listAllPages(deps, query),
    countAll: () => store.countPages(read, null),
    /** Whether the account has so many that scanning them would delay other requests. */
    hasMany: (accountId: string) => store.hasManyPages(read, accountId),
    /** The ids of the account's pages, oldest first. */
    idsOf: (accountId: string) => deps.database.longRead((db) => store.listIdsOf(db, [accountId])),
    /** The same for queries of other features. */
    idsIn: store.idsOfAccount,
    /** Pages of any account, in the order of the ids. Those that are not there are left out. */
    findAll: (ids: readonly string[], db: Db) => store.findPages(db, ids),
    /** A page of any account, by its id or slug. */
    findNamed: (idOrSlug: string) => findByIdOrSlug(read, idOrSlug),
    /** A page of any account. */
    find: (id: string, db: Db = read) => store.findPage(db, [id]),
    listIndexable: (limit: number) => listIndexable(deps, limit),
    /** Those of the manifests that are some page's draft or published content. */
    manifestsInUse: store.manifestsInUse,
  }
}

async function findByIdOrSlug(db: Db, idOrSlug: string): Promise<Page | undefined> {
  if (isId('pg', idOrSlug)) return store.findPage(db, [idOrSlug])
  return isSlug(idOrSlug) ? store.findPageBySlug(db, [idOrSlug]) : undefined
}

/** Whether owners of pages have invited the address, and whether one of these asks to sign in. */
async function invitationOf(db: Db, email: string) {
  const pages = await store.listPagesNaming(db, email)
  const inviters = pages.filter(
    ({ settings, suspended_at }) =>
      suspended_at === null && settings.allowed_emails.includes(email),
  )
  const mustSignIn = ({ settings }: Page) => settings.access === 'people' && settings.require_signin
  return { isInvited: inviters.length > 0, mustSignIn: inviters.some(mustSignIn) }
}

/** The counts of other features for each page in a list. */
export interface PageCounts {
  responses(pageIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  openComments(pageIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  versions(pageId: string): Promise<number>
  comments(pageId: string): Promise<number>
  decisions(pageId: string): Promise<number>
  votes(page: Page): Promise<number>
  people(page: Page): Promise<number>
}

export function pageOperations({ deps, startPreview }: Pages, counts: PageCounts) {
  return operationsOf(contract, {
    createPage: (request, input) => createPage(deps, request, input),
    listPages: async ({ account, context }, input) => {
      const query = { ...input, ids: context.key?.page_ids }
      const { pages, next_offset } = await listPages(deps, account, query)
      return { data: await withCounts(pages, counts), next_offset }
    },
    listFolders: ({ account }) => store.listFolders(deps.database.read, [account.id]),
    getPage: ({ page }) => present(deps, page),
    updatePage: async (request, input) => {
      const updated = await updatePage(deps, request, input)
      const answer = await written(deps, updated, input)
      return updated.release === null ? answer : withPrevious(deps, request.page, answer)
    },
    deletePage: (request) => removePage(deps, request),
    duplicatePage: (subject) => duplicate(deps, subject),
    trashPage: async (request) => present(deps, await trash(deps, request)),
    takeBackPage: async (request) => present(deps, await takeBack(deps, request)),
    countPage: ({ page }) => countsOf(page, deps, counts),
    publishPage: async (request, { addresses }) => {
      const answer = await written(deps, await publish(deps, request, addresses))
      return { ...answer, page: answer.data }
    },
    unpublishPage: async (request) => present(deps, await unpublish(deps, request)),
    readHtml: ({ page }, query) => readHtml(deps, page, query),
    listFiles: ({ page }, { version }) => listFiles(deps, page, version),
    readFile: ({ page }, file) => readFile(deps, page, file),
    downloadPage: ({ page }, { version }) => download(deps, page, version),
    previewPage: ({ page, sessionId }, { version_no: versionNo }) =>
      startPreview(page, { sessionId, versionNo }),
    readChanges: ({ page }, input) => readChanges(deps, page, input),
    editHtml: async (request, input) => {
      const { edits, ...edited } = await editHtml(deps, request, input)
      return { ...(await written(deps, edited)), edits }
    },
    restoreVersion: async (request, input) => {
      const answer = await written(deps, await restore(deps, request, input))
      return withPrevious(deps, request.page, answer)
    },
  })
}

/** The answer to a write of content, with the version that undoes it. */
async function withPrevious<T>({ versions }: PageDeps, before: Page, answer: T) {
  const previousVersion = await versions.numberOf(before.id, before.draft_id)
  return { ...answer, ...(previousVersion !== null && { previous_version: previousVersion }) }
}

async function countsOf(page: Page, { content }: PageDeps, counts: PageCounts) {
  const { id, draft_id, published_id } = page
  const release = await content.getRelease(published_id ?? draft_id)
  return {
    versions: await counts.versions(id),
    responses: (await counts.responses([id])).get(id) ?? 0,
    comments: await counts.comments(id),
    open_comments: (await counts.openComments([id])).get(id) ?? 0,
    decisions: await counts.decisions(id),
    votes: await counts.votes(page),
    people: await counts.people(page),
    collects_responses: release.collects_responses,
  }
}

/** One query for each count, however many pages the list has. */
async function withCounts(pages: PageObject[], counts: PageCounts): Promise<ListedPage[]> {
  const ids = pages.map(({ id }) => id)
  const [responses, openComments] = await Promise.all([
    counts.responses(ids),
    counts.openComments(ids),
  ])
  // Changes the pages in place: copying them would take as long as all the queries.
  return pages.map((page) =>
    Object.assign(page, {
      responses: responses.get(page.id) ?? 0,
      open_comments: openComments.get(page.id) ?? 0,
    }),
  )
}
