import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { signedText } from '../../platform/signed-token.ts'
import {
  authorWords,
  type CommentAuthor,
  commentExcerpt,
  type Event,
  nameOf,
} from '../events/index.ts'
import * as store from './store.ts'

/** Replies within this time share one mail. It also leaves time to correct a reply. */
const DELAY_MS = 60_000
/** How many participants of a thread are mailed about a reply: the latest ones. */
const MAX_RECIPIENTS = 20

interface CommenterMailDeps {
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

export function createCommenterMails(deps: CommenterMailDeps) {
  const { database, clock, secrets, baseUrl, findPage, mayOpen, sendMail } = deps
  const { host } = new URL(baseUrl)
  const recipientOf = (pageId: string, email: string) =>
    secrets.sign('comment-recipient', pageId, email)
  const tokens = signedText(secrets, 'unsubscribe')

  /** @param key identifies the subject: a later mail about it replaces one that is still waiting */
  async function mail(
    tx: Tx,
    { page, email, key }: { page: Page; email: string; key: string },
    content: CommentMail,
  ): Promise<void> {
    const recipient = recipientOf(page.id, email)
    if (!mayOpen(page, email) || (await store.isMuted(tx, page.id, recipient))) return
    const token = tokens.make([page.id, 'replies'], recipient)
    const about = {
      ...content,
      to: email,
      button: { label: 'Open the page', url: `${baseUrl}/p/${page.slug}` },
      reason: `You commented on a page at ${host} and confirmed this address.`,
      unsubscribeUrl: `${baseUrl}/unsubscribe/${page.id}/${token}`,
    }
    await sendMail(tx, about, {
      dedupe_key: `${page.account_id} ${key} ${recipient}`,
      not_before: clock.after(DELAY_MS),
    })
  }

  async function onReply(tx: Tx, page: Page, event: Event<'reply'>): Promise<void> {
    const { threadId, author, body } = event
    const thread = await store.find(tx, [page.id, threadId])
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
    /** Mails confirmed commenters about replies, and about versions that resolve their comments. */
    async onEvent(tx: Tx, event: Event) {
      if (event.kind !== 'reply' && event.kind !== 'addressed') return
      const page = await findPage(tx, event.pageId)
      if (page === undefined || !page.settings.allow_comments) return
      if (event.kind === 'reply') await onReply(tx, page, event)
      else await onAddressed(tx, page, event)
    },
    /** The recipient of an unsubscribe link; null if its signature is not ours. */
    findRecipient: (pageId: string, text: string) => tokens.read([pageId, 'replies'], text),
    /** Unsubscribes this recipient from mails about the page's comments. */
    async stop(pageId: string, recipient: string) {
      await database.write((tx) => store.mute(tx, [pageId, recipient]))
    },
  }
}
export type CommenterMails = ReturnType<typeof createCommenterMails>

/** The different ones, latest first, up to the limit. */
function latest(emails: readonly string[]): string[] {
  return [...new Set(emails.toReversed())].slice(0, MAX_RECIPIENTS)
}

export type CommentMail = Pick<MailContent, 'subject' | 'heading' | 'paragraphs'>

interface NewReply {
  author: CommentAuthor
  body: string | null
  /** How many replies there are since the mail was first due. */
  count: number
}

export function replyMail(page: Page, { author, body, count }: NewReply): CommentMail {
  const title = nameOf(page)
  // Other commenters do not see the address.
  const who = authorWords(author, { showsAddress: false })
  const others = count === 2 ? ' and one more' : count > 2 ? ` and ${count - 1} more` : ''
  return {
    subject: `${who}${others} replied to you on ${title}`,
    heading: count === 1 ? 'There is a reply to you' : 'There are replies to you',
    paragraphs: [
      `${who} replied in a conversation of yours on ${title}${body === null ? '.' : ':'}`,
      ...commentExcerpt(author, body),
    ],
  }
}

export function addressedMail(page: Page, versionNo: number, count: number): CommentMail {
  const title = nameOf(page)
  const comments = count === 1 ? 'Your comment' : `${count} of your comments`
  const verb = count === 1 ? 'is' : 'are'
  return {
    subject: `${comments} on ${title} ${verb} answered by a new version`,
    heading: `${title} has changed`,
    paragraphs: [
      `${comments} on ${title} ${verb} marked as done: version ${versionNo} answers it.`,
    ],
  }
}
