import { unlinked } from '../../model/html.ts'
import type { MailContent, Quotation } from '../../model/mail.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { displayEmail, displayStranger } from '../../platform/display-email.ts'
import { excerpt, ownerLabel, quoted, quotedName, theyWrite, timeWords } from '../mail/index.ts'
import type { CommentAuthor, Event, EventKind } from './events.ts'

/** The facts of a page in a mail to its owner. */
export interface MailedPage {
  accountId: string
  title: string | null
  url: string
  ownerEmail: string
}

/** The data that every mail about an event needs besides the event. */
export interface EventContext {
  page: MailedPage
  at: Timestamp
  baseUrl: string
  unsubscribeUrl: string
}

/** A subscription of a page's owner, which the link in a mail ends. */
export interface Subscription {
  /** The page's setting that turns these mails on and off. */
  setting: 'notify_on_view' | 'notify_on_response' | 'notify_on_decision' | 'notify_on_comment'
  /** Completes "mails about …". */
  topic: string
  /** Completes "a mail each time …". */
  eachTime: string
}

/**
 * Kinds of events that owners can be mailed about. There are no mails about votes, which owners
 * read in the results, or about versions that resolve comments, which owners publish themselves.
 */
export type MailedKind = Exclude<
  EventKind,
  'vote' | 'addressed' | 'request' | 'agreement' | 'opened' | 'closed'
>

type Text = Pick<MailContent, 'subject' | 'heading' | 'paragraphs' | 'replyTo'>

interface OwnerMail<Kind extends MailedKind> extends Subscription {
  /** The kind under which its events are counted; by default its own. */
  countedAs?: MailedKind
  /** Signed in the unsubscribe link after the page's id: links in old mails rely on the values. */
  signedParts: readonly string[]
  /** @param nth which of the `count` events this mail is about, from 1 */
  single(page: string, event: Event<Kind>, at: string, nth: number): Text
  /** About the `count` events of this minute that no other mail is about. */
  digest: {
    heading: string
    /** What completes the subject. */
    subject(page: string, count: number): string
    /** What happened in the minute. */
    text(page: string, count: number, at: string, event: Event<Kind>): string
    /** Why there is one mail for all. */
    reason: string
  }
}

/** About what people did, which pages get more of. */
function digestOf(
  noun: string,
  { verb, by = '', among = '' }: { verb: string; by?: string; among?: string },
): OwnerMail<MailedKind>['digest'] {
  return {
    heading: `Your page has more ${noun}s`,
    subject: (page, count) => `${page} has ${more(count, noun)}`,
    text: (page, count, at) =>
      `${page} got ${more(count, noun)}${by} in the minute of ${at}${among}.`,
    reason: `Many ${verb} just now, so this one mail stands for all of these.`,
  }
}

const COMMENTS = {
  setting: 'notify_on_comment',
  topic: 'comments',
  eachTime: 'somebody comments on this page',
  signedParts: ['comments'],
  digest: digestOf('comment', { verb: 'comment', among: ', replies among them' }),
} as const satisfies Partial<OwnerMail<'comment' | 'reply'>>

/** How the owner of a page is mailed about each kind of event. */
export const OWNER_MAILS: { [Kind in MailedKind]: OwnerMail<Kind> } = {
  view: {
    setting: 'notify_on_view',
    topic: 'views',
    eachTime: 'this page is opened',
    signedParts: [],
    single: (page, { total, count = 1 }, at, nth) => ({
      subject: `${page} was opened`,
      heading: 'Your page was opened',
      paragraphs: [`Somebody opened ${page} on ${at}. ${totalText(total - count + nth)}`],
    }),
    digest: {
      heading: 'Your page was opened',
      subject: (page, count) => `${page} was opened ${moreTimes(count)}`,
      text: (page, count, at, { total }) =>
        `${page} was opened ${moreTimes(count)} in the minute of ${at}. ${totalText(total)}`,
      reason: 'It is opened often just now, so this one mail stands for all of these.',
    },
  },
  response: {
    setting: 'notify_on_response',
    topic: 'responses',
    eachTime: 'somebody responds to this page',
    signedParts: ['responses'],
    // Leaves out the answers: a mail passes through systems that should not see them.
    single(page, { respondent, email, isFirst }, at) {
      const [action, effect] = isFirst
        ? ['responded to', 'It is their first response.']
        : ['changed their response to', 'It takes the place of their earlier one.']
      return {
        subject: `${respondent} ${action} ${page}`,
        heading: isFirst ? 'Your page has a new response' : 'A response to your page has changed',
        paragraphs: [`${respondent} ${action} ${page} on ${at}. ${effect}`],
        ...answerTo(email),
      }
    },
    digest: digestOf('response', { verb: 'respond', among: ', changed ones among them' }),
  },
  decision: {
    setting: 'notify_on_decision',
    topic: 'decisions',
    eachTime: 'an approver of this page decides',
    signedParts: ['decisions'],
    single(page, { email, decision, note, versionNo, isCurrent }, at) {
      const isApproval = decision === 'approved'
      const verb = isApproval ? 'approved' : 'requested changes to'
      const act = `${displayEmail(email)} ${verb} ${page}`
      return {
        subject: act,
        heading: isApproval ? 'Your page was approved' : 'Changes were requested',
        paragraphs: [
          `${act}, version ${versionNo}, on ${at}.`,
          ...theyWrite(note),
          ...(isCurrent ? [] : ['Other content is published by now: ask for a decision about it.']),
        ],
        ...answerTo(email),
      }
    },
    digest: digestOf('decision', { verb: 'decide', by: ' of its approvers' }),
  },
  comment: { ...COMMENTS, single: commentMail },
  reply: { ...COMMENTS, countedAs: 'comment', single: commentMail },
}

/** A mail passes through systems that may not open the page. */
const LEFT_OUT = 'The page is not open to everybody, so this mail leaves out what was written.'

function commentMail(
  page: string,
  { kind, author, body, passage }: Event<'comment'> | Event<'reply'>,
  at: string,
): Text {
  const who = authorWords(author, { showsAddress: true })
  const [action, heading] =
    kind === 'comment'
      ? ['commented on', 'There is a new comment on your page']
      : ['replied to a comment on', 'There is a new reply on your page']
  return {
    subject: `${who} ${action} ${page}`,
    heading,
    paragraphs: [
      `${who} ${action} ${page} on ${at}${body === null ? '.' : ':'}`,
      ...commentExcerpt(author, body),
      // Whoever began the thread says what it quotes, also where somebody else replies.
      ...passageExcerpt(passage),
      ...(body === null ? [LEFT_OUT] : []),
      'Answer it, hide it or mark it as done in your inbox.',
    ],
    ...answerTo(author.kind === 'confirmed' ? author.email : null),
  }
}

/** An answer by mail goes to whom it is about, where their address is confirmed. */
function answerTo(email: string | null): Pick<MailContent, 'replyTo'> {
  return email === null ? {} : { replyTo: email }
}

/** @param nth which of the `count` events this mail is about, from 1 */
export function singleMail<Kind extends MailedKind>(
  context: EventContext,
  event: Event<Kind>,
  nth: number,
): MailContent {
  const { single } = OWNER_MAILS[event.kind as Kind]
  const text = single(nameOf(context.page), event, timeWords(context.at), nth)
  return mailOf(context, event.kind, text, 'itemId' in event ? event.itemId : null)
}

/** @param count the events of this minute that no other mail is about */
export function digestMail<Kind extends MailedKind>(
  context: EventContext,
  event: Event<Kind>,
  count: number,
): MailContent {
  const { heading, subject, text, reason } = OWNER_MAILS[event.kind as Kind].digest
  const page = nameOf(context.page)
  const paragraphs = [text(page, count, timeWords(context.at), event), reason]
  return mailOf(context, event.kind, { subject: subject(page, count), heading, paragraphs }, null)
}

function mailOf(
  { page, baseUrl, unsubscribeUrl }: EventContext,
  kind: MailedKind,
  text: Text,
  itemId: string | null,
): MailContent {
  const inInbox = { label: 'Open it in your inbox', url: `${baseUrl}/app/inbox?item=${itemId}` }
  const toPage = { label: 'Open the page', url: page.url }
  const { host } = new URL(baseUrl)
  return {
    ...text,
    to: page.ownerEmail,
    ...(itemId === null ? { button: toPage } : { button: inInbox, otherLinks: [toPage] }),
    reason: `${host} sends you a mail each time ${OWNER_MAILS[kind].eachTime}.`,
    unsubscribeUrl,
  }
}

function nameOf({ title }: Pick<MailedPage, 'title'>): string {
  return quoted(title ?? 'Untitled page')
}

/**
 * Who wrote a comment, by what is known of them. A name that somebody gave is never the subject of
 * a sentence of the service: it would say so in the name of whomever a stranger wants to be.
 */
export function authorWords(
  { kind, email, name, alias }: CommentAuthor,
  { showsAddress }: { showsAddress: boolean },
): string {
  if (kind === 'owner') return ownerLabel(name)
  if (kind !== 'confirmed' || email === null) {
    return name === null
      ? (alias ?? 'Somebody')
      : `Somebody who gave the name ${quotedName(unlinked(name))}`
  }
  const who = showsAddress ? displayStranger(email) : 'Somebody with a confirmed address'
  const called = name === null ? alias : quotedName(name)
  return called === null ? who : `${who} (${called})`
}

/** The text of a comment; nothing on a page with a gate. */
export function commentExcerpt({ kind }: CommentAuthor, body: string | null): Quotation[] {
  if (body === null) return []
  const isConfirmed = kind === 'owner' || kind === 'confirmed'
  return [excerpt(isConfirmed ? body : unlinked(body))]
}

/** The words of the page that a comment is about. Nobody has confirmed that they stand there. */
export function passageExcerpt(passage: string | null): (string | Quotation)[] {
  return passage === null ? [] : ['It is about this passage:', excerpt(unlinked(passage))]
}

function more(count: number, noun: string): string {
  return count === 1 ? `one more ${noun}` : `${count} more ${noun}s`
}

function moreTimes(count: number): string {
  return count === 1 ? 'once more' : `${count} more times`
}

function totalText(views: number): string {
  return views === 1 ? 'It is its first view.' : `It has ${views} views in all.`
}
