import type { RateLimit } from '../../model/operation.ts'
import type { Limits } from '../../model/plan.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
/** The window, as long as the link of a mail works. */
const LINK_S = 15 * MINUTE_S

/** How often each kind of request is allowed to one caller. */
export const LIMITS = {
  /** Of an account by all its keys. Deleting must work where the disk is full. */
  api: { name: 'api', count: 600, windowS: MINUTE_S, countsWithoutSpace: true },
  /** Uploads to addresses that an account made for them. */
  upload_link: { name: 'upload-link', count: 60, windowS: MINUTE_S },
  password: { name: 'password', count: 10, windowS: MINUTE_S },
  /** Wrong passwords of a page, from all addresses. Fewer than these already slow the next ones. */
  wrong_password: { name: 'wrong-password', count: 600, windowS: HOUR_S },
  code: { name: 'code', count: 20, windowS: 15 * MINUTE_S },
  /** Wrong codes only. A code has a million values, so guessing one takes years. */
  wrong_code_by_network: { name: 'wrong-code-network', count: 60, windowS: DAY_S },
  wrong_code_by_email: { name: 'wrong-code-email', count: 20, windowS: DAY_S },
  wrong_code: { name: 'wrong-code', count: 500, windowS: HOUR_S },
  /** Steps of single sign-on, two for each sign-in. High, because an office shares an address. */
  single_sign_on: { name: 'single-sign-on', count: 120, windowS: 5 * MINUTE_S },
  mail_from_address: { name: 'mail-address', count: 20, windowS: 15 * MINUTE_S },
  mail_from_known_browser: { name: 'mail-browser', count: 5, windowS: LINK_S },
  mail_from_network: { name: 'mail-network', count: 5, windowS: LINK_S },
  mail_to_email: { name: 'mail-email', count: 10, windowS: LINK_S },
  mail_to_email_daily: { name: 'mail-email-day', count: 30, windowS: DAY_S },
  /**
   * The mails that are still sent after the daily limit, so that there is always a link that works.
   */
  mail_to_email_slow: { name: 'mail-email-slow', count: 1, windowS: LINK_S },
  /** Mails about access requests to one owner. Later requests of the hour come as one mail. */
  request_mail_to_owner: { name: 'request-mail', count: 10, windowS: HOUR_S },
  /** Calls that mail invited people, each of which can mail all of a page. */
  invitations: { name: 'invitations', count: 30, windowS: HOUR_S },
  /** Mails to one invited address about one page. */
  invitation_to_email: { name: 'invitation-email', count: 3, windowS: DAY_S },
  /** Requests for approvals, each of which can mail all approvers of a page. */
  approval_request: { name: 'approval-request', count: 30, windowS: HOUR_S },
} as const satisfies Record<string, RateLimit>

/** The limit of an account by all its keys: a plan with large decks has an upload for each file. */
export function apiLimitOf({ deck_files, deck_assets }: Limits): RateLimit {
  return { ...LIMITS.api, count: Math.max(LIMITS.api.count, deck_files + deck_assets) }
}
