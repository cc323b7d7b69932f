import type { Confirmation } from '../../model/confirmation.ts'
import { CONFIRM_REASONS, type ConfirmReason } from '../../model/conversation.ts'
import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Confirmations } from '../confirmations/index.ts'
import { publicName } from '../mail/index.ts'

/** A purpose of confirmations. It is stored with each confirmation. */
export const CONFIRM_EMAIL = 'confirm_email'

/** The data that the confirming page needs. */
interface ConfirmDetails {
  reason: ConfirmReason
  /** The file of a deck that was shown; '' on other pages. */
  path: string
}

interface AskOptions extends ConfirmDetails {
  /** In its canonical form. */
  email: string
  /** The random id of the browser. The code works only there. */
  browser: string
}

interface ViewerEmailsDeps extends Pick<Services, 'database' | 'baseUrl' | 'host' | 'sendMail'> {
  confirmations: Confirmations
}

/** Confirms the addresses of those who comment, vote or decide, on pages of any access level. */
export function createViewerEmails(deps: ViewerEmailsDeps) {
  const { database, confirmations, baseUrl, host, sendMail } = deps
  return {
    /** Mails a link and a code that confirm an address, to somebody whom the page's gate admits. */
    askToConfirm: (page: Page, { email, browser, reason, path }: AskOptions) =>
      database.write(async (tx) => {
        const details = { reason, path } satisfies ConfirmDetails
        const options = { purpose: CONFIRM_EMAIL, email, page_id: page.id, browser, details }
        const { token, code } = await confirmations.start(tx, options)
        const url = `${baseUrl}/app/confirm/${token}`
        const name = publicName(page)
        const mail = confirmMail({ to: email, name, reason, url, code, host })
        await sendMail(tx, mail, { forgets_recipient: reason === 'vote' })
      }, 'freeing'),
  }
}
export type ViewerEmails = ReturnType<typeof createViewerEmails>

export function detailsIn({ details }: Confirmation): ConfirmDetails {
  const reason = CONFIRM_REASONS.find((each) => each === details?.reason) ?? 'comment'
  const path = typeof details?.path === 'string' ? details.path : ''
  return { reason, path }
}

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
