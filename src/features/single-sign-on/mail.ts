import type { MailContent } from '../../model/mail.ts'
import { displayEmail } from '../../platform/display-email.ts'

/** Notifies the owner of an account that a provider can now sign in to it. */
export function linkedMail(to: string, provider: string, baseUrl: string): MailContent {
  const { host } = new URL(baseUrl)
  return {
    to,
    subject: `Your account at ${host} is linked to ${provider}`,
    heading: `You can sign in with ${provider}`,
    paragraphs: [
      `Somebody signed in to the account ${displayEmail(to)} with ${provider} for the first time.`,
      'If it was not you, unlink it in the account, and tell the operator of the server.',
    ],
    button: { label: 'Open the account', url: `${baseUrl}/app/account` },
    reason: `${provider} vouched for this address, and so it signs in to your account.`,
  }
}
