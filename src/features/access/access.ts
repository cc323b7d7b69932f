import type { Page } from '../../model/page/index.ts'
import { confirmMail } from './mail.ts'
import { createPersonalDomains } from './personal-domains/index.ts'
import { type AccessRequestDeps, type AccessRequests, createAccessRequests } from './requests.ts'
import { admitsEmail } from './rules.ts'

/** A purpose of confirmations. It is stored with each confirmation. */
export const OPEN_PAGE = 'open_page'

export interface Access extends AccessRequests {
  /** Whether a domain gives mail addresses to anybody. */
  isPersonalDomain(domain: string): boolean
  /**
   * Mails a link and a code to an address that could open the page with it. For any other address
   * it takes the same steps but mails nothing, so the caller cannot tell who is invited.
   */
  askToConfirm(page: Page, email: string, browser: string): Promise<void>
  /** Whether the domain rules of an email gate refuse the address. These rules are public. */
  refusesDomain(page: Page, email: string): boolean
}

export type AccessDeps = AccessRequestDeps

export function createAccess(deps: AccessDeps): Access {
  const { database, confirmations, sendMail, baseUrl } = deps
  const host = new URL(baseUrl).host
  const isPersonalDomain = createPersonalDomains()

  return {
    ...createAccessRequests(deps),
    isPersonalDomain,
    refusesDomain: ({ settings }, email) =>
      settings.access === 'email_gate' && !admitsEmail(settings, email, isPersonalDomain),
    askToConfirm: (page, email, browser) =>
      database.write(async (tx) => {
        const options = { purpose: OPEN_PAGE, email, page_id: page.id, browser }
        // Started for every address, so that the response time does not reveal who is invited.
        const { token, code } = await confirmations.start(tx, options)
        if (!admitsEmail(page.settings, email, isPersonalDomain)) return
        const url = `${baseUrl}/app/confirm/${token}`
        await sendMail(tx, confirmMail(page, { to: email, url, code, host }))
      }),
  }
}
