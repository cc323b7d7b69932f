import { refuse } from '../../model/errors.ts'
import type { MailWords } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Confirmation, Confirmations } from '../confirmations/index.ts'
import type { AccessRequest } from './contract.ts'
import { approvedMail, confirmMail, requestMail } from './mail.ts'
import { createPersonalDomains } from './personal-domains/index.ts'
import * as store from './store.ts'

/** An owner may read this mail tomorrow; a visitor waits for theirs. */
const DECISION_MS = 7 * 24 * 60 * 60 * 1000

export const OPEN_PAGE = 'open_page'
export const APPROVE_REQUEST = 'approve_access_request'
export const DENY_REQUEST = 'deny_access_request'

export interface Access {
  isPersonalDomain(domain: string): boolean
  /**
   * Mails a link and a code to an address that could open the page with it. To the caller it looks
   * the same whether or not the address is invited.
   */
  askToConfirm(page: Page, email: string, browser: string): Promise<void>
  /** Whether an email gate would refuse the address, which is no secret. */
  refusesDomain(page: Page, email: string): boolean
  requestAccess(page: Page, email: string): Promise<void>
  requests(page: Page): Promise<AccessRequest[]>
  decide(page: Page, requestId: string, decision: 'approve' | 'deny'): Promise<AccessRequest>
}

export interface AccessDeps {
  database: Database
  clock: Clock
  confirmations: Confirmations
  /** Puts a mail into the outbox, in the transaction of what causes it. */
  sendMail(tx: Tx, words: MailWords): Promise<unknown>
  baseUrl: string
  /** Of the owner, by account. */
  emailOf(accountId: string): Promise<string | null>
  /** Adds an address to the page's invited ones. */
  invite(page: Page, email: string): Promise<void>
}

export function createAccess(deps: AccessDeps): Access {
  const { database, clock, confirmations, sendMail, baseUrl } = deps
  const host = new URL(baseUrl).host
  const isPersonalDomain = createPersonalDomains()
  const confirmUrl = (token: string) => `${baseUrl}/app/confirm/${token}`

  function refusesDomain({ settings }: Page, email: string): boolean {
    if (settings.access !== 'email_gate') return false
    const domain = email.slice(email.lastIndexOf('@') + 1)
    if (settings.business_only && isPersonalDomain(domain)) return true
    const { allowed_domains: allowedDomains } = settings
    return allowedDomains.length > 0 && !allowedDomains.includes(domain)
  }

  function couldOpen(page: Page, email: string): boolean {
    const { access, allowed_emails: allowedEmails } = page.settings
    return access === 'people' ? allowedEmails.includes(email) : !refusesDomain(page, email)
  }

  async function mailOwner(tx: Tx, page: Page, request: AccessRequest, to: string): Promise<void> {
    async function linkTo(purpose: string): Promise<string> {
      const details = { request_id: request.id, email: request.email }
      const about = { purpose, email: to, page_id: page.id, details, ttlMs: DECISION_MS }
      return confirmUrl((await confirmations.start(tx, about)).token)
    }
    const approveUrl = await linkTo(APPROVE_REQUEST)
    const denyUrl = await linkTo(DENY_REQUEST)
    await sendMail(tx, requestMail(page, { to, email: request.email, approveUrl, denyUrl, host }))
  }

  return {
    isPersonalDomain,
    refusesDomain,
    askToConfirm: (page, email, browser) =>
      database.write(async (tx) => {
        const about = { purpose: OPEN_PAGE, email, page_id: page.id, browser }
        // Begun for every address, so that the time taken does not tell who is invited.
        const { token, code } = await confirmations.start(tx, about)
        if (!couldOpen(page, email)) return
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
    async decide(page, requestId, decision) {
      const known = await store.listRequests(database.read, page.id)
      const asked = known.find(({ id }) => id === requestId)
      if (asked === undefined) {
        throw refuse.notFound('request_not_found', `This page has no access request ${requestId}.`)
      }
      if (decision === 'approve') await deps.invite(page, asked.email)
      return database.write(async (tx) => {
        const of = { id: requestId, page_id: page.id }
        const decided = await store.decideRequest(tx, of, { decision, decided_at: clock.now() })
        if (decided === undefined) {
          throw refuse.notFound('request_not_found', `There is no access request ${requestId}.`)
        }
        if (decision === 'approve') {
          const url = `${baseUrl}/p/${page.slug}`
          await sendMail(tx, approvedMail(page, { to: asked.email, url, host }))
        }
        return decided
      })
    },
  }
}

/** What a confirmation of one of the two decisions is about. */
export function requestIn(confirmation: Confirmation): { request_id: string; email: string } {
  return confirmation.details as { request_id: string; email: string }
}
