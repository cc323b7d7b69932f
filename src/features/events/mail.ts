import { unlinked } from '../../model/html.ts'
import type { MailContent, Quotation } from '../../model/mail.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { displayEmail, displayStranger } from '../../platform/display-email.ts'
import { excerpt, quoted, quotedName } from '../mail/index.ts'
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
  host: string
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
export type MailedKind = Exclude<EventKind, 'vote' | 'addressed'>

interface OwnerMail<Kind extends MailedKind> extends Subscription {
  /** The kind under which its events are counted; by default its own. */
  countedAs?: MailedKind
  /** Signed in the unsubscribe link after the page's id: links in old mails rely on the values. */
  signedParts: readonly string[]
  /** @param nth which of the `count` events this mail is about, from 1 */
  single(context: EventContext, event: Event<Kind>, nth: number): MailContent
  /** @param count the events of this minute that no other mail is about */
  digest(context: EventContext, event: Event<Kind>, count: number): MailContent
}

const COMMENTS = {
  setting: 'notify_on_comment',
  topic: 'comments',
  eachTime: 'somebody comments on this page',
  signedParts: ['comments'],
} as const

/** How the owner of a page is mailed about each kind of event. */
export const OWNER_MAILS: { [Kind in MailedKind]: OwnerMail<Kind> } = {
  view: {
    setting: 'notify_on_view',
    topic: 'views',
    eachTime: 'this page is opened',
    signedParts: [],
    single: viewMail,
    digest: viewDigest,
  },
  response: {
    setting: 'notify_on_response',
    topic: 'responses',
    eachTime: 'somebody responds to this page',
    signedParts: ['responses'],
    single: responseMail,
    digest: responseDigest,
  },
  decision: {
    setting: 'notify_on_decision',
    topic: 'decisions',
    eachTime: 'an approver of this page decides',
    signedParts: ['decisions'],
    single: decisionMail,
    digest: decisionDigest,
  },
  comment: { ...COMMENTS, single: commentMail, digest: commentDigest },
  reply: { ...COMMENTS, countedAs: 'comment', single: commentMail, digest: commentDigest },
}

function viewMail(context: EventContext, event: Event<'view'>, nth: number): MailContent {
  const name = nameOf(context.page)
  const views = totalText(event.total - event.count + nth)
  return eventMail(context, 'view', {
    subject: `${name} was opened`,
    heading: 'Your page was opened',
    paragraphs: [`Somebody opened ${name} at ${timeText(context.at)}. ${views}`],
  })
}

function viewDigest(context: EventContext, { total }: Event<'view'>, count: number): MailContent {
  const name = nameOf(context.page)
  const more = moreTimes(count)
  return eventMail(context, 'view', {
    subject: `${name} was opened ${more}`,
    heading: 'Your page was opened',
    paragraphs: [
      `${name} was opened ${more} in the minute of ${timeText(context.at)}. ${totalText(total)}`,
      'It is opened often just now, so this one mail stands for all of these.',
    ],
  })
}

/** Leaves out the answers: a mail passes through systems that should not see them. */
function responseMail(
  context: EventContext,
  { respondent, isFirst }: Event<'response'>,
): MailContent {
  const name = nameOf(context.page)
  const [action, effect] = isFirst
    ? ['responded to', 'It is their first response.']
    : ['changed their response to', 'It takes the place of their earlier one.']
  return eventMail(context, 'response', {
    subject: `${respondent} ${action} ${name}`,
    heading: isFirst ? 'Your page has a new response' : 'A response to your page has changed',
    paragraphs: [`${respondent} ${action} ${name} at ${timeText(context.at)}. ${effect}`],
  })
}

function responseDigest(
  context: EventContext,
  _event: Event<'response'>,
  count: number,
): MailContent {
  const name = nameOf(context.page)
  const more = moreTimes(count)
  return eventMail(context, 'response', {
    subject: `${name} was responded to ${more}`,
    heading: 'Your page has more responses',
    paragraphs: [
      `${name} was responded to ${more} in the minute of ${timeText(context.at)}: responses that ` +
        'are new, and responses that were changed.',
      'Many respond just now, so this one mail stands for all of these.',
    ],
  })
}

function decisionMail(context: EventContext, event: Event<'decision'>): MailContent {
  const { email, decision, note, versionNo, isCurrent } = event
  const name = nameOf(context.page)
  const approver = displayEmail(email)
  const isApproval = decision === 'approved'
  const done = isApproval ? 'approved' : 'requested changes to'
  return eventMail(context, 'decision', {
    subject: `${approver} ${done} ${name}`,
    heading: isApproval ? 'Your page was approved' : 'Changes were requested',
    paragraphs: [
      `${approver} ${done} ${name}, version ${versionNo}, at ${timeText(context.at)}.`,
      ...(note === null ? [] : ['They write:', { quote: note }]),
      ...(isCurrent ? [] : ['Other content is published by now: ask for a decision about it.']),
    ],
  })
}

function decisionDigest(
  context: EventContext,
  _event: Event<'decision'>,
  count: number,
): MailContent {
  const name = nameOf(context.page)
  const more = moreTimes(count)
  return eventMail(context, 'decision', {
    subject: `${name} was decided about ${more}`,
    heading: 'Your page has more decisions',
    paragraphs: [
      `Approvers of ${name} decided ${more} in the minute of ${timeText(context.at)}.`,
      'Many decide just now, so this one mail stands for all of these.',
    ],
  })
}

function commentMail(
  context: EventContext,
  { kind, author, body }: Event<'comment'> | Event<'reply'>,
): MailContent {
  const name = nameOf(context.page)
  const who = authorWords(author, { showsAddress: true })
  const [action, heading] =
    kind === 'comment'
      ? ['commented on', 'There is a new comment on your page']
      : ['replied to a comment on', 'There is a new reply on your page']
  return eventMail(context, kind, {
    subject: `${who} ${action} ${name}`,
    heading,
    paragraphs: [
      `${who} ${action} ${name} at ${timeText(context.at)}${body === null ? '.' : ':'}`,
      ...commentExcerpt(author, body),
      'You can answer it, hide it or mark it as done on the page.',
    ],
  })
}

function commentDigest(
  context: EventContext,
  { kind }: Event<'comment'> | Event<'reply'>,
  count: number,
): MailContent {
  const name = nameOf(context.page)
  const comments = count === 1 ? 'one more comment' : `${count} more comments`
  return eventMail(context, kind, {
    subject: `${name} has ${comments}`,
    heading: 'Your page has more comments',
    paragraphs: [
      `${name} got ${comments} in the minute of ${timeText(context.at)}, replies among them.`,
      'Many comment just now, so this one mail stands for all of these.',
    ],
  })
}

function eventMail(
  { page, host, unsubscribeUrl }: EventContext,
  kind: MailedKind,
  text: Pick<MailContent, 'subject' | 'heading' | 'paragraphs'>,
): MailContent {
  return {
    ...text,
    to: page.ownerEmail,
    button: { label: 'Open the page', url: page.url },
    reason: `${host} sends you a mail each time ${OWNER_MAILS[kind].eachTime}.`,
    unsubscribeUrl,
  }
}

export function nameOf({ title }: Pick<MailedPage, 'title'>): string {
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
  if (kind === 'owner') return 'The owner'
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

function moreTimes(count: number): string {
  return count === 1 ? 'once more' : `${count} more times`
}

function totalText(views: number): string {
  return views === 1 ? 'It is its first view.' : `It has ${views} views in all.`
}

function timeText(timestamp: Timestamp): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}
