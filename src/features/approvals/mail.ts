import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import { brandOf, ownerWords, type PageOwner, pageName, timeWords } from '../mail/index.ts'

interface RequestMail {
  to: string
  page: Page
  owner: PageOwner | null
  versionNo: number
  host: string
  /** The approver's personal link. */
  url: string
  /** The owner's message; shown as text. */
  message: string | null
  dueAt: string | null
}

export function requestMail(mail: RequestMail): MailContent {
  const [owner, name] = [ownerName(mail), pageName(mail.page)]
  const due = mail.dueAt === null ? [] : [`It is due by ${timeWords(mail.dueAt)}.`]
  return askingMail(mail, due, {
    subject: `${owner} asks for your approval of ${name}`,
    heading: 'Your approval is asked for',
    first: `${owner} asks for your decision about ${name}, version ${mail.versionNo}.`,
  })
}

export function reminderMail(mail: RequestMail & { dueAt: string }): MailContent {
  const [name, due] = [pageName(mail.page), timeWords(mail.dueAt)]
  const waiting = `${ownerName(mail)} waits for your decision about ${name}`
  return askingMail(mail, [], {
    subject: `Reminder: your approval of ${name} is due by ${due}`,
    heading: 'Your approval is due soon',
    first: `${waiting}, version ${mail.versionNo}. It is due by ${due}.`,
  })
}

function askingMail(
  { to, page, owner, message, url, host }: RequestMail,
  due: string[],
  { first, ...text }: { subject: string; heading: string; first: string },
): MailContent {
  return {
    to,
    ...text,
    ...brandOf(page, owner),
    paragraphs: [
      first,
      ...(message === null ? [] : ['They write:', { quote: message }]),
      ...due,
      'The page opens with Approve and Request changes beside it. The link is yours alone: it ' +
        'works once, for 14 days.',
    ],
    button: { label: 'Open and decide', url },
    reason:
      `The owner of this page on ${host} named you as one of its approvers. The page ` +
      `itself: ${new URL(url).origin}/p/${page.slug}`,
  }
}

function ownerName({ owner }: RequestMail): string {
  return owner === null ? 'The owner' : ownerWords(owner)
}
