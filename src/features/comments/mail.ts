import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import { authorWords, type CommentAuthor, commentExcerpt, nameOf } from '../events/index.ts'

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
