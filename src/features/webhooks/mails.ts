import type { MailContent } from '../../model/mail.ts'

const WHY = {
  gone: 'it answered that it is gone (410)',
  failing: 'nothing has arrived there for three days',
} as const

interface About {
  host: string
  baseUrl: string
}

const buttonTo = (baseUrl: string) => ({
  label: 'Open the webhooks',
  url: `${baseUrl}/app/developer`,
})

export function offMail(
  to: string,
  { host, off, baseUrl }: About & { off: keyof typeof WHY },
): MailContent {
  return {
    to,
    subject: `The webhook to ${host} was switched off`,
    paragraphs: [
      `Events of your pages are no longer sent to ${host}: ${WHY[off]}.`,
      'What it has not got is kept for 90 days, and is sent when you switch the webhook on again.',
    ],
    button: buttonTo(baseUrl),
    reason: 'Your account has this webhook.',
  }
}

export function addedMail(to: string, { host, baseUrl }: About): MailContent {
  return {
    to,
    subject: `Events of your pages are sent to ${host} now`,
    heading: 'Your account has a new webhook',
    paragraphs: [
      `What viewers do on your pages is sent to ${host} from now on.`,
      'If it was not you, delete the webhook and revoke the API keys that you do not know.',
    ],
    button: buttonTo(baseUrl),
    reason: 'Somebody who has an API key of your account, or is signed in to it, added it.',
  }
}
