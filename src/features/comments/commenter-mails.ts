import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Event, EventListener } from '../events/index.ts'
import { addressedMail, type CommentMail, replyMail } from './mail.ts'
import * as mutes from './mutes/store.ts'
import * as store from './store.ts'

/** Replies within this time share one mail. It also leaves time to correct a reply. */
const DELAY_MS = 60_000
/** How many participants of a thread are mailed about a reply: the latest ones. */
const MAX_RECIPIENTS = 20

export interface CommenterMails {
  /** Mails confirmed commenters about replies, and about versions that resolve their comments. */
  onEvent: EventListener
  /** The recipient of an unsubscribe link; null if its signature is not ours. */
  findRecipient(pageId: string, signature: string): string | null
  /** Unsubscribes this recipient from mails about the page's comments. */
  stop(pageId: string, recipient: string): Promise<void>
}

export interface CommenterMailDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  baseUrl: string
  findPage(tx: Tx, pageId: string): Promise<Page | undefined>
  /** Whether the access rule lets this address open the page now. */
  mayOpen(page: Page, email: string): boolean
  sendMail(tx: Tx, mail: MailContent, options: SendOptions): Promise<unknown>
}
interface SendOptions {
  dedupe_key: string
  not_before: Timestamp
}

export function createCommenterMails(deps: CommenterMailDeps): CommenterMails {
  const { database, clock, secrets, baseUrl, findPage, mayOpen, sendMail } = deps
  const { host } = new URL(baseUrl)
  const recipientOf = (pageId: string, email: string) =>
    secrets.sign('comment-recipient', pageId, email)
  const signatureOf = (pageId: string, recipient: string) =>
    secrets.sign('unsubscribe', pageId, 'replies', recipient)

  /** @param key identifies the subject: a later mail about it replaces one that is still waiting */
  async function mail(
    tx: Tx,
    { page, email, key }: { page: Page; email: string; key: string },
    content: CommentMail,
  ): Promise<void> {
    const recipient = recipientOf(page.id, email)
    if (!mayOpen(page, email) || (await mutes.isMuted(tx, page.id, recipient))) return
    const signature = signatureOf(page.id, recipient)
    const about = {
      ...content,
      to: email,
      button: { label: 'Open the page', url: `${baseUrl}/p/${page.slug}` },
      reason: `You commented on a page at ${host} and confirmed this address.`,
      unsubscribeUrl: `${baseUrl}/unsubscribe/${page.id}/${recipient}.${signature}`,
    }
    await sendMail(tx, about, {
      dedupe_key: `${page.account_id} ${key} ${recipient}`,
      not_before: clock.after(DELAY_MS),
    })
  }

  async function onReply(tx: Tx, page: Page, event: Event<'reply'>): Promise<void> {
    const { threadId, author, body } = event
    const thread = await store.find(tx, page.id, threadId)
    if (thread === undefined) return
    const replies = await store.listReplies(tx, [threadId])
    const isConfirmed = ({ author_kind: kind, author_email: email }: store.CommentRow) =>
      kind === 'confirmed' && email !== null && email !== author.email
    const others = [thread, ...replies].filter(isConfirmed).map((row) => row.author_email!)
    const since = clock.after(-DELAY_MS)
    for (const email of latest(others)) {
      const own = [thread, ...replies].findLast((row) => row.author_email === email)!
      const after = own.created_at > since ? own.created_at : since
      const recent = replies.filter((row) => row.created_at > after)
      const count = Math.max(1, recent.length)
      const content = replyMail(page, { author, body, count })
      await mail(tx, { page, email, key: `reply ${threadId}` }, content)
    }
  }

  async function onAddressed(tx: Tx, page: Page, event: Event<'addressed'>): Promise<void> {
    const { versionNo, threads } = event
    const counts = new Map<string, number>()
    for (const { email } of threads) {
      if (email !== null) counts.set(email, (counts.get(email) ?? 0) + 1)
    }
    for (const [email, count] of counts) {
      const key = `addressed ${page.id} ${versionNo}`
      await mail(tx, { page, email, key }, addressedMail(page, versionNo, count))
    }
  }

  return {
    async onEvent(tx, event) {
      if (event.kind !== 'reply' && event.kind !== 'addressed') return
      const page = await findPage(tx, event.pageId)
      if (page === undefined || !page.settings.allow_comments) return
      if (event.kind === 'reply') await onReply(tx, page, event)
      else await onAddressed(tx, page, event)
    },
    findRecipient(pageId, text) {
      const [recipient = '', signature = '', ...rest] = text.split('.')
      const isOurs =
        rest.length === 0 && secrets.verify(signature, 'unsubscribe', pageId, 'replies', recipient)
      return isOurs ? recipient : null
    },
    stop: (pageId, recipient) => database.write((tx) => mutes.mute(tx, pageId, recipient)),
  }
}

/** The different ones, latest first, up to the limit. */
function latest(emails: readonly string[]): string[] {
  return [...new Set(emails.toReversed())].slice(0, MAX_RECIPIENTS)
}
