import type { Hono } from 'hono'
import type { OpenRequest, RequestDecision } from '../../../features/access/index.ts'
import type { Confirmation } from '../../../features/confirmations/index.ts'
import { type Html, html } from '../../../model/html.ts'
import { displayStranger } from '../../../platform/display-email.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import { REVIEW_S } from '../../kit/cookies.ts'
import type { AppContext } from './context.ts'
import {
  appPage,
  hiddenFields,
  linkClosedResponse,
  redirectResponse,
  signInRedirect,
} from './pages.ts'

const PURPOSE = 'review-requests'
/** Where the owner decides. The address has no secret in it. */
const PATH = '/app/requests'

/** The content of the cookie of a browser in which the link of a digest was used. */
interface Review {
  account_id: string
  until_ms: number
}

/** Lets the browser in which the link of a digest mail is used decide for a while. */
export function reviewAction({ clock, cookies, seal }: AppContext): ConfirmationAction {
  return {
    describe: () => ({
      title: 'Requests for access',
      text: 'This shows who asks to open your pages. This browser may decide for half an hour.',
      button: 'Show the requests',
    }),
    async act(_tx, confirmation) {
      const until_ms = clock.ms() + REVIEW_S * 1000
      const review: Review = { account_id: accountOf(confirmation), until_ms }
      return { next: PATH, cookies: [cookies.review(seal(PURPOSE, review))] }
    },
  }
}

/**
 * The page where an owner decides many access requests. A browser may show it where the owner is
 * signed in, or for a while after the link of a digest mail was used there, which works once.
 */
export function requestRoutes(context: AppContext, routes: Hono): void {
  const { access, confirmations, pages, cookies, resolveSession } = context

  /** The account whose requests this browser may decide. */
  async function accountIn(request: Request): Promise<string | null> {
    const review = context.unseal<Review>(PURPOSE, cookies.reviewOf(request))
    return review?.account_id ?? (await resolveSession(request))?.account.id ?? null
  }

  // Opens the link of a mail. It needs no button where the owner is signed in.
  routes.get('/requests/:token', async ({ req }) => {
    const token = req.param('token')
    const session = await resolveSession(req.raw)
    const confirmation = await confirmations.peek(token)
    const isOwn = confirmation === null || accountOf(confirmation) === session?.account.id
    const isAllowed = session !== null && isOwn
    return redirectResponse(isAllowed ? PATH : `/app/confirm/${encodeURIComponent(token)}`)
  })
  routes.get('/requests', async ({ req }) => {
    const accountId = await accountIn(req.raw)
    if (accountId === null) return signInRedirect(PATH)
    const open = await access.openRequests(accountId)
    const body = (formToken: string) => reviewPage(context, open, formToken)
    return context.formPage(req.raw, { action: formOf(accountId), body })
  })
  routes.post('/requests', async ({ req }) => {
    const { form, assertFor } = await context.readForm(req.raw)
    const accountId = await accountIn(req.raw)
    if (accountId === null) return signInRedirect(PATH)
    assertFor(formOf(accountId))
    const target = await pages.find(form('page_id'))
    if (target?.account_id !== accountId) return linkClosedResponse(context, req.raw)
    const decision: RequestDecision = form('decision') === 'approve' ? 'approve' : 'deny'
    await access.decide(target, form('request_id'), decision)
    return redirectResponse(PATH)
  })
}

function accountOf({ details }: Confirmation): string {
  return String(details?.account_id)
}

function formOf(accountId: string): string {
  return `review ${accountId}`
}

function reviewPage(context: AppContext, open: OpenRequest[], formToken: string): string {
  const main =
    open.length === 0
      ? html`<p class="why">Every request is decided.</p>`
      : html`<p class="why">Those whom you approve are invited${
          context.checks.sendsMails
            ? ', and get a mail with the link. The others get no mail.'
            : '. This server sends no mail: copy the link for each under Share.'
        }</p>
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
