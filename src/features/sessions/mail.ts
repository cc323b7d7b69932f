import type { MailContent } from '../../model/mail.ts'
import { displayEmail } from '../../platform/display-email.ts'

interface SignInMail {
  to: string
  /** Of this server. */
  host: string
  url: string
  code: string
}

export function signInMail({ to, host, url, code }: SignInMail): MailContent {
  return {
    to,
    subject: `Sign in to ${host}`,
    heading: 'Sign in',
    paragraphs: [
      'This link signs you in. It works once, for 15 minutes.',
      'Tell neither the link nor the code to anybody.',
    ],
    button: { label: 'Sign in', url },
    code,
    reason: reasonOf(host),
  }
}

/**
 * Only the mail says that there is no account: the sign-in page gives everybody the same answer.
 */
export function noAccountMail({ to, host, url }: Omit<SignInMail, 'code'>): MailContent {
  return {
    to,
    subject: `No account at ${host}`,
    heading: 'There is no account for this address',
    paragraphs: [
      `There is no account for ${displayEmail(to)} at ${host}, and so nothing to sign in to.`,
      'If you have one under another address, sign in with that. Else ask who runs this server.',
    ],
    button: { label: 'Use another address', url },
    reason: reasonOf(host),
  }
}

function reasonOf(host: string): string {
  return (
    `Somebody asked to sign in to ${host} with this address. ` +
    'If it was not you, do nothing: without this mail nobody gets in.'
  )
}
