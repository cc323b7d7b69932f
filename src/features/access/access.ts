import { gateOf, type Page } from '../../model/page/index.ts'
import type { Invited, InviteInput } from './contract.ts'
import { createInvite } from './invitations.ts'
import { confirmMail } from './mail.ts'
import { createPersonalDomains } from './personal-domains/index.ts'
import { type AccessRequestDeps, type AccessRequests, createAccessRequests } from './requests.ts'
import { admitsEmail, decide } from './rules.ts'

/** A purpose of confirmations. It is stored with each confirmation. */
export const OPEN_PAGE = 'open_page'

export interface Access extends AccessRequests {
  /** Whether a domain gives mail addresses to anybody. */
  isPersonalDomain(domain: string): boolean
  /**
   * Mails a link and a code to an address that could open the page with it. For any other address
   * it writes the same rows, but the link and the code are secret and the mail is never sent.
   */
  askToConfirm(page: Page, email: string, browser: string): Promise<void>
  /** Whether an address, once confirmed, opens the page. */
  admitsEmail(page: Page, email: string): boolean
  /** Whether somebody who proves this address, and gives the password, could open the page now. */
  couldOpen(page: Page, email: string): boolean
  /**
   * Mails invited people their link. Nobody else is mailed.
   * @throws Refusal `nothing_published`, `nobody_invited`, `invalid_parameter` or `rate_limited`
   */
  mailInvitations(page: Page, input: InviteInput): Promise<Invited>
  /** Whether the domain rules of an email gate refuse the address. These rules are public. */
  refusesDomain(page: Page, email: string): boolean
}

export type AccessDeps = AccessRequestDeps

export function createAccess(deps: AccessDeps): Access {
  const { database, clock, confirmations, sendMail, ownerOf, baseUrl } = deps
  const host = new URL(baseUrl).host
  const isPersonalDomain = createPersonalDomains()

  function couldOpen(page: Page, email: string): boolean {
    const proved = { emails: [email], is_signed_in: true, gave_password: true }
    const facts = { ...proved, is_owner: false, isBeyondLimit: false, isPersonalDomain }
    return decide(gateOf(page), facts, clock.ms()).outcome === 'open'
  }

  return {
    ...createAccessRequests(deps),
    mailInvitations: createInvite({ ...deps, couldOpen }),
    isPersonalDomain,
    admitsEmail: ({ settings }, email) => admitsEmail(settings, email, isPersonalDomain),
    couldOpen,
    refusesDomain: ({ settings }, email) =>
      settings.access === 'email_gate' && !admitsEmail(settings, email, isPersonalDomain),
    askToConfirm: (page, email, browser) =>
      database.write(async (tx) => {
        const isDecoy = !admitsEmail(page.settings, email, isPersonalDomain)
        const options = { purpose: OPEN_PAGE, email, page_id: page.id, browser, isDecoy }
        const { token, code } = await confirmations.start(tx, options)
        const url = `${baseUrl}/app/confirm/${token}`
        const isInvited = page.settings.access === 'people'
        const owner = isInvited ? await ownerOf(page.account_id, tx) : null
        const mail = confirmMail(page, { to: email, url, code, host, owner })
        await sendMail(tx, mail, { discard: isDecoy })
      }, 'freeing'),
  }
}
