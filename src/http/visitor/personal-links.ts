import {
  decide,
  HANDED_LINK,
  MAILED_LINK,
  purposeIn,
  type Question,
} from '../../features/access/index.ts'
import { ownerWords, quoted } from '../../features/mail/index.ts'
import type { Confirmation } from '../../model/confirmation.ts'
import { refuse } from '../../model/errors.ts'
import { gateOf, type Page } from '../../model/page/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { atFixedTime } from '../../platform/promises.ts'
import type {
  ConfirmationAction,
  ConfirmationActions,
  Elsewhere,
  OpenedLink,
} from '../kit/confirmation-actions.ts'
import { type ConfirmationActionDeps, pageOf } from './confirmation-actions.ts'
import type { GateDeps } from './gates/routes.ts'
import { requiresSignIn } from './request/identity.ts'

export interface PersonalLinkDeps
  extends Pick<ConfirmationActionDeps, 'pages' | 'access' | 'gateCookies' | 'identities'>,
    Pick<GateDeps, 'knownBrowsers' | 'mailBudget' | 'site' | 'addressOf' | 'nowMs'> {}

/**
 * The links in the mails to invited people and approvers, and those that owners hand on. One press
 * confirms the address; the page's gate decides, before it and after it, as for everybody.
 */
export function createPersonalLinkActions(deps: PersonalLinkDeps): ConfirmationActions {
  const { pages, access, gateCookies, identities, knownBrowsers, mailBudget } = deps
  const { addressOf, nowMs } = deps
  const { isMeantFor, ownerOf, renew } = access.personalLinks
  const { host } = deps.site

  /** What the gate would answer, if the visitor were also those with these addresses. */
  async function decideWith(page: Page, request: Request, emails: readonly string[]) {
    const target = { slug: page.slug, path: null, frameToken: null, query: '' }
    const { visitor } = await identities.of(request, { target, page, nowMs: nowMs() })
    const facts = { ...visitor, emails: [...emails, ...visitor.emails] }
    return { visitor, decision: decide(gateOf(page), facts, nowMs()) }
  }

  /**
   * A notice is the page's own, in the same bytes, and leaves the link as it is. So does a gate
   * that no longer asks for this person.
   */
  async function elsewhere(link: OpenedLink): Promise<Elsewhere | null> {
    const { confirmation, request, isOver } = link
    const { email } = confirmation
    const page = await pageOf(pages, confirmation)
    const path = pathOf(page, confirmation)
    const { visitor, decision } = await decideWith(page, request, isOver ? [] : [email])
    if (decision.outcome === 'notice' || visitor.is_owner) return { path }
    const isLetIn = decision.outcome === 'open' || ASKED_AFTER.includes(decision.question)
    if (isLetIn && visitor.emails.includes(email)) return { path }
    if (isOver) return null
    if (!isMeantFor(page, email, purposeIn(confirmation))) return { path }
    return requiresSignIn(page) ? { signInAs: email, next: path } : null
  }

  function action(isProved: boolean): ConfirmationAction {
    return {
      async describe(confirmation) {
        const page = await pageOf(pages, confirmation)
        const email = displayEmail(confirmation.email)
        const owner = await ownerOf(page.account_id)
        const by = ownerWords(owner)
        const name = page.title ?? page.settings.og_title
        const isApproval = purposeIn(confirmation) === 'approve'
        const does = isApproval ? 'asks' : 'shares it with'
        const where = isProved ? `for every page on ${host} that it may open` : 'for this page'
        return {
          title: name === null ? 'Open the page' : `Open ${quoted(name)}`,
          text:
            `${by} ${does} ${email}${isApproval ? ' to approve it' : ''}. This confirms that ` +
            `address in this browser, ${where}. The link works once.`,
          button: isApproval ? 'Open and decide' : 'Open the page',
          help: 'Is this not your address? Close the page: nothing happens.',
        }
      },
      async act(tx, confirmation, request) {
        const { email } = confirmation
        const page = await pageOf(pages, confirmation, tx)
        const isMeant = isMeantFor(page, email, purposeIn(confirmation))
        // The page may have changed since the button was shown.
        if (!isMeant || requiresSignIn(page)) {
          throw refuse.forbidden('stale', 'You may not open this page any more. Ask its owner.')
        }
        const proofs = isProved
          ? [gateCookies.emailCookie(request, email, nowMs())]
          : gateCookies.personCookies(request, page, email, nowMs())
        return { next: pathOf(page, confirmation), cookies: proofs, isProved }
      },
      personal: {
        elsewhere,
        async renew(confirmation, request) {
          const page = await pageOf(pages, confirmation)
          const sender = knownBrowsers.senderOf(request, confirmation.email)
          const mail = { scope: 'gate', address: addressOf(request), ...sender } as const
          const mayMail = await mailBudget.mayMail(mail)
          if (mayMail) await atFixedTime(() => renew(page, confirmation))
          return mayMail
        },
      },
    }
  }

  return { [MAILED_LINK]: action(true), [HANDED_LINK]: action(false) }
}

/** What the gate asks somebody whose address it lets in. */
const ASKED_AFTER: readonly Question[] = ['password', 'agreement']

/** Panels open the tab that the fragment names, which no server and no frame sees. */
function pathOf({ slug }: Page, confirmation: Confirmation): string {
  return `/p/${slug}${purposeIn(confirmation) === 'approve' ? '#~approval' : ''}`
}
