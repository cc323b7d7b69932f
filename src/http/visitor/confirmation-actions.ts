import {
  APPROVE_REQUEST,
  DENY_REQUEST,
  decide,
  OPEN_PAGE,
  type RequestDecision,
  requestIn,
} from '../../features/access/index.ts'
import { type Approvals, DECIDE_IN_BROWSER, preparedIn } from '../../features/approvals/index.ts'
import { pageName, publicName } from '../../features/mail/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import { CONFIRM_EMAIL, detailsIn } from '../../features/viewer-emails/index.ts'
import { pageSuspended } from '../../model/account.ts'
import type { Confirmation } from '../../model/confirmation.ts'
import type { ConfirmReason } from '../../model/conversation.ts'
import { decisionWords } from '../../model/decision.ts'
import { refuse } from '../../model/errors.ts'
import { gateOf, type Page } from '../../model/page/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import { displayEmail, displayStranger } from '../../platform/display-email.ts'
import type {
  ConfirmationAction,
  ConfirmationActions,
  ConfirmationDone,
} from '../kit/confirmation-actions.ts'
import type { GateDeps } from './gates/routes.ts'
import type { Identities } from './request/identity.ts'
import { encodePath } from './request/paths.ts'

export interface ConfirmationActionDeps
  extends Pick<GateDeps, 'pages' | 'access' | 'gateCookies' | 'checks' | 'site' | 'nowMs'> {
  approvals: Approvals
  identities: Identities
}

const OTHER_BROWSER =
  'This browser has not confirmed the address that decides. Decide in the browser in which you ' +
  'opened the page.'
const TO_ACCOUNT = { label: 'Your account', path: '/app' }
const REASONS: Record<ConfirmReason, string> = {
  comment: 'comment on',
  vote: 'vote on',
  decide: 'approve, or request changes to,',
}

/**
 * The actions of the links in the mails that gates and panels send, and of decisions of approvers
 * in a browser that has confirmed the address. They are on our own pages: no script
 * of the published page reaches them, and they cannot be framed.
 */
export function createConfirmationActions(deps: ConfirmationActionDeps): ConfirmationActions {
  const { pages, gateCookies, nowMs } = deps
  const { host } = deps.site

  function cookieOf(request: Request, { email }: Confirmation): string {
    return gateCookies.emailCookie(request, email, nowMs())
  }

  return {
    [OPEN_PAGE]: {
      describe: ({ email }) => ({
        title: 'Open the page',
        text:
          `This confirms ${displayEmail(email)} in this browser, ` +
          `for every page on ${host} that it may open.`,
        button: 'Confirm and open',
      }),
      async act(tx, confirmation, request) {
        const { slug } = await openPageOf(pages, confirmation, tx)
        const { place = '' } = confirmation.details ?? {}
        return { next: `/p/${slug}${place}`, cookies: [cookieOf(request, confirmation)] }
      },
    },
    [APPROVE_REQUEST]: createRequestAction(deps, 'approve'),
    [DENY_REQUEST]: createRequestAction(deps, 'deny'),
    [CONFIRM_EMAIL]: {
      async describe(confirmation) {
        const name = publicName(await pageOf(pages, confirmation))
        const reason = REASONS[detailsIn(confirmation).reason]
        return {
          title: 'Confirm your email',
          text:
            `This confirms ${displayEmail(confirmation.email)} in this browser, to ${reason} ` +
            `${name}, and for every page on ${host} that it may open.`,
          button: 'Confirm',
        }
      },
      async act(tx, confirmation, request) {
        const { slug } = await pageOf(pages, confirmation, tx)
        const { path } = detailsIn(confirmation)
        // No redirect: opening the page again would be another view, which a limit may not allow.
        const text =
          `${displayEmail(confirmation.email)} is confirmed in this browser. Go back to the page ` +
          'that you have open: it goes on by itself. On another device, type the code of the mail.'
        const link = { label: 'Open the page', path: `/p/${slug}${path && `/${encodePath(path)}`}` }
        const next = { title: 'Email confirmed', text, link }
        return { next, cookies: [cookieOf(request, confirmation)] }
      },
    },
    [DECIDE_IN_BROWSER]: createApprovalAction(deps),
  }
}

function createRequestAction(
  { pages, access, checks }: ConfirmationActionDeps,
  decision: RequestDecision,
): ConfirmationAction {
  return {
    async describe(confirmation) {
      const email = displayStranger(requestIn(confirmation).email)
      const name = pageName(await openPageOf(pages, confirmation))
      if (decision === 'approve') {
        const mail = checks.sendsMails ? ', and mails them the link' : ''
        const text = `This invites ${email} to open ${name}${mail}.`
        return { title: 'Approve the request', text, button: `Let ${email} in` }
      }
      const text = `${email} may not open ${name}, and gets no mail about it.`
      return { title: 'Deny the request', text, button: `Keep ${email} out` }
    },
    /** The owner may not be signed in here, and then could not open the page itself. */
    async act(tx, confirmation) {
      const page = await openPageOf(pages, confirmation, tx)
      const request = await access.decide(page, requestIn(confirmation).request_id, decision, tx)
      const email = displayEmail(request.email)
      const name = pageName(page)
      const mail = checks.sendsMails
        ? ', and gets a mail with the link'
        : '. Copy the link for them under Share: this server sends no mail'
      const [title, text] =
        decision === 'approve'
          ? ['Request approved', `${email} may open ${name} now${mail}.`]
          : ['Request denied', `${email} may not open ${name}, and gets no mail about it.`]
      return { next: { title, text, link: TO_ACCOUNT }, cookies: [] }
    },
  }
}

function createApprovalAction(deps: ConfirmationActionDeps): ConfirmationAction {
  const { pages, approvals, gateCookies, identities, nowMs } = deps

  /**
   * Asks the gate again, as it is now: the approver may have lost access since the decision was
   * prepared.
   */
  async function assertAdmitted(page: Page, confirmation: Confirmation, request: Request) {
    const target = { slug: page.slug, path: null, frameToken: null, query: '' }
    const { visitor } = await identities.of(request, { target, page, nowMs: nowMs() })
    if (!visitor.emails.includes(confirmation.email)) {
      throw refuse.forbidden('not_an_approver', OTHER_BROWSER)
    }
    const isEpochSame = preparedIn(confirmation).access_epoch === page.access_epoch
    // A password was entered, and an agreement accepted, before the decision was prepared.
    const agreement = isEpochSame ? page.settings.agreement?.version : visitor.agreed_version
    const facts = {
      ...visitor,
      gave_password: visitor.gave_password || isEpochSame,
      agreed_version: agreement ?? null,
    }
    if (decide(gateOf(page), facts, nowMs()).outcome !== 'open') {
      throw refuse.forbidden('stale', 'You may not open this page any more. Ask its owner.')
    }
  }

  return {
    async describe(confirmation) {
      const { decision, note, version_no } = preparedIn(confirmation)
      const isApproval = decision === 'approved'
      const name = pageName(await openPageOf(pages, confirmation))
      const action = isApproval ? 'approve' : 'request changes to'
      return {
        title: isApproval ? `Approve ${name}` : `Request changes to ${name}`,
        text:
          `As ${displayEmail(confirmation.email)}, you ${action} version ${version_no} of ` +
          `${name}. Its owner sees your decision${note === null ? '' : ' and this note'}.`,
        ...(note !== null && { quote: note }),
        button: isApproval ? `Approve version ${version_no}` : 'Request changes',
      }
    },
    async act(tx, confirmation, request) {
      await approvals.lock(tx)
      const page = await openPageOf(pages, confirmation, tx)
      await assertAdmitted(page, confirmation, request)
      const proof = gateCookies.proofOf(request, page, confirmation.email, nowMs())
      const { isCurrent } = await approvals.record(tx, page, confirmation, proof)
      const next = approvalDone(page, confirmation, isCurrent)
      return { next, cookies: [], isProved: false }
    },
    async describeDone(confirmation) {
      const page = await openPageOf(pages, confirmation)
      const isCurrent = preparedIn(confirmation).manifest_id === page.published_id
      return approvalDone(page, confirmation, isCurrent)
    },
  }
}

/** @throws Refusal `page_not_found` */
export async function pageOf(pages: Pages, { page_id }: Confirmation, tx?: Tx): Promise<Page> {
  const page = page_id === null ? undefined : await pages.find(page_id, tx)
  if (page === undefined) throw refuse.notFound('page_not_found', 'This page is gone.')
  return page
}

async function openPageOf(pages: Pages, confirmation: Confirmation, tx?: Tx): Promise<Page> {
  const page = await pageOf(pages, confirmation, tx)
  if (page.suspended_at !== null) throw pageSuspended()
  return page
}

function approvalDone(page: Page, confirmation: Confirmation, isCurrent: boolean) {
  const { decision, version_no } = preparedIn(confirmation)
  const isApproval = decision === 'approved'
  const warning = isCurrent ? '' : ' Other content has been published since: look at it again.'
  const done = `${decisionWords(decision, version_no)} of ${pageName(page)}`
  return {
    title: isApproval ? 'Approved' : 'Changes requested',
    text: `You have ${done}. Its owner sees it.${warning}`,
    link: { label: 'Back to the page', path: `/p/${page.slug}` },
  } satisfies ConfirmationDone
}
