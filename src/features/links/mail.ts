import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import { brandOf, ownerWords, type PageOwner, pageName } from '../mail/index.ts'

interface LinkMail {
  to: string
  url: string
  host: string
  message: string | null
  /** Null where the account is gone. */
  owner: PageOwner | null
}

export function linkMail(page: Page, { to, url, host, message, owner }: LinkMail): MailContent {
  const by = owner === null ? 'Its owner' : ownerWords(owner)
  const written = message === null ? [] : ['They write:', { quote: message }]
  return {
    to,
    subject: `${by} sends you ${pageName(page)}`,
    ...brandOf(page, owner),
    heading: 'A page for you',
    paragraphs: [
      `${by} sends you ${pageName(page)}.`,
      ...written,
      'The link is yours: whoever made the page sees when it was opened by it.',
    ],
    button: { label: 'Open the page', url },
    reason: `The owner of this page on ${host} entered this address to send it to you.`,
  }
}
