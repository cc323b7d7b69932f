import type { MailContent } from '../../model/mail.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Event, EventKind } from './event.ts'

/** What an owner's mail says of the page. */
export interface MailedPage {
  title: string | null
  url: string
  ownerEmail: string
}

/** What every mail about an event needs beside the event. */
export interface EventContext {
  page: MailedPage
  at: Timestamp
  host: string
  unsubscribeUrl: string
}

/** What the owner of a page subscribes to, and unsubscribes from by the link in a mail. */
export interface Subscription {
  /** The page's setting that turns these mails on and off. */
  setting: 'notify_on_view' | 'notify_on_response' | 'notify_on_decision'
  /** Completes "mails about …". */
  topic: string
  /** Completes "a mail each time …". */
  eachTime: string
}

/** Kinds of events that owners can be mailed about. Votes are read together, in the results. */
export type MailedKind = Exclude<EventKind, 'vote'>

interface OwnerMail<Kind extends MailedKind> extends Subscription {
  /** Signed in the unsubscribe link after the page's id: links in old mails rely on the values. */
  signedParts: readonly string[]
  /** @param nth which of the `count` events this mail is about, from 1 */
  single(context: EventContext, event: Event<Kind>, nth: number): MailContent
  /** @param count the events of this minute that no other mail is about */
  digest(context: EventContext, event: Event<Kind>, count: number): MailContent
}

const NAME_LENGTH = 100

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

/** Leaves out what they answered: a mail passes through systems that should not see it. */
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
      ...(note === null ? [] : ['They write:', ...note.split('\n').filter(Boolean)]),
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

/** The title, short enough that a subject still says what happened. */
function nameOf({ title }: MailedPage): string {
  const characters = [...(title ?? 'Untitled page')]
  if (characters.length <= NAME_LENGTH) return `“${characters.join('')}”`
  return `“${characters.slice(0, NAME_LENGTH - 1).join('')}…”`
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
