import {
  type Access,
  type OpenRequest,
  REVIEW_REQUESTS,
  type RequestDecision,
} from '../../../features/access/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import { type Html, html } from '../../../model/html.ts'
import { displayStranger } from '../../../platform/display-email.ts'
import { sha256 } from '../../../platform/secrets.ts'
import type { Forms } from './forms.ts'
import { pageResponse, redirectResponse } from './page-response.ts'
import { appPage, hiddenFields, linkClosedPage, type PageContext } from './pages.ts'

export interface RequestReviewDeps {
  access: Access
  confirmations: Confirmations
  pages: Pages
  forms: Forms
  page: PageContext
}

/**
 * The page where an owner decides many access requests, opened by the link of a digest mail. The
 * link works until it expires: it decides requests for the pages of one account, and nothing else.
 */
export function createRequestReview({
  access,
  confirmations,
  pages,
  forms,
  page,
}: RequestReviewDeps) {
  async function accountOf(token: string): Promise<string | null> {
    const confirmation = await confirmations.peek(token)
    if (confirmation?.purpose !== REVIEW_REQUESTS) return null
    return String(confirmation.details?.account_id)
  }

  return {
    async show(token: string, request: Request): Promise<Response> {
      const accountId = await accountOf(token)
      if (accountId === null) {
        return pageResponse(request, { body: linkClosedPage(page), status: 410 })
      }
      const browser = forms.browserOf(request)
      const open = await access.openRequests(accountId)
      const formToken = browser.formToken(reviewForm(token))
      const body = reviewPage(page, { open, token, formToken })
      return pageResponse(request, { body, cookies: [browser.cookie] })
    },
    async decide(token: string, request: Request): Promise<Response> {
      const { form, assertFor } = await forms.read(request)
      assertFor(reviewForm(token))
      const accountId = await accountOf(token)
      const target = await pages.find(form('page_id'))
      if (accountId === null || target?.account_id !== accountId) {
        return pageResponse(request, { body: linkClosedPage(page), status: 410 })
      }
      const decision: RequestDecision = form('decision') === 'approve' ? 'approve' : 'deny'
      await access.decide(target, form('request_id'), decision)
      const location = `/app/requests/${encodeURIComponent(token)}`
      return redirectResponse({ location, cookies: [] })
    },
  }
}

/** The forms are bound to the link's token, which their own token must not reveal. */
function reviewForm(token: string): string {
  return `review ${sha256(token)}`
}

interface Review {
  open: OpenRequest[]
  token: string
  formToken: string
}

function reviewPage(context: PageContext, { open, token, formToken }: Review): string {
  const action = `/app/requests/${encodeURIComponent(token)}`
  const main =
    open.length === 0
      ? html`<p class="why">Every request is decided.</p>`
      : html`<p class="why">Those whom you approve are invited, and get a mail with the link. The
others get no mail.</p>
<ul class="rows">${open.map((one) => requestRow(one, { action, formToken }))}</ul>`
  return appPage(context, 'Requests for access', main)
}

function requestRow(
  { id, page_id: pageId, email, pageName }: OpenRequest,
  { action, formToken }: { action: string; formToken: string },
): Html {
  const decide = (decision: RequestDecision, label: string, look: string) =>
    html`<form method="post" action="${action}">
${hiddenFields({ token: formToken, page_id: pageId, request_id: id, decision })}
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
