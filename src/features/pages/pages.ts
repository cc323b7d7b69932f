import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { RequestContext } from '../../model/operation.ts'
import { MAX_INVITEES } from '../../model/page/access.ts'
import type { Page, PageObject } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import { sameText } from '../../platform/secrets.ts'
import type { ImportContent } from '../content/index.ts'
import { type CreateInput, type EditInput, slug, type UpdateInput } from './contract.ts'
import { createCreation } from './create.ts'
import { createHtml, type EditsSummary, type Html } from './html.ts'
import { createPublishedPages, type PublishedPage } from './published.ts'
import { createRecords, type PageDeps, pageNotFound } from './records.ts'
import * as store from './store.ts'
import { createUpdate } from './update.ts'

/** Changes that nobody's request carries: no condition, no retry of theirs. */
const OURSELVES: RequestContext = { source: 'api', if_match: false, idempotency: null }

export interface Pages {
  create(account: Account, input: CreateInput, context: RequestContext): Promise<PageObject>
  list(
    account: Account,
    range: { limit: number; offset: number },
  ): Promise<{ pages: PageObject[]; next_offset: number | null }>
  /**
   * The account's own page, by its id or slug.
   * @throws Refusal `page_not_found`, for another account's as well
   */
  get(account: Account, idOrSlug: string): Promise<Page>
  present(page: Page): Promise<PageObject>
  update(
    account: Account,
    page: Page,
    input: UpdateInput,
    context: RequestContext,
  ): Promise<PageObject>
  delete(page: Page, context: RequestContext): Promise<void>
  publish(page: Page, context: RequestContext): Promise<PageObject>
  unpublish(page: Page, context: RequestContext): Promise<PageObject>
  readHtml(page: Page, full: boolean): Promise<Html>
  editHtml(
    account: Account,
    page: Page,
    input: EditInput,
    context: RequestContext,
  ): Promise<{ page: PageObject; edits: EditsSummary }>
  restore(
    page: Page,
    restored: { version_no: number; publish: boolean },
    context: RequestContext,
  ): Promise<PageObject>
  /** What visitors of a slug get, where it is in memory: the serving path asks this first. */
  cachedPage(slug: string): PublishedPage | undefined
  /** What the owner is shown of a page that is not published: its draft. */
  draftOf(live: PublishedPage): Promise<PublishedPage>
  /** The same as `knownLive`, read and kept in memory. */
  findPublished(slug: string): Promise<PublishedPage | undefined>
  /** Whether `text` is the page's password, compared in constant time. */
  isPassword(page: Page, text: string): boolean
  /** Adds an address to the invited ones. @throws Refusal `too_many_invitees` */
  invite(tx: Tx, page: Page, email: string): Promise<void>
  /** Whether some page's owner has invited the address. */
  isInvited(email: string): Promise<boolean>
  /** Of any account, for what a visitor of the page has set in motion. */
  find(id: string, db?: Db): Promise<Page | undefined>
  /** No more mails of this kind. */
  stopMails(page: Page, setting: 'notify_on_view' | 'notify_on_response'): Promise<void>
  /** Pages that search engines may list, newest first. */
  listed(limit: number): Promise<{ slug: string; published_at: string | null }[]>
  manifestsInUse(tx: Tx, manifestIds: string[]): Promise<string[]>
}

export async function createPages(
  deps: PageDeps & { importContent: ImportContent },
): Promise<Pages> {
  const { database, content, versions, importContent } = deps
  const { read } = database
  const records = createRecords(deps)
  const html = createHtml(deps, records)
  const update = createUpdate(deps, records, importContent)
  const publishedPages = await createPublishedPages({ database, content, views: deps.views })

  async function findNamed(idOrSlug: string): Promise<Page | undefined> {
    if (isId('pg', idOrSlug)) return store.findAnyPage(read, idOrSlug)
    return slug.safeParse(idOrSlug).success ? store.findPageBySlug(read, idOrSlug) : undefined
  }

  /** Content that a version or the draft holds becomes the draft, and what visitors see. */
  async function point(
    page: Page,
    context: RequestContext,
    to: { manifest_id: string; publish: boolean; source: 'publish' | 'restore' },
  ): Promise<PageObject> {
    const staged = to.publish ? await content.stageStored(to.manifest_id) : null
    if (staged !== null) await content.putLarge(staged)
    const { size_bytes: sizeBytes } = (await content.outlines([to.manifest_id])).get(
      to.manifest_id,
    )!
    const changed = await records.change(page, context, {
      onDraft: true,
      async apply(tx, current) {
        if (staged !== null) await content.save(tx, staged)
        await versions.save(tx, {
          pageId: page.id,
          manifestId: to.manifest_id,
          sizeBytes,
          source: to.source,
          publishedId: current.published_id,
        })
        return records.setDraft(tx, current, to.manifest_id, to.publish)
      },
    })
    return records.present(changed)
  }

  return {
    create: createCreation(deps, records, importContent),
    async list(account, { limit, offset }) {
      const found = await store.listPages(read, account.id, { limit: limit + 1, offset })
      const pages = await records.presentAll(found.slice(0, limit))
      return { pages, next_offset: found.length > limit ? offset + limit : null }
    },
    async get(account, idOrSlug) {
      const page = await findNamed(idOrSlug)
      if (page?.account_id !== account.id) throw pageNotFound()
      return page
    },
    present: records.present,
    update: async (account, page, input, context) =>
      records.present(await update(account, page, input, context)),
    delete: (page, context) => records.remove(page, context),
    publish: (page, context) =>
      point(page, context, { manifest_id: page.draft_id, publish: true, source: 'publish' }),
    async unpublish(page, context) {
      const changed = await records.change(page, context, {
        onDraft: false,
        async apply(tx, current) {
          if (current.published_id !== null)
            await content.markUnreferenced(tx, [current.published_id])
          return { ...current, published_id: null }
        },
      })
      return records.present(changed)
    },
    readHtml: html.read,
    async editHtml(account, page, input, context) {
      const { page: changed, edits } = await html.edit(account, page, input, context)
      return { page: await records.present(changed), edits }
    },
    async restore(page, { version_no: versionNo, publish }, context) {
      const manifestId = await versions.manifestOf(page, versionNo)
      return point(page, context, { manifest_id: manifestId, publish, source: 'restore' })
    },
    cachedPage: publishedPages.cachedPage,
    findPublished: publishedPages.findPublished,
    draftOf: publishedPages.draftOf,
    isPassword(page, text) {
      const password = records.passwords.open(page)
      return password !== undefined && sameText(text, password)
    },
    async invite(tx, page, email) {
      await records.changeWithin(tx, page, {
        onDraft: false,
        async apply(_tx, current) {
          const { allowed_emails: allowedEmails } = current.settings
          if (allowedEmails.length >= MAX_INVITEES) throw tooManyInvitees()
          const invited = [...new Set([...allowedEmails, email])]
          return { ...current, settings: { ...current.settings, allowed_emails: invited } }
        },
      })
    },
    async isInvited(email) {
      const naming = await store.listNaming(read, email)
      return naming.some(({ settings }) => settings.allowed_emails.includes(email))
    },
    find: (id, db = read) => store.findAnyPage(db, id),
    async stopMails(page, setting) {
      await records.change(page, OURSELVES, {
        onDraft: false,
        apply: async (_tx, current) => ({
          ...current,
          settings: { ...current.settings, [setting]: false },
        }),
      })
    },
    listed: (limit) => store.listListed(read, limit),
    manifestsInUse: store.manifestsInUse,
  }
}

function tooManyInvitees() {
  return refuse.conflict(
    'too_many_invitees',
    `The page has ${MAX_INVITEES} invited addresses, the most it takes: remove one first.`,
    { limit: MAX_INVITEES },
  )
}
