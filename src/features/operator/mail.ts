import type { MailContent } from '../../model/mail.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { quoted } from '../mail/index.ts'

/** Notifies a person that the operator has made an account for them. */
export function accountMail(to: string, baseUrl: string): MailContent {
  const { host } = new URL(baseUrl)
  return {
    to,
    subject: `You have an account at ${host}`,
    heading: 'You have an account',
    paragraphs: [
      `The operator of ${host} made an account for ${displayEmail(to)}: publish pages there.`,
      'To sign in, give this address. There is no password: you get a link by mail each time.',
    ],
    button: { label: 'Sign in', url: `${baseUrl}/app/sign-in` },
    reason: `The operator of ${host} entered this address. If it is a mistake, do nothing.`,
  }
}

interface TakedownMail {
  to: string
  title: string | null
  url: string
  /** Null where the page was given back. */
  reason: string | null
  host: string
}

/** Notifies the owner of a page that the operator took it down, or gave it back. */
export function takedownMail({ to, title, url, reason, host }: TakedownMail): MailContent {
  const name = quoted(title ?? 'Untitled page')
  const about = `You own ${url}.`
  if (reason === null) {
    return {
      to,
      subject: `${name} is back`,
      heading: 'Your page is back',
      paragraphs: [`The operator of ${host} gave back ${name}: it opens again as it did before.`],
      button: { label: 'Open the page', url },
      reason: about,
    }
  }
  return {
    to,
    subject: `${name} was taken down`,
    heading: 'Your page was taken down',
    paragraphs: [
      `The operator of ${host} took down ${name}: visitors meet a notice instead.`,
      `The reason: ${reason}`,
      'You can still read, change, export and delete the page. Ask the operator to give it back.',
    ],
    reason: about,
  }
}
