import type { MailWords } from '../../model/mail.ts'

export interface Notified {
  page_id: string
  title: string | null
  url: string
  owner_email: string
}

export interface Opened {
  page: Notified
  at: string
  /** Views of all time. */
  total: number
  host: string
  unsubscribe_url: string
}

const NAME_LENGTH = 100

export function viewMail(opened: Opened): MailWords {
  const name = nameOf(opened.page)
  return about(opened, {
    subject: `${name} was opened`,
    paragraphs: [`Somebody opened ${name} at ${timeOf(opened.at)}. ${inAll(opened)}`],
  })
}

/** Past so many a minute, one mail tells of the rest. */
export function digestMail(opened: Opened, views: number): MailWords {
  const name = nameOf(opened.page)
  const more = views === 1 ? 'once more' : `${views} more times`
  return about(opened, {
    subject: `${name} was opened ${more}`,
    paragraphs: [
      `${name} was opened ${more} in the minute of ${timeOf(opened.at)}. ${inAll(opened)}`,
      'It is opened often just now, so this one mail stands for all of these.',
    ],
  })
}

function about(
  { page, host, unsubscribe_url }: Opened,
  { subject, paragraphs }: Pick<MailWords, 'subject' | 'paragraphs'>,
): MailWords {
  return {
    to: page.owner_email,
    subject,
    heading: 'Your page was opened',
    paragraphs,
    button: { label: 'Open the page', url: page.url },
    why: `You asked ${host} for a mail each time this page is opened.`,
    unsubscribe_url,
  }
}

/** Short enough that a subject still says what happened. */
function nameOf({ title }: Notified): string {
  const characters = [...(title ?? 'Untitled page')]
  if (characters.length <= NAME_LENGTH) return `“${characters.join('')}”`
  return `“${characters.slice(0, NAME_LENGTH - 1).join('')}…”`
}

function inAll({ total }: Opened): string {
  return total === 1 ? 'It is its first view.' : `It has ${total} views in all.`
}

function timeOf(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}
