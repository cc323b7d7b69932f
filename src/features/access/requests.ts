import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Confirmation, Confirmations } from '../confirmations/index.ts'
import type { AccessRequest } from './contract.ts'
import { approvedMail, requestMail } from './mail.ts'
import * as store from './store.ts'

/** How long an owner may decide by the links in the mail about a request. */
const DECISION_LINK_MS = 7 * 24 * 60 * 60 * 1000

/** Purposes of confirmations. They are stored with each confirmation. */
export const APPROVE_REQUEST = 'approve_access_request'
export const DENY_REQUEST = 'deny_access_request'

export interface AccessRequests {
  /** Records a visitor's request and mails the owner, unless the address asked before. */
  requestAccess(page: Page, email: string): Promise<void>
  /** The page's requests, newest first. */
  requests(page: Page): Promise<AccessRequest[]>
  /**
   * Approving invites the address and mails it. The invitation, the decision and the mail are
   * committed together.
   *
   * @throws Refusal `request_not_found` or `too_many_invitees`
   */
  decide(page: Page, requestId: string, decision: 'approve' | 'deny'): Promise<AccessRequest>
}

export interface AccessRequestDeps {
  database: Database
  clock: Clock
  confirmations: Confirmations
  /** Puts a mail into the outbox, in the transaction that causes it. */
  sendMail(tx: Tx, mail: MailContent): Promise<unknown>
  baseUrl: string
  /** The address of an account; null where the account is gone. */
  emailOf(accountId: string): Promise<string | null>
  /** Adds an address to the page's invited ones. */
  invite(tx: Tx, page: Page, email: string): Promise<void>
}

export function createAccessRequests(deps: AccessRequestDeps): AccessRequests {
  const { database, clock, confirmations, sendMail, baseUrl, emailOf, invite } = deps
  const host = new URL(baseUrl).host

  return {
    async requestAccess(page, email) {
      const to = await emailOf(page.account_id)
      await database.write(async (tx) => {
        if (page.settings.allowed_emails.includes(email)) return
        const row = { id: newId('ar'), page_id: page.id, email, created_at: clock.now() }
        const request = await store.insertRequest(tx, row)
        if (request === null || to === null) return
        const details = { request_id: request.id, email }
        const options = { email: to, page_id: page.id, details, ttlMs: DECISION_LINK_MS }
        const approve = await confirmations.start(tx, { ...options, purpose: APPROVE_REQUEST })
        const deny = await confirmations.start(tx, { ...options, purpose: DENY_REQUEST })
        const approveUrl = `${baseUrl}/app/confirm/${approve.token}`
        const denyUrl = `${baseUrl}/app/confirm/${deny.token}`
        await sendMail(tx, requestMail(page, { to, email, approveUrl, denyUrl, host }))
      })
    },
    requests: (page) => store.listRequests(database.read, page.id),
    decide: (page, requestId, decision) =>
      database.write(async (tx) => {
        const decided = await store.decideRequest(tx, {
          id: requestId,
          page_id: page.id,
          decision,
          decided_at: clock.now(),
        })
        if (decided === undefined) {
          throw refuse.notFound(
            'request_not_found',
            `This page has no access request ${requestId}.`,
          )
        }
        if (decision === 'deny') return decided
        await invite(tx, page, decided.email)
        const url = `${baseUrl}/p/${page.slug}`
        await sendMail(tx, approvedMail(page, { to: decided.email, url, host }))
        return decided
      }),
  }
}

/** The request that a confirmation with one of the two purposes decides. */
export function requestIn(confirmation: Confirmation): { request_id: string; email: string } {
  return confirmation.details as { request_id: string; email: string }
}
