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
  host: string
  unsubscribe_url: string
}

export function viewMail(opened: Opened): MailWords {
  const name = nameOf(opened.page)
  return about(opened, {
    subject: `${name} was opened`,
    paragraphs: [`Somebody opened ${name} at ${timeOf(opened.at)}.`],
  })
}

/** Past so many a minute, one mail tells of the rest. */
export function digestMail(opened: Opened, views: number): MailWords {
  const name = nameOf(opened.page)
  return about(opened, {
    subject: `${name} was opened ${views} more times`,
    paragraphs: [
      `${name} was opened ${views} more times in the minute of ${timeOf(opened.at)}.`,
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

function nameOf({ title }: Notified): string {
  return title === null ? 'An untitled page' : `“${title}”`
}

function timeOf(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}
