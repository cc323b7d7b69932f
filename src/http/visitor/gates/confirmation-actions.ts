import {
  type Access,
  APPROVE_REQUEST,
  DENY_REQUEST,
  OPEN_PAGE,
  requestIn,
} from '../../../features/access/index.ts'
import type { Confirmation } from '../../../features/confirmations/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import { refuse } from '../../../model/errors.ts'
import type { Page } from '../../../model/page/index.ts'
import type { ConfirmationActions } from '../../kit/confirmation-actions.ts'
import type { GateCookies } from '../request/gate-cookies.ts'

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
  async function pageOf({ page_id: pageId }: Confirmation): Promise<Page> {
    const page = pageId === null ? undefined : await pages.find(pageId)
    if (page === undefined) throw refuse.notFound('page_not_found', 'This page is gone.')
    return page
  }

  async function decide(confirmation: Confirmation, decision: 'approve' | 'deny') {
    const page = await pageOf(confirmation)
    await access.decide(page, requestIn(confirmation).request_id, decision)
    return { location: `/p/${page.slug}`, cookies: [] }
  }

  function nameOf({ title }: Page): string {
    return title === null ? 'an untitled page' : `“${title}”`
  }

  return {
    [OPEN_PAGE]: {
      describe: ({ email }) => ({
        title: 'Open the page',
        text: `This confirms ${email} in this browser, for every page on ${host} it may open.`,
        button: 'Confirm and open',
      }),
      async act(confirmation, request) {
        const page = await pageOf(confirmation)
        const held = request.headers.get('cookie') ?? ''
        const cookie = gateCookies.emailCookie(held, confirmation.email, nowMs())
        return { location: `/p/${page.slug}`, cookies: [cookie] }
      },
    },
    [APPROVE_REQUEST]: {
      async describe(confirmation) {
        const { email } = requestIn(confirmation)
        const name = nameOf(await pageOf(confirmation))
        const text = `This invites ${email} to open ${name}, and mails them the link.`
        return { title: 'Approve the request', text, button: `Let ${email} in` }
      },
      act: (confirmation) => decide(confirmation, 'approve'),
    },
    [DENY_REQUEST]: {
      async describe(confirmation) {
        const { email } = requestIn(confirmation)
        const name = nameOf(await pageOf(confirmation))
        const text = `${email} is not let in to ${name}, and is not told.`
        return { title: 'Deny the request', text, button: `Keep ${email} out` }
      },
      act: (confirmation) => decide(confirmation, 'deny'),
    },
  }
}
