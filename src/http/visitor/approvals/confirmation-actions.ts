import { decide } from '../../../features/access/index.ts'
import {
  type Approvals,
  DECIDE_BY_MAIL,
  DECIDE_IN_BROWSER,
  preparedIn,
} from '../../../features/approvals/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import { pageSuspended } from '../../../model/account.ts'
import type { Confirmation } from '../../../model/confirmation.ts'
import { refuse } from '../../../model/errors.ts'
import { gateOf, type Page } from '../../../model/page/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type {
  ConfirmationAction,
  ConfirmationActions,
  ConfirmationDone,
} from '../../kit/confirmation-actions.ts'
import type { GateCookies } from '../request/gate-cookies.ts'
import type { Identities } from '../request/identity.ts'

export interface ApprovalActionDeps {
  pages: Pages
  approvals: Approvals
  gateCookies: GateCookies
  identities: Identities
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/**
 * Our own pages on which an approver confirms a decision, from a mail or in a browser that has
 * confirmed the address. No script of the published page reaches them, and they cannot be framed.
 */
export function approvalActions(deps: ApprovalActionDeps): ConfirmationActions {
  const { pages, approvals, gateCookies, identities, nowMs } = deps

  async function pageOf({ page_id: pageId }: Confirmation, tx?: Tx): Promise<Page> {
    const page = pageId === null ? undefined : await pages.find(pageId, tx)
    if (page === undefined) throw refuse.notFound('page_not_found', 'This page is gone.')
    if (page.suspended_at !== null) throw pageSuspended()
    return page
  }

  async function identityOf(request: Request, page: Page) {
    const target = { slug: page.slug, path: null, frameToken: null, query: '' }
    return (await identities.of(request, { target, page, nowMs: nowMs() })).visitor
  }

  /**
   * Asks the gate again, as it is now: the approver may have lost access since the decision was
   * prepared.
   *
   * @param isProved the link came by mail, so opening it proves the address
   */
  async function assertAdmitted(
    page: Page,
    { confirmation, request, isProved }: Confirming,
  ): Promise<void> {
    const { email } = confirmation
    const visitor = await identityOf(request, page)
    if (!isProved && !visitor.emails.includes(email)) throw otherBrowser()
    const isEpochSame = preparedIn(confirmation).access_epoch === page.access_epoch
    const facts = {
      ...visitor,
      emails: [email, ...visitor.emails],
      // The password, if the page has one, was entered before the decision was prepared.
      gave_password: visitor.gave_password || isEpochSame,
    }
    if (decide(gateOf(page), facts, nowMs()).outcome !== 'open') throw notAdmitted()
  }

  function actionFor({ isProved }: { isProved: boolean }): ConfirmationAction {
    return {
      async describe(confirmation) {
        const { decision, note, version_no: versionNo } = preparedIn(confirmation)
        const isApproval = decision === 'approved'
        const name = nameOf(await pageOf(confirmation))
        const action = isApproval ? 'approve' : 'request changes to'
        const email = displayEmail(confirmation.email)
        return {
          title: isApproval ? `Approve ${name}` : `Request changes to ${name}`,
          text:
            `As ${email}, you ${action} version ${versionNo} of ${name}. ` +
            `Its owner sees your decision${note === null ? '' : ' and this note'}.`,
          ...(note !== null && { quote: note }),
          button: isApproval ? `Approve version ${versionNo}` : 'Request changes',
        }
      },
      async act(tx, confirmation, request) {
        const page = await pageOf(confirmation, tx)
        await assertAdmitted(page, { confirmation, request, isProved })
        const { isCurrent } = await approvals.record(tx, page, confirmation)
        const held = request.headers.get('cookie') ?? ''
        return {
          next: doneOf(page, confirmation, isCurrent),
          cookies: [gateCookies.emailCookie(held, confirmation.email, nowMs())],
        }
      },
      async describeDone(confirmation) {
        const page = await pageOf(confirmation)
        const isCurrent = preparedIn(confirmation).manifest_id === page.published_id
        return doneOf(page, confirmation, isCurrent)
      },
    }
  }

  return {
    [DECIDE_IN_BROWSER]: actionFor({ isProved: false }),
    [DECIDE_BY_MAIL]: actionFor({ isProved: true }),
  }
}

interface Confirming {
  confirmation: Confirmation
  request: Request
  isProved: boolean
}

function doneOf(page: Page, confirmation: Confirmation, isCurrent: boolean): ConfirmationDone {
  const { decision, version_no: versionNo } = preparedIn(confirmation)
  const name = nameOf(page)
  const isApproval = decision === 'approved'
  const done = isApproval ? 'You have approved' : 'You have requested changes to'
  const changed = isCurrent ? '' : ' Other content has been published since: look at it again.'
  return {
    title: isApproval ? 'Approved' : 'Changes requested',
    text: `${done} version ${versionNo} of ${name}. Its owner gets a mail.${changed}`,
    link: { label: 'Back to the page', path: `/p/${page.slug}` },
  }
}

function nameOf({ title }: Page): string {
  return title === null ? 'this page' : `“${title}”`
}

function otherBrowser() {
  return refuse.forbidden(
    'not_an_approver',
    'This browser has not confirmed the address that decides. Decide in the browser in which you ' +
      'opened the page.',
  )
}
function notAdmitted() {
  return refuse.forbidden('stale', 'You may not open this page any more. Ask its owner.')
}
