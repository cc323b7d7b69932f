import type { MailWords } from '../../model/mail.ts'

export interface Notified {
  page_id: string
  title: string | null
  url: string
  ownerEmail: string
}

/** What every such mail says beside what happened. */
export interface Occasion {
  page: Notified
  at: string
  host: string
  unsubscribeUrl: string
}
type Words = Pick<MailWords, 'subject' | 'heading' | 'paragraphs'>

const NAME_LENGTH = 100

/** @param total views of all time */
export function viewMail(occasion: Occasion, total: number): MailWords {
  const name = nameOf(occasion.page)
  return about(occasion, 'this page is opened', {
    subject: `${name} was opened`,
    heading: 'Your page was opened',
    paragraphs: [`Somebody opened ${name} at ${timeOf(occasion.at)}. ${inAll(total)}`],
  })
}

/** Past so many a minute, one mail tells of the rest. */
export function viewDigest(occasion: Occasion, views: number, total: number): MailWords {
  const name = nameOf(occasion.page)
  const more = oftener(views)
  return about(occasion, 'this page is opened', {
    subject: `${name} was opened ${more}`,
    heading: 'Your page was opened',
    paragraphs: [
      `${name} was opened ${more} in the minute of ${timeOf(occasion.at)}. ${inAll(total)}`,
      'It is opened often just now, so this one mail stands for all of these.',
    ],
  })
}

export interface Responded {
  /** An address, or an alias. */
  respondent: string
  /** Their first response to the page; else it takes the place of their earlier one. */
  isFirst: boolean
}

/** Nothing of what they answered: a mail is read by more than its reader. */
export function responseMail(occasion: Occasion, { respondent, isFirst }: Responded): MailWords {
  const name = nameOf(occasion.page)
  const [did, is] = isFirst
    ? ['responded to', 'It is their first response.']
    : ['changed their response to', 'It takes the place of their earlier one.']
  return about(occasion, 'somebody responds to this page', {
    subject: `${respondent} ${did} ${name}`,
    heading: isFirst ? 'Your page has a new response' : 'A response to your page has changed',
    paragraphs: [`${respondent} ${did} ${name} at ${timeOf(occasion.at)}. ${is}`],
  })
}

export function responseDigest(occasion: Occasion, responses: number): MailWords {
  const name = nameOf(occasion.page)
  const more = oftener(responses)
  return about(occasion, 'somebody responds to this page', {
    subject: `${name} was responded to ${more}`,
    heading: 'Your page has more responses',
    paragraphs: [
      `${name} was responded to ${more} in the minute of ${timeOf(occasion.at)}: responses that ` +
        'are new, and responses that were changed.',
      'Many respond just now, so this one mail stands for all of these.',
    ],
  })
}

function about(
  { page, host, unsubscribeUrl }: Occasion,
  eachTime: string,
  words: Words,
): MailWords {
  return {
    ...words,
    to: page.ownerEmail,
    button: { label: 'Open the page', url: page.url },
    why: `You asked ${host} for a mail each time ${eachTime}.`,
    unsubscribeUrl,
  }
}

/** Short enough that a subject still says what happened. */
function nameOf({ title }: Notified): string {
  const characters = [...(title ?? 'Untitled page')]
  if (characters.length <= NAME_LENGTH) return `“${characters.join('')}”`
  return `“${characters.slice(0, NAME_LENGTH - 1).join('')}…”`
}

function oftener(times: number): string {
  return times === 1 ? 'once more' : `${times} more times`
}

function inAll(total: number): string {
  return total === 1 ? 'It is its first view.' : `It has ${total} views in all.`
}

function timeOf(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}
