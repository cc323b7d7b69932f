import type { ConfirmReason } from '../../model/conversation.ts'
import type { MailContent } from '../../model/mail.ts'

const TO_DO: Record<ConfirmReason, string> = {
  comment: 'to comment on',
  vote: 'to vote on',
  decide: 'to approve, or request changes to,',
}

interface ConfirmMail {
  to: string
  /** The page's name, as strangers may know it. */
  name: string
  reason: ConfirmReason
  url: string
  code: string
  host: string
}

export function confirmMail({ to, name, reason, url, code, host }: ConfirmMail): MailContent {
  return {
    to,
    subject: `Confirm your email ${TO_DO[reason]} ${name} on ${host}`,
    heading: 'Confirm your email',
    paragraphs: [
      `Confirm this address ${TO_DO[reason]} ${name}. The link works once, for 15 minutes.`,
      'On another device, type the code on the page instead.',
    ],
    button: { label: 'Confirm this email', url },
    code,
    reason: `Somebody gave this address on a page of ${host}. If it was not you, do nothing.`,
  }
}
