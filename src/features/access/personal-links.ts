import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import type { Confirmation, Confirmations } from '../confirmations/index.ts'
import type { PageOwner } from '../mail/index.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import { LINK_PURPOSES, type LinkPurpose, type PersonalLink } from './contract.ts'
import { newLinkMail } from './mail.ts'

/**
 * Purposes of confirmations. They are stored with each confirmation. A link that went to the
 * address by mail proves the address. One that the owner has copied proves nothing but the owner's
 * word, so it counts on the owner's page alone.
 */
export const MAILED_LINK = 'mailed_link'
export const HANDED_LINK = 'handed_link'

const TTL_MS = 14 * 24 * 60 * 60_000

export interface PersonalLinkDeps
  extends Pick<Services, 'database' | 'clock' | 'baseUrl' | 'host' | 'sendMail'> {
  confirmations: Confirmations
  throttles: Throttles
  /** Null where the account is gone. */
  ownerOf(accountId: string, db?: Db): Promise<PageOwner | null>
  /** Whether somebody who proves this address, and gives the password, could open the page now. */
  couldOpen(page: Page, email: string): boolean
}

/** Links that confirm one address for one page by one press, for those whom it is meant for. */
export function createPersonalLinks(deps: PersonalLinkDeps) {
  const { database, clock, confirmations, throttles, sendMail, baseUrl, ownerOf } = deps
  const { couldOpen, host } = deps
  const urlOf = (token: string) => `${baseUrl}/app/confirm/${token}`

  /** Whether the page invites this address, or names it as an approver, and lets it in. */
  function isMeantFor(page: Page, email: string, purpose: LinkPurpose): boolean {
    const { allowed_emails, collect_approvals, approver_emails } = page.settings
    const emails = purpose === 'view' ? allowed_emails : collect_approvals ? approver_emails : []
    return emails.includes(email) && couldOpen(page, email)
  }

  /** The link of a mail, and what is told where that mail is refused. */
  async function mailedLink(tx: Tx, page: Page, { email, purpose, isDecoy = false }: MailedLink) {
    const details = { purpose }
    const options = { email, page_id: page.id, details, purpose: MAILED_LINK }
    const link = { ...options, isDecoy, ttlMs: TTL_MS }
    const { id, token } = await confirmations.start(tx, link)
    return { url: urlOf(token), link_id: id }
  }

  return {
    isMeantFor,
    ownerOf,
    /** Makes the link of a mail to this address. */
    mailedLink,
    /**
     * Makes a link that the owner hands on. It ends the one before.
     *
     * @throws Refusal `nothing_published`, `invalid_parameter`, `not_admitted` or `rate_limited`
     */
    async handedLink(page: Page, { email, purpose }: Named): Promise<PersonalLink> {
      assertMayHand(page, email, purpose, couldOpen(page, email))
      await throttles.assert(LIMITS.personal_link, page.id)
      const link = { email, page_id: page.id, purpose: HANDED_LINK }
      const { token } = await database.write(async (tx) => {
        await confirmations.endLinks(tx, link)
        return confirmations.start(tx, { ...link, details: { purpose }, ttlMs: TTL_MS })
      })
      const expires_at = clock.after(TTL_MS)
      return { email: displayEmail(email), purpose, url: urlOf(token), expires_at }
    },
    /** Mails a new link, if the page is still meant for the address; else takes the same steps. */
    async renew(page: Page, confirmation: Confirmation): Promise<void> {
      const { email } = confirmation
      const purpose = purposeIn(confirmation)
      const isDecoy = !isMeantFor(page, email, purpose)
      const owner = await ownerOf(page.account_id)
      await database.write(async (tx) => {
        const { url, link_id } = await mailedLink(tx, page, { email, purpose, isDecoy })
        const mail = newLinkMail(page, { to: email, url, host, owner })
        await sendMail(tx, mail, { discard: isDecoy, link_id })
      }, 'freeing')
    },
    /** When the newest mail with a personal link of the page was made and refused, by address. */
    mailedAt: (page: Page) => confirmations.newestByEmail(page.id, MAILED_LINK),
  }
}
export type PersonalLinks = ReturnType<typeof createPersonalLinks>

interface Named {
  email: string
  purpose: LinkPurpose
}

interface MailedLink extends Named {
  isDecoy?: boolean
}

export function purposeIn({ details }: Confirmation): LinkPurpose {
  return LINK_PURPOSES.find((each) => each === details?.purpose) ?? 'view'
}

function assertMayHand(
  { settings, published_id }: Page,
  email: string,
  purpose: LinkPurpose,
  isAdmitted: boolean,
): void {
  if (published_id === null) throw nothingPublished()
  const list = purpose === 'view' ? 'allowed_emails' : 'approver_emails'
  const isNamed = settings[list].includes(email)
  if (!isNamed || (purpose === 'approve' && !settings.collect_approvals)) {
    const cure = isNamed ? 'set collect_approvals first' : 'add it there first'
    const message = `${email} is not among ${list} of a page that asks them: ${cure}.`
    throw refuse.invalidParameter('email', message)
  }
  if (isAdmitted) return
  const message = `The page’s access does not let ${email} in, so no link would open it for them.`
  throw refuse.conflict('not_admitted', message)
}

export function nothingPublished() {
  return refuse.conflict('nothing_published', 'Publish the page first: its link shows nothing yet.')
}
