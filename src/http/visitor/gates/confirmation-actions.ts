import {
  type Access,
  APPROVE_REQUEST,
  DENY_REQUEST,
  OPEN_PAGE,
  type RequestDecision,
  requestIn,
} from '../../../features/access/index.ts'
import type { Confirmation } from '../../../features/confirmations/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import { pageSuspended } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { displayEmail, displayStranger } from '../../../platform/display-email.ts'
import type { ConfirmationActions, ConfirmationOutcome } from '../../kit/confirmation-actions.ts'
import type { GateCookies } from '../request/gate-cookies.ts'

const TO_ACCOUNT = { label: 'Your account', path: '/app' }

export interface GateActionDeps {
  pages: Pages
  access: Access
  gateCookies: GateCookies
  host: string
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** The actions of the links in the mails that gates send. */
export function gateActions({
  pages,
  access,
  gateCookies,
  host,
  nowMs,
}: GateActionDeps): ConfirmationActions {
  async function pageOf({ page_id: pageId }: Confirmation, tx?: Tx): Promise<Page> {
    const page = pageId === null ? undefined : await pages.find(pageId, tx)
    if (page === undefined) throw refuse.notFound('page_not_found', 'This page is gone.')
    if (page.suspended_at !== null) throw pageSuspended()
    return page
  }

  /** The owner may not be signed in here, and then could not open the page itself. */
  async function decide(
    tx: Tx,
    confirmation: Confirmation,
    decision: RequestDecision,
  ): Promise<ConfirmationOutcome> {
    const page = await pageOf(confirmation, tx)
    const decided = await access.decide(page, requestIn(confirmation).request_id, decision, tx)
    const email = displayEmail(decided.email)
    const name = nameOf(page)
    const [title, text] =
      decision === 'approve'
        ? ['Request approved', `${email} may open ${name} now, and gets a mail with the link.`]
        : ['Request denied', `${email} may not open ${name}, and gets no mail about it.`]
    return { next: { title, text, link: TO_ACCOUNT }, cookies: [] }
  }

  function nameOf({ title }: Page): string {
    return title === null ? 'an untitled page' : `“${title}”`
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
        const page = await pageOf(confirmation, tx)
        const held = request.headers.get('cookie') ?? ''
        const cookie = gateCookies.emailCookie(held, confirmation.email, nowMs())
        return { next: `/p/${page.slug}`, cookies: [cookie] }
      },
    },
    [APPROVE_REQUEST]: {
      async describe(confirmation) {
        const email = displayStranger(requestIn(confirmation).email)
        const name = nameOf(await pageOf(confirmation))
        const text = `This invites ${email} to open ${name}, and mails them the link.`
        return { title: 'Approve the request', text, button: `Let ${email} in` }
      },
      act: (tx, confirmation) => decide(tx, confirmation, 'approve'),
    },
    [DENY_REQUEST]: {
      async describe(confirmation) {
        const email = displayStranger(requestIn(confirmation).email)
        const name = nameOf(await pageOf(confirmation))
        const text = `${email} may not open ${name}, and gets no mail about it.`
        return { title: 'Deny the request', text, button: `Keep ${email} out` }
      },
      act: (tx, confirmation) => decide(tx, confirmation, 'deny'),
    },
  }
}
