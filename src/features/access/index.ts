import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import { gateOf, type Page } from '../../model/page/index.ts'
import type { Checks } from '../../platform/checks.ts'
import type { Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import { type PageOwner, sendMany } from '../mail/index.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import type { Invited, InviteInput } from './contract.ts'
import * as contract from './contract.ts'
import { confirmMail, invitationMail } from './mail.ts'
import { createPersonalLinks, nothingPublished, type PersonalLinks } from './personal-links.ts'
import { type AccessRequestDeps, createAccessRequests, withDisplayEmail } from './requests.ts'
import { admitsEmail, decide } from './rules.ts'

export { HANDED_LINK, MAILED_LINK, nothingPublished, purposeIn } from './personal-links.ts'
export {
  APPROVE_REQUEST,
  accessRequestRow,
  accessRequestsOf,
  DENY_REQUEST,
  importAccessRequests,
  type OpenRequest,
  REVIEW_REQUESTS,
  type RequestDecision,
  requestIn,
} from './requests.ts'
export {
  admittedEmail,
  type Closed,
  type Decision,
  decide,
  type Gate,
  type Notice,
  open,
  type Question,
  type VisitorFacts,
} from './rules.ts'

/** A purpose of confirmations. It is stored with each confirmation. */
export const OPEN_PAGE = 'open_page'

export function createAccess(deps: Omit<AccessRequestDeps, 'mailedLink'>) {
  const { database, clock, confirmations, sendMail, ownerOf, baseUrl, host } = deps

  /** Whether who proves this address, and gives and accepts all else, could open the page now. */
  function couldOpen(page: Page, email: string): boolean {
    const agreed = { agreed_version: page.settings.agreement?.version ?? null }
    const proved = { emails: [email], is_signed_in: true, gave_password: true, ...agreed }
    const isShut = { isBeyondLimit: false, isLinkClosed: false }
    const facts = { ...proved, ...isShut, is_owner: false }
    return decide(gateOf(page), facts, clock.ms()).outcome === 'open'
  }

  const personalLinks = createPersonalLinks({ ...deps, couldOpen })
  const { mailedLink } = personalLinks
  return {
    ...createAccessRequests({ ...deps, mailedLink }),
    personalLinks,
    mailInvitations: createInvite({ ...deps, couldOpen, mailedLink }),
    /** Whether an address, once confirmed, opens the page. */
    admitsEmail: ({ settings }: Page, email: string): boolean => admitsEmail(settings, email),
    couldOpen,
    /** Whether the domain rules of an email gate refuse the address. These rules are public. */
    refusesDomain: ({ settings }: Page, email: string): boolean =>
      settings.access === 'email_gate' && !admitsEmail(settings, email),
    /**
     * Mails a link and a code to an address that could open the page with it. For any other address
     * it writes the same rows, but the link and the code are secret and the mail is never sent.
     */
    askToConfirm: (page: Page, email: string, browser: string, place = ''): Promise<void> =>
      database.write(async (tx) => {
        const isDecoy = !admitsEmail(page.settings, email)
        const options = { purpose: OPEN_PAGE, email, page_id: page.id, details: { place } }
        const started = await confirmations.start(tx, { ...options, browser, isDecoy })
        const { id: link_id, token, code } = started
        const url = `${baseUrl}/app/confirm/${token}`
        const isInvited = page.settings.access === 'people'
        const owner = isInvited ? await ownerOf(page.account_id, tx) : null
        const mail = confirmMail(page, { to: email, url, code, host, owner })
        await sendMail(tx, mail, { discard: isDecoy, link_id })
      }, 'freeing'),
  }
}
export type Access = ReturnType<typeof createAccess>

interface InvitationDeps extends Pick<Services, 'database' | 'host' | 'sendMail'> {
  throttles: Throttles
  ownerOf(accountId: string, db?: Db): Promise<PageOwner | null>
  couldOpen(page: Page, email: string): boolean
  mailedLink: PersonalLinks['mailedLink']
}

/**
 * Mails invited people their links to a page, and nobody else. The list of invited addresses bounds
 * who is mailed, and limits bound how often, by account and by address.
 *
 * @throws Refusal `nothing_published`, `nobody_invited`, `invalid_parameter` or `rate_limited`
 */
function createInvite(deps: InvitationDeps) {
  const { database, throttles, sendMail, host, ownerOf, couldOpen, mailedLink } = deps

  async function mayBeMailed(page: Page, email: string): Promise<boolean> {
    const { isAllowed } = await throttles.consume(LIMITS.invitation_to_email, `${page.id} ${email}`)
    return isAllowed
  }

  return async (
    page: Page,
    { emails, message = null }: InviteInput,
  ): Promise<Omit<Invited, 'sends_mails'>> => {
    const recipients = chosenOf(page, emails)
    await throttles.assert(LIMITS.invitations, page.account_id)
    const admitted = recipients.filter((email) => couldOpen(page, email))
    const mailed: string[] = []
    for (const email of admitted) if (await mayBeMailed(page, email)) mailed.push(email)
    const owner = await ownerOf(page.account_id)
    await sendMany(database, mailed, async (tx, to) => {
      const { url, link_id } = await mailedLink(tx, page, { email: to, purpose: 'view' })
      await sendMail(tx, invitationMail(page, { to, message, url, host, owner }), { link_id })
    })
    return {
      mailed: mailed.map(displayEmail),
      not_admitted: recipients.filter((email) => !admitted.includes(email)).map(displayEmail),
      mailed_before: admitted.filter((email) => !mailed.includes(email)).map(displayEmail),
    }
  }
}

function chosenOf({ settings, published_id }: Page, emails: string[] | undefined) {
  const { allowed_emails: invited } = settings
  if (published_id === null) throw nothingPublished()
  if (invited.length === 0) {
    throw refuse.conflict('nobody_invited', 'Nobody is invited: put addresses into allowed_emails.')
  }
  const stranger = emails?.find((email) => !invited.includes(email))
  if (stranger === undefined) return emails ?? invited
  const message = `${stranger} is not among allowed_emails: add it there first.`
  throw refuse.invalidParameter('emails', message)
}

/** @param checks `sendsMails` is false while the mails of this server wait in a folder */
export function accessOperations(access: Access, checks: Pick<Checks, 'sendsMails'>) {
  return operationsOf(contract, {
    listAccessRequests: async ({ page }) => (await access.requests(page)).map(withDisplayEmail),
    decideAccessRequest: async ({ page }, { request_id, decision }) =>
      withDisplayEmail(await access.decide(page, request_id, decision)),
    invitePeople: async ({ page }, input) => ({
      ...(await access.mailInvitations(page, input)),
      sends_mails: checks.sendsMails,
    }),
    listInvitations: async ({ page }) => {
      const { allowed_emails, approver_emails } = page.settings
      const mailedAt = await access.personalLinks.mailedAt(page)
      const emails = [...new Set([...allowed_emails, ...approver_emails])]
      const mailed = emails.flatMap((email) => {
        const mail = mailedAt.get(email)
        if (mail === undefined) return []
        const { at: mailed_at, bounced_at } = mail
        return [withDisplayEmail({ email, mailed_at, bounced_at })]
      })
      return mailed
    },
    makePersonalLink: ({ page }, input) => access.personalLinks.handedLink(page, input),
  })
}
