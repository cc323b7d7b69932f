import { refuse } from '../../model/errors.ts'
import { MAX_INVITEES, type Page, type PageSettings } from '../../model/page/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import {
  announceChange,
  authorOf,
  type ChangeRequest,
  changePage,
  changePageWithin,
  type NewDraft,
  setDraft,
} from './changes.ts'
import type { PageDeps } from './parts.ts'
import type { Released } from './present.ts'
import * as records from './records/store.ts'
import { removeOf } from './removal.ts'
import * as store from './store.ts'

/** Shows visitors the draft. */
export function publish(
  deps: PageDeps,
  request: ChangeRequest,
  addresses?: readonly string[],
): Promise<Released> {
  const { draft_id: manifestId } = request.page
  const draft = { manifestId, source: 'publish', publish: true, addresses } as const
  return setStoredDraft(deps, request, draft)
}

/** Takes the page offline; the draft stays. */
export function unpublish(deps: PageDeps, request: ChangeRequest): Promise<Page> {
  return changePage(deps, request, {
    onDraft: false,
    durability: 'freeing',
    async apply(tx, { published_id, ...current }) {
      if (published_id !== null) await deps.content.markUnreferenced(tx, [published_id])
      return { ...current, published_id: null }
    },
  })
}

/** Makes a version the draft, and publishes it where that is asked for. */
export async function restore(
  deps: PageDeps,
  request: ChangeRequest,
  { version_no, publish }: { version_no: number; publish: boolean },
): Promise<Released> {
  const manifestId = await deps.versions.manifestOf(request.page, version_no)
  const draft = { manifestId, publish, source: 'restore', restoredNo: version_no } as const
  return setStoredDraft(deps, request, draft)
}

type StoredDraft = Omit<NewDraft, 'page' | 'content' | 'author'> & { manifestId: string }

/** Makes content that is stored already the draft. */
async function setStoredDraft(
  deps: PageDeps,
  request: ChangeRequest,
  { manifestId, ...draft }: StoredDraft,
): Promise<Released> {
  const content = await deps.content.stageStored(manifestId)
  const author = authorOf(request.context)
  const page = await changePage(deps, request, {
    onDraft: true,
    apply: async (tx, page) => (await setDraft(tx, deps, { ...draft, page, content, author })).next,
  })
  return { page, release: content.release }
}

/** Settings that turn mails to a page's owner on and off. */
type MailSetting = Extract<keyof PageSettings, `notify_on_${string}`>

/** What is changed on behalf of a page's owner, or of an account and its pages. */
export function createPageWrites(deps: PageDeps) {
  const { database, clock } = deps
  const changeWithin = (
    tx: Tx,
    page: Page,
    next: (current: Page) => Page,
    takesTrashed = false,
  ) => {
    const apply = async (_tx: Tx, now: Page) => next(now)
    return changePageWithin(tx, deps, { page, onDraft: false, takesTrashed, apply })
  }
  const announceAll = (tx: Tx, accountId: string) => announceChange(database, tx, accountId)
  /** What the stores have of the account besides its pages. Slugs stay, and lead nowhere. */
  async function forget(tx: Tx, accountId: string): Promise<void> {
    await records.deleteIdempotencyKeysOf(tx, [accountId])
    // Nobody may take its slugs any more.
    await records.updateFreedOf(tx, [accountId], { account_id: null })
  }

  return {
    /** Adds an address to the invited ones. @throws Refusal `too_many_invitees` */
    async invite(tx: Tx, page: Page, email: string): Promise<void> {
      await changeWithin(tx, page, (current) => {
        const { allowed_emails } = current.settings
        if (allowed_emails.length >= MAX_INVITEES) throw tooManyInvitees()
        const invited = [...new Set([...allowed_emails, email])]
        return { ...current, settings: { ...current.settings, allowed_emails: invited } }
      })
    },
    /** Turns the owner's mails of one kind off. */
    async stopMails(page: Page, setting: MailSetting): Promise<void> {
      const stop = (current: Page) => ({
        ...current,
        settings: { ...current.settings, [setting]: false },
      })
      await database.write((tx) => changeWithin(tx, page, stop, true))
    },
    /**
     * Takes a page down, or gives it back with null. Visitors get a notice at once, on every node.
     *
     * @returns the page as it is then
     */
    setTakedown(tx: Tx, page: Page, reason: string | null): Promise<Page> {
      const take = (current: Page) => ({
        ...current,
        taken_down_at: reason === null ? null : (current.taken_down_at ?? clock.now()),
        taken_down_reason: reason,
      })
      return changeWithin(tx, page, take, true)
    },
    /** Has every node read an account's pages again: its state changes in the transaction. */
    announceAll,
    forget,
    /** Deletes all pages of an account, each in its own transaction. */
    async deleteAll(accountId: string): Promise<void> {
      for (const id of await store.listAllIds(database.read, [accountId])) {
        await removeOf(deps, accountId, id)
      }
    },
  }
}

function tooManyInvitees() {
  return refuse.conflict(
    'too_many_invitees',
    `The page has ${MAX_INVITEES} invited addresses, the most it takes: remove one first.`,
    { limit: MAX_INVITEES },
  )
}
