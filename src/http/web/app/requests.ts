import type { Access, OpenRequest, RequestDecision } from '../../../features/access/index.ts'
import type { Confirmation, Confirmations } from '../../../features/confirmations/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import { type Html, html } from '../../../model/html.ts'
import type { Clock } from '../../../platform/clock.ts'
import { displayStranger } from '../../../platform/display-email.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { sealedToken } from '../../../platform/signed-token.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import { type Cookies, REVIEW_S } from '../../kit/cookies.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import type { Forms } from './forms.ts'
import {
  appPage,
  hiddenFields,
  linkClosedPage,
  type PageContext,
  pageResponse,
  redirectResponse,
} from './pages.ts'

const PURPOSE = 'review-requests'
/** Where the owner decides. The address has no secret in it. */
const PATH = '/app/requests'

export interface RequestReviewDeps {
  access: Access
  confirmations: Confirmations
  pages: Pages
  forms: Forms
  cookies: Cookies
  secrets: Secrets
  clock: Clock
  resolveSession: ResolveSession
  page: PageContext
}

/** The content of the cookie of a browser in which the link of a digest was used. */
interface Review {
  account_id: string
  until_ms: number
}

/**
 * The page where an owner decides many access requests. A browser may show it where the owner is
 * signed in, or for a while after the link of a digest mail was used there, which works once.
 */
export function createRequestReview(deps: RequestReviewDeps) {
  const { access, confirmations, pages, forms, page } = deps
  const { cookies, secrets, clock, resolveSession } = deps

  const reviews = sealedToken<Review>(secrets, PURPOSE, ({ until_ms }) => until_ms)

  /** The account whose requests this browser may decide. */
  async function accountIn(request: Request): Promise<string | null> {
    const review = reviews.read('', cookies.reviewOf(request), clock.ms())
    return review?.account_id ?? (await resolveSession(request))?.account.id ?? null
  }

  const action: ConfirmationAction = {
    describe: () => ({
      title: 'Requests for access',
      text: 'This shows who asks to open your pages. This browser may decide for half an hour.',
      button: 'Show the requests',
    }),
    async act(_tx, confirmation) {
      const review = {
        account_id: accountOf(confirmation),
        until_ms: clock.ms() + REVIEW_S * 1000,
      }
      const sealed = reviews.make('', review)
      return { next: PATH, cookies: [cookies.review(sealed)] }
    },
  }

  return {
    action,
    /** Opens the link of a mail. It needs no button where the owner is signed in. */
    async followLink(token: string, request: Request): Promise<Response> {
      const session = await resolveSession(request)
      const confirmation = await confirmations.peek(token)
      const isOwn = confirmation === null || accountOf(confirmation) === session?.account.id
      const location =
        session !== null && isOwn ? PATH : `/app/confirm/${encodeURIComponent(token)}`
      return redirectResponse({ location, cookies: [] })
    },
    async show(request: Request): Promise<Response> {
      const accountId = await accountIn(request)
      if (accountId === null) return toSignIn()
      const browser = forms.browserOf(request)
      const open = await access.openRequests(accountId)
      const formToken = browser.formToken(formOf(accountId))
      const body = reviewPage(page, open, formToken)
      return pageResponse(request, { body, cookies: [browser.cookie] })
    },
    async decide(request: Request): Promise<Response> {
      const { form, assertFor } = await forms.read(request)
      const accountId = await accountIn(request)
      if (accountId === null) return toSignIn()
      assertFor(formOf(accountId))
      const target = await pages.find(form('page_id'))
      if (target?.account_id !== accountId) {
        return pageResponse(request, { body: linkClosedPage(page), status: 410 })
      }
      const decision: RequestDecision = form('decision') === 'approve' ? 'approve' : 'deny'
      await access.decide(target, form('request_id'), decision)
      return redirectResponse({ location: PATH, cookies: [] })
    },
  }
}

function accountOf({ details }: Confirmation): string {
  return String(details?.account_id)
}

function formOf(accountId: string): string {
  return `review ${accountId}`
}

function toSignIn(): Response {
  const location = `/app/sign-in?next=${encodeURIComponent(PATH)}`
  return redirectResponse({ location, cookies: [] })
}

function reviewPage(context: PageContext, open: OpenRequest[], formToken: string): string {
  const main =
    open.length === 0
      ? html`<p class="why">Every request is decided.</p>`
      : html`<p class="why">Those whom you approve are invited, and get a mail with the link. The
others get no mail.</p>
<ul class="rows">${open.map((one) => requestRow(one, formToken))}</ul>`
  return appPage(context, 'Requests for access', main)
}

function requestRow({ id, page_id, email, pageName }: OpenRequest, formToken: string): Html {
  const decide = (decision: RequestDecision, label: string, look: string) =>
    html`<form method="post" action="${PATH}">
${hiddenFields({ token: formToken, page_id, request_id: id, decision })}
<button class="${look}" aria-label="${label} ${email}">${label}</button>
</form>`
  return html`<li>
<div><b>${displayStranger(email)}</b>
<p class="help">${pageName}</p></div>
<div class="choices">${decide('approve', 'Approve', 'button')}
${decide('deny', 'Deny', 'button quiet')}</div>
</li>
`
}
