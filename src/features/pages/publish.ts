import { refuse } from '../../model/errors.ts'
import { MAX_INVITEES, type Page } from '../../model/page/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import { sizeOf } from '../content/index.ts'
import {
  announceChange,
  authorOf,
  type ChangeRequest,
  changePage,
  changePageWithin,
  type NewDraft,
  type PageParts,
  setDraft,
} from './changes.ts'
import type { Released } from './present.ts'
import * as records from './records/store.ts'
import { removeOf } from './removal.ts'
import * as store from './store.ts'

/** Shows visitors the draft. */
export function publish(
  parts: PageParts,
  request: ChangeRequest,
  addresses?: readonly string[],
): Promise<Released> {
  const { draft_id: manifestId } = request.page
  return setStoredDraft(parts, request, {
    ...{ manifestId, source: 'publish', publish: true, addresses },
  })
}

/** Takes the page offline; the draft stays. */
export function unpublish(parts: PageParts, request: ChangeRequest): Promise<Page> {
  return changePage(parts, request, {
    onDraft: false,
    durability: 'freeing',
    async apply(tx, { published_id, ...current }) {
      if (published_id !== null) await parts.content.markUnreferenced(tx, [published_id])
      return { ...current, published_id: null }
    },
  })
}

/** Makes a version the draft, and publishes it where that is asked for. */
export async function restore(
  parts: PageParts,
  request: ChangeRequest,
  { version_no, publish }: { version_no: number; publish: boolean },
): Promise<Released> {
  const manifestId = await parts.versions.manifestOf(request.page, version_no)
  const draft = { manifestId, publish, source: 'restore', restoredNo: version_no } as const
  return setStoredDraft(parts, request, draft)
}

/** Makes content that is stored already the draft. */
async function setStoredDraft(
  parts: PageParts,
  request: ChangeRequest,
  draft: Omit<NewDraft, 'page' | 'sizeBytes' | 'author'>,
): Promise<Released> {
  const { content } = parts
  const staged = await content.stageStored(draft.manifestId)
  const page = await changePage(parts, request, {
    onDraft: true,
    async apply(tx, page) {
      await content.save(tx, staged)
      const sizeBytes = sizeOf(staged.manifest)
      const author = authorOf(request.context)
      return (await setDraft(tx, parts, { ...draft, page, sizeBytes, author })).next
    },
  })
  return { page, release: staged.release }
}

/** Settings that turn mails to a page's owner on and off. */
type MailSetting =
  | 'notify_on_view'
  | 'notify_on_response'
  | 'notify_on_comment'
  | 'notify_on_decision'

/** What is changed on behalf of a page's owner, or of an account and its pages. */
export function createPageWrites(parts: PageParts) {
  const { database, clock } = parts
  const changeWithin = (
    tx: Tx,
    page: Page,
    next: (current: Page) => Page,
    takesTrashed = false,
  ) => {
    const apply = async (_tx: Tx, now: Page) => next(now)
    return changePageWithin(tx, parts, { page, onDraft: false, takesTrashed, apply })
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
    setTakedown: (tx: Tx, page: Page, reason: string | null): Promise<Page> =>
      changeWithin(
        tx,
        page,
        (current) => ({
          ...current,
          taken_down_at: reason === null ? null : (current.taken_down_at ?? clock.now()),
          taken_down_reason: reason,
        }),
        true,
      ),
    /** Has every node read an account's pages again: its state changes in the transaction. */
    announceAll,
    forget,
    /** Deletes all pages of an account, each in its own transaction. */
    async deleteAll(accountId: string): Promise<void> {
      for (const { id } of await store.listAllIds(database.read, [accountId])) {
        await removeOf(parts, accountId, id)
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
