import type { Hono } from 'hono'
import {
  type AuthorizationRequest,
  MAX_REQUEST,
  OAuthError,
  type Param,
  redirectTo,
} from '../../../features/oauth/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { sha256 } from '../../../platform/secrets.ts'
import { parseForm } from '../../kit/body.ts'
import type { SessionPrincipal } from '../../kit/call-operation.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import type { AppContext } from '../app/context.ts'
import {
  isRetryable,
  pageResponse,
  redirectResponse,
  refusalParts,
  signInAgainRedirect,
  signInRedirect,
  wrongHostPage,
} from '../app/pages.ts'
import { brokenRequestPage, consentPage, consentPolicy, guestPage } from './consent-page.ts'

const PATH = '/oauth/authorize'

/** The page that asks whether an app may act for an account. */
export function authorizeRoutes(context: AppContext, routes: Hono): void {
  const { oauth, page, baseUrl, resolveSession } = context

  /**
   * Answers a request for access once it is proven whose it is: by a signed-in account, for an app
   * whose address is one that it has named. Only then is an error sent there.
   */
  async function withRequest(
    request: Request,
    answer: (session: SessionPrincipal, asked: AuthorizationRequest) => Promise<Response>,
  ): Promise<Response> {
    const { search } = new URL(request.url)
    if (!isOwnHost(request, baseUrl)) {
      return pageResponse(request, { body: wrongHostPage(page, baseUrl), status: 421 })
    }
    try {
      if (search.length > MAX_REQUEST) throw new OAuthError('invalid_request', TOO_LONG)
      const fields = parseForm(Buffer.from(search.slice(1)))
      const param: Param = (name) => fields.get(name) ?? ''
      const session = await resolveSession(request)
      if (session === null) return signInRedirect(`${PATH}${search}`)
      const { account } = session
      if (account.is_guest) {
        return pageResponse(request, { body: guestPage(page, account.email), status: 403 })
      }
      const client = await oauth.clientOf(param, account)
      try {
        const asked = { ...oauth.parseRequest(param), client, redirect_uri: param('redirect_uri') }
        if (!session.has_recent_sign_in) return signInAgainRedirect(`${PATH}${search}`)
        return await answer(session, asked)
      } catch (err) {
        if (!(err instanceof OAuthError)) throw err
        return redirectResponse(errorAddress(param, err))
      }
    } catch (err) {
      if (!(err instanceof OAuthError) && !(err instanceof Refusal)) throw err
      const parts = err instanceof Refusal ? refusalParts(err) : { status: 400 }
      return pageResponse(request, { body: brokenRequestPage(page, err.message), ...parts })
    }
  }

  function errorAddress(param: Param, { error, message }: OAuthError): string {
    return redirectTo(param('redirect_uri'), {
      error,
      error_description: message,
      state: param('state') || null,
      iss: baseUrl,
    })
  }

  function ask(
    request: Request,
    { account }: SessionPrincipal,
    { asked, error }: { asked: AuthorizationRequest; error?: string },
  ): Response {
    const { search } = new URL(request.url)
    const form = { account, asked, error, action: `${PATH}${search}` }
    return context.formPage(request, {
      action: formOf(account.id, search),
      body: (formToken) => consentPage(page, { ...form, formToken }),
      csp: consentPolicy(asked),
      status: error === undefined ? 200 : 403,
    })
  }

  routes.get(PATH, ({ req }) =>
    withRequest(req.raw, async (session, asked) => ask(req.raw, session, { asked })),
  )
  routes.post(PATH, ({ req }) =>
    withRequest(req.raw, async (session, asked) => {
      const { form, assertFor } = await context.readForm(req.raw)
      const { search, searchParams } = new URL(req.url)
      try {
        assertFor(formOf(session.account.id, search))
      } catch (err) {
        if (!isRetryable(err)) throw err
        return ask(req.raw, session, { asked, error: err.message })
      }
      if (form('decision') !== 'allow') {
        throw new OAuthError('access_denied', 'The owner of the account did not allow it.')
      }
      const code = await oauth.allow(session.account, asked)
      const state = searchParams.get('state')
      return redirectResponse(redirectTo(asked.redirect_uri, { code, state, iss: baseUrl }))
    }),
  )
}

const TOO_LONG = `What the app sends along is longer than ${MAX_REQUEST} characters.`

/** The form of one request is valid for no other, and for no other account. */
function formOf(accountId: string, search: string): string {
  return `authorize ${accountId} ${sha256(search)}`
}
