import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Confirmation, Confirmations } from '../confirmations/index.ts'
import type { AccessRequest } from './contract.ts'
import { approvedMail, confirmMail, requestMail } from './mail.ts'
import { createPersonalDomains } from './personal-domains/index.ts'
import { admitsEmail } from './rules.ts'
import * as store from './store.ts'

/** How long an owner may decide by the links in the mail about a request. */
const DECISION_LINK_MS = 7 * 24 * 60 * 60 * 1000

/** Purposes of confirmations. They are stored with each confirmation. */
export const OPEN_PAGE = 'open_page'
export const APPROVE_REQUEST = 'approve_access_request'
export const DENY_REQUEST = 'deny_access_request'

export interface Access {
  isPersonalDomain(domain: string): boolean
  /**
   * Mails a link and a code to an address that could open the page with it. For any other address
   * it takes the same steps but mails nothing, so the caller cannot tell who is invited.
   */
  askToConfirm(page: Page, email: string, browser: string): Promise<void>
  /** Whether the domain rules of an email gate refuse the address. These rules are public. */
  refusesDomain(page: Page, email: string): boolean
  /** Records a visitor's request and mails the owner, unless the address asked before. */
  requestAccess(page: Page, email: string): Promise<void>
  requests(page: Page): Promise<AccessRequest[]>
  /**
   * Approving invites the address and mails it. The invitation, the decision and the mail are
   * committed together.
   *
   * @throws Refusal `request_not_found` or `too_many_invitees`
   */
  decide(page: Page, requestId: string, decision: 'approve' | 'deny'): Promise<AccessRequest>
}

export interface AccessDeps {
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

export function createAccess(deps: AccessDeps): Access {
  const { database, clock, confirmations, sendMail, baseUrl } = deps
  const host = new URL(baseUrl).host
  const isPersonalDomain = createPersonalDomains()
  const confirmUrl = (token: string) => `${baseUrl}/app/confirm/${token}`

  async function mailOwner(tx: Tx, page: Page, request: AccessRequest, to: string): Promise<void> {
    async function linkTo(purpose: string): Promise<string> {
      const details = { request_id: request.id, email: request.email }
      const options = { purpose, email: to, page_id: page.id, details, ttlMs: DECISION_LINK_MS }
      return confirmUrl((await confirmations.start(tx, options)).token)
    }
    const approveUrl = await linkTo(APPROVE_REQUEST)
    const denyUrl = await linkTo(DENY_REQUEST)
    await sendMail(tx, requestMail(page, { to, email: request.email, approveUrl, denyUrl, host }))
  }

  return {
    isPersonalDomain,
    refusesDomain: ({ settings }, email) =>
      settings.access === 'email_gate' && !admitsEmail(settings, email, isPersonalDomain),
    askToConfirm: (page, email, browser) =>
      database.write(async (tx) => {
        const options = { purpose: OPEN_PAGE, email, page_id: page.id, browser }
        // Started for every address, so that the response time does not reveal who is invited.
        const { token, code } = await confirmations.start(tx, options)
        if (!admitsEmail(page.settings, email, isPersonalDomain)) return
        await sendMail(tx, confirmMail(page, { to: email, url: confirmUrl(token), code, host }))
      }),
    async requestAccess(page, email) {
      const to = await deps.emailOf(page.account_id)
      await database.write(async (tx) => {
        if (page.settings.allowed_emails.includes(email)) return
        const row = { id: newId('ar'), page_id: page.id, email, created_at: clock.now() }
        const request = await store.insertRequest(tx, row)
        if (request !== null && to !== null) await mailOwner(tx, page, request, to)
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
        await deps.invite(tx, page, decided.email)
        const url = `${baseUrl}/p/${page.slug}`
        await sendMail(tx, approvedMail(page, { to: decided.email, url, host }))
        return decided
      }),
  }
}

/** What a confirmation of one of the two decisions is about. */
export function requestIn(confirmation: Confirmation): { request_id: string; email: string } {
  return confirmation.details as { request_id: string; email: string }
}
