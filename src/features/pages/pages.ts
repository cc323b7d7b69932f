import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Caller } from '../../model/operation.ts'
import { MAX_INVITEES } from '../../model/page/access.ts'
import type { Page, PageObject } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import { sameText } from '../../platform/secrets.ts'
import type { Intake } from '../content/index.ts'
import { type CreateInput, type EditInput, slug, type UpdateInput } from './contract.ts'
import { createCreation } from './create.ts'
import { createHtml, type EditsSummary, type Html } from './html.ts'
import { createLive, type Live } from './published.ts'
import { createRecords, type PageMachines, pageNotFound } from './records.ts'
import * as store from './store.ts'
import { createUpdate } from './update.ts'

/** Changes that nobody's request carries: no condition, no retry of theirs. */
const OURSELVES: Caller = { source: 'api', if_match: false, idempotency: null }

export interface Pages {
  create(account: Account, input: CreateInput, caller: Caller): Promise<PageObject>
  list(
    account: Account,
    range: { limit: number; offset: number },
  ): Promise<{ pages: PageObject[]; next_offset: number | null }>
  /**
   * The account's own page, by its id or slug.
   * @throws Refusal `page_not_found`, for another account's as well
   */
  get(account: Account, id_or_slug: string): Promise<Page>
  present(page: Page): Promise<PageObject>
  update(account: Account, page: Page, input: UpdateInput, caller: Caller): Promise<PageObject>
  delete(page: Page, caller: Caller): Promise<void>
  publish(page: Page, caller: Caller): Promise<PageObject>
  unpublish(page: Page, caller: Caller): Promise<PageObject>
  readHtml(page: Page, full: boolean): Promise<Html>
  editHtml(
    account: Account,
    page: Page,
    input: EditInput,
    caller: Caller,
  ): Promise<{ page: PageObject; edits: EditsSummary }>
  restore(
    page: Page,
    restored: { version_no: number; publish: boolean },
    caller: Caller,
  ): Promise<PageObject>
  /** What visitors of a slug get, where it is in memory: the serving path asks this first. */
  knownLive(slug: string): Live | undefined
  /** What the owner is shown of a page that is not published: its draft. */
  draftOf(live: Live): Promise<Live>
  /** The same as `knownLive`, read and kept in memory. */
  findLive(slug: string): Promise<Live | undefined>
  /** Whether `text` is the page's password, compared in constant time. */
  isPassword(page: Page, text: string): boolean
  /** Lets an address in. @throws Refusal `too_many_invitees` */
  invite(page: Page, email: string): Promise<void>
  /** Whether some page's owner has invited the address. */
  isInvited(email: string): Promise<boolean>
  /** Of any account, for what a visitor of the page has set in motion. */
  find(id: string, db?: Db): Promise<Page | undefined>
  /** No more mails of this kind. */
  stopMails(page: Page, setting: 'notify_on_view' | 'notify_on_response'): Promise<void>
  /** Pages that search engines may list, newest first. */
  listed(limit: number): Promise<{ slug: string; published_at: string | null }[]>
  manifestsInUse(tx: Tx, manifest_ids: string[]): Promise<string[]>
}

export async function createPages(machines: PageMachines & { intake: Intake }): Promise<Pages> {
  const { database, content, versions, intake } = machines
  const { read } = database
  const records = createRecords(machines)
  const html = createHtml(machines, records)
  const update = createUpdate(machines, records, intake)
  const live = await createLive(machines)

  async function findNamed(id_or_slug: string): Promise<Page | undefined> {
    if (isId('pg', id_or_slug)) return store.findAnyPage(read, id_or_slug)
    return slug.safeParse(id_or_slug).success ? store.findPageBySlug(read, id_or_slug) : undefined
  }

  /** Content that a version or the draft holds becomes the draft, and what visitors see. */
  async function point(
    page: Page,
    caller: Caller,
    to: { manifest_id: string; publish: boolean; source: 'publish' | 'restore' },
  ): Promise<PageObject> {
    const staged = to.publish ? await content.prepareStored(to.manifest_id) : null
    if (staged !== null) await content.putLarge(staged)
    const { size_bytes } = (await content.outlines([to.manifest_id])).get(to.manifest_id)!
    const changed = await records.change(page, caller, {
      on_draft: true,
      async apply(tx, current) {
        if (staged !== null) await content.save(tx, staged)
        await versions.save(tx, {
          page_id: page.id,
          manifest_id: to.manifest_id,
          size_bytes,
          source: to.source,
          live_id: current.published_id,
        })
        return records.pointed(tx, current, to.manifest_id, to.publish)
      },
    })
    return records.present(changed)
  }

  return {
    create: createCreation(machines, records, intake),
    async list(account, { limit, offset }) {
      const found = await store.listPages(read, account.id, { limit: limit + 1, offset })
      const pages = await records.presentAll(found.slice(0, limit))
      return { pages, next_offset: found.length > limit ? offset + limit : null }
    },
    async get(account, id_or_slug) {
      const page = await findNamed(id_or_slug)
      if (page?.account_id !== account.id) throw pageNotFound()
      return page
    },
    present: records.present,
    update: async (account, page, input, caller) =>
      records.present(await update(account, page, input, caller)),
    delete: (page, caller) => records.remove(page, caller),
    publish: (page, caller) =>
      point(page, caller, { manifest_id: page.draft_id, publish: true, source: 'publish' }),
    async unpublish(page, caller) {
      const changed = await records.change(page, caller, {
        on_draft: false,
        async apply(tx, current) {
          if (current.published_id !== null) await content.loosen(tx, [current.published_id])
          return { ...current, published_id: null }
        },
      })
      return records.present(changed)
    },
    readHtml: html.read,
    async editHtml(account, page, input, caller) {
      const { page: changed, edits } = await html.edit(account, page, input, caller)
      return { page: await records.present(changed), edits }
    },
    async restore(page, { version_no, publish }, caller) {
      const manifest_id = await versions.manifestOf(page, version_no)
      return point(page, caller, { manifest_id, publish, source: 'restore' })
    },
    knownLive: live.known,
    findLive: live.find,
    draftOf: live.draftOf,
    isPassword(page, text) {
      const password = records.passwords.open(page)
      return password !== undefined && sameText(text, password)
    },
    async invite(page, email) {
      await records.change(page, OURSELVES, {
        on_draft: false,
        async apply(_tx, current) {
          const { allowed_emails } = current.settings
          if (allowed_emails.length >= MAX_INVITEES) throw tooManyInvitees()
          const invited = [...new Set([...allowed_emails, email])]
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
        on_draft: false,
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
