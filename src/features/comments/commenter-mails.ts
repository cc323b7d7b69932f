import type { MailContent } from '../../model/mail.ts'
import { isOpenToAll, type Page } from '../../model/page/index.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import { signedText } from '../../platform/signed-token.ts'
import { authorWords, commentExcerpt, type Event, passageExcerpt } from '../events/index.ts'
import { brandOf, excerpt, ownerLabel, type PageOwner, pageName, timeWords } from '../mail/index.ts'
import { passageOf } from './rules.ts'
import * as store from './store.ts'

/** Replies within this time share one mail. It also leaves time to correct a reply. */
const DELAY_MS = 60_000
/** How many of the comments that a version answers its mail quotes. */
const MAX_QUOTED = 3
/** How many participants of a thread are mailed about a reply: the latest ones. */
const MAX_RECIPIENTS = 20

interface CommenterMailDeps
  extends Pick<Services, 'database' | 'clock' | 'secrets' | 'baseUrl' | 'host' | 'sendMail'> {
  ownerOf(id: string, tx: Tx): Promise<PageOwner | null>
  findPage(tx: Tx, pageId: string): Promise<Page | undefined>
  /** Whether the access rule lets this address open the page now. */
  mayOpen(page: Page, email: string): boolean
}

export function createCommenterMails(deps: CommenterMailDeps) {
  const { database, clock, secrets, baseUrl, host } = deps
  const { ownerOf, findPage, mayOpen, sendMail } = deps
  const recipientOf = (pageId: string, email: string) =>
    secrets.sign('comment-recipient', pageId, email)
  const tokens = signedText(secrets, 'unsubscribe')

  async function mail(
    tx: Tx,
    { page, owner, email, key, threadId, replyId = threadId }: Mailed,
    content: CommentMail,
  ): Promise<void> {
    const recipient = recipientOf(page.id, email)
    if (!mayOpen(page, email) || (await store.isMuted(tx, [page.id, recipient]))) return
    const token = tokens.make([page.id, 'replies'], recipient)
    const about = {
      ...content,
      ...brandOf(page, owner),
      to: email,
      button: {
        label: 'Open the conversation',
        // The panel reads the fragment, which no server and no frame sees.
        url: `${baseUrl}/p/${page.slug}#~comments/${threadId}`,
      },
      reason:
        `${ownerLabel(owner?.name ?? null)} shares this page on ${host}. You commented on it, ` +
        'and confirmed this address.',
      unsubscribeUrl: `${baseUrl}/unsubscribe/${page.id}/${token}`,
    }
    await sendMail(tx, about, {
      dedupe_key: `${page.account_id} ${key} ${recipient}`,
      not_before: clock.after(DELAY_MS),
      link_id: replyId,
    })
  }

  async function onReply(tx: Tx, page: Page, event: Event<'reply'>): Promise<void> {
    const { threadId, author, body } = event
    const at = clock.now()
    const thread = await store.find(tx, [page.id, threadId])
    if (thread === undefined) return
    const replies = await store.listReplies(tx, [threadId])
    // Viewers do not see what a hidden comment is about.
    const passage = thread.is_hidden === 1 ? null : event.passage
    const isConfirmed = ({ author_kind: kind, author_email: email }: store.CommentRow) =>
      kind === 'confirmed' && email !== null && email !== author.email
    const others = [thread, ...replies].filter(isConfirmed).map((row) => row.author_email!)
    if (others.length === 0) return
    const owner = await ownerOf(page.account_id, tx)
    const since = clock.after(-DELAY_MS)
    for (const email of latest(others)) {
      const own = [thread, ...replies].findLast((row) => row.author_email === email)!
      const after = own.created_at > since ? own.created_at : since
      const recent = replies.filter((row) => row.created_at > after)
      const count = Math.max(1, recent.length)
      const content = replyMail(page, { author, body, passage, count, at })
      const about = { threadId, replyId: event.objectId!, key: `reply ${threadId}` }
      await mail(tx, { page, owner, email, ...about }, content)
    }
  }

  async function onAddressed(tx: Tx, page: Page, event: Event<'addressed'>): Promise<void> {
    const { versionNo, threadIds } = event
    const threads = (await store.findAll(tx, threadIds)).filter(
      (row) => row.author_kind === 'confirmed',
    )
    if (threads.length === 0) return
    const inOrder = threads.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const owner = await ownerOf(page.account_id, tx)
    for (const [email, rows] of Map.groupBy(inOrder, (row) => row.author_email)) {
      if (email === null) continue
      const content = addressedMail(page, {
        ...{ versionNo, at: clock.now(), comments: rows },
        owner: owner?.name ?? null,
      })
      const key = `addressed ${page.id} ${versionNo}`
      await mail(tx, { page, owner, email, threadId: rows[0]!.id, key }, content)
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
      await database.write((tx) => store.mute(tx, { page_id: pageId, recipient }))
    },
  }
}
export type CommenterMails = ReturnType<typeof createCommenterMails>

/** The different ones, latest first, up to the limit. */
function latest(emails: readonly string[]): string[] {
  return [...new Set(emails.toReversed())].slice(0, MAX_RECIPIENTS)
}

export type CommentMail = Pick<MailContent, 'subject' | 'heading' | 'paragraphs'>

interface Mailed {
  page: Page
  owner: PageOwner | null
  email: string
  /** Where the mail leads. */
  threadId: string
  replyId?: string
  /** Identifies the subject: a later mail about it replaces one that is still waiting. */
  key: string
}

interface NewReply {
  author: Event<'reply'>['author']
  /** Null on a page with a gate, as the passage is. */
  body: string | null
  passage: string | null
  /** How many replies there are since the mail was first due. */
  count: number
  at: Timestamp
}

export function replyMail(page: Page, { author, body, passage, count, at }: NewReply): CommentMail {
  // Other commenters do not see the address.
  const who = authorWords(author, { showsAddress: false })
  const title = pageName(page)
  const others = count === 2 ? ' and one more' : count > 2 ? ` and ${count - 1} more` : ''
  return {
    subject: `${who}${others} replied to you on ${title}`,
    heading: count === 1 ? 'There is a reply to you' : 'There are replies to you',
    paragraphs: [
      `${who} replied to you on ${title} on ${timeWords(at)}${body === null ? '.' : ':'}`,
      ...commentExcerpt(author, body),
      ...passageExcerpt(passage),
    ],
  }
}

interface Answer {
  versionNo: number
  /** The name of the page's owner. */
  owner: string | null
  at: Timestamp
  /** Those of the recipient. */
  comments: store.CommentRow[]
}

export function addressedMail(page: Page, { versionNo, owner, at, comments }: Answer): CommentMail {
  const title = pageName(page)
  const count = comments.length
  const which = count === 1 ? 'your comment' : `${count} of your comments`
  const isOpen = isOpenToAll(page.settings)
  const quoted = isOpen ? comments.slice(0, MAX_QUOTED) : []
  const more = isOpen ? count - quoted.length : 0
  return {
    subject: `${ownerLabel(owner)} answered ${which} on ${title} by a new version`,
    heading: `${title} has changed`,
    paragraphs: [
      `${ownerLabel(owner)} published version ${versionNo} of ${title} on ${timeWords(at)}. It ` +
        `answers ${which}.`,
      ...quoted.flatMap((row) => [
        'You wrote:',
        excerpt(row.body),
        ...passageExcerpt(passageOf(row)),
      ]),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
  }
}
