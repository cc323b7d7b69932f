import type { Pages } from '../../../features/pages/index.ts'
import { CONFIRM_EMAIL, detailsIn, publicName } from '../../../features/viewer-emails/index.ts'
import type { ConfirmReason } from '../../../model/conversation.ts'
import { refuse } from '../../../model/errors.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type { ConfirmationActions } from '../../kit/confirmation-actions.ts'
import type { GateCookies } from '../request/gate-cookies.ts'
import { encodePath } from '../request/paths.ts'

const TO_DO: Record<ConfirmReason, string> = {
  comment: 'comment on',
  vote: 'vote on',
  decide: 'approve, or request changes to,',
}

export interface ConfirmEmailActionDeps {
  pages: Pages
  gateCookies: GateCookies
  host: string
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** The action of the link in the mail that the panel sends. */
export function confirmEmailAction(deps: ConfirmEmailActionDeps): ConfirmationActions {
  const { pages, gateCookies, host, nowMs } = deps

  async function pageOf(pageId: string | null, tx?: Tx): Promise<Page> {
    const page = pageId === null ? undefined : await pages.find(pageId, tx)
    if (page === undefined) throw refuse.notFound('page_not_found', 'This page is gone.')
    return page
  }

  return {
    [CONFIRM_EMAIL]: {
      async describe(confirmation) {
        const name = publicName(await pageOf(confirmation.page_id))
        const { reason } = detailsIn(confirmation)
        const email = displayEmail(confirmation.email)
        return {
          title: 'Confirm your email',
          text:
            `This confirms ${email} in this browser, to ${TO_DO[reason]} ${name}, ` +
            `and for every page on ${host} that it may open.`,
          button: 'Confirm',
        }
      },
      async act(tx, confirmation, request) {
        const { slug } = await pageOf(confirmation.page_id, tx)
        const { path } = detailsIn(confirmation)
        const held = request.headers.get('cookie') ?? ''
        const cookie = gateCookies.emailCookie(held, confirmation.email, nowMs())
        // No redirect: opening the page again would be another view, which a limit may not allow.
        const text =
          `${displayEmail(confirmation.email)} is confirmed in this browser. Go back to the page ` +
          'that you have open: it goes on by itself. On another device, type the code of the mail.'
        const link = { label: 'Open the page', path: `/p/${slug}${path && `/${encodePath(path)}`}` }
        return { next: { title: 'Email confirmed', text, link }, cookies: [cookie] }
      },
    },
  }
}
