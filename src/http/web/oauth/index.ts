import { Hono } from 'hono'
import {
  type AuthorizationRequest,
  CONNECTION_DAYS,
  MAX_REQUEST,
  metadataUrl,
  OAuthError,
  originOf,
  type Param,
  placeOf,
  redirectTo,
} from '../../../features/oauth/index.ts'
import { LIMITS } from '../../../features/throttles/index.ts'
import { type Account, SCOPE_WORDS, SCOPES } from '../../../model/account.ts'
import { STATUS } from '../../../model/error-codes/meaning.ts'
import { Refusal } from '../../../model/errors.ts'
import { html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { sha256 } from '../../../platform/ids.ts'
import { BodyTooLarge, parseForm, parseJson, readForm } from '../../kit/body.ts'
import { RESOURCE_METADATA, type SessionPrincipal } from '../../kit/call-operation.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import { layoutPolicy } from '../../kit/layout.ts'
import { buildResponse, emptyResponse, jsonResponse } from '../../kit/response.ts'
import type { AppContext } from '../app/context.ts'
import {
  appPage,
  errorMessage,
  type FormFields,
  hiddenFields,
  isRetryable,
  type PageContext,
  pageResponse,
  redirectResponse,
  refusalParts,
  signInAgainRedirect,
  signInRedirect,
  wrongHostResponse,
} from '../app/pages.ts'

const MAX_REGISTRATION_BYTES = 16 * 1024
/** The authorization server: its metadata, the page that asks, and what apps send. */
export function oauthRoutes(context: AppContext): Hono {
  const { oauth, throttles, bodyReader, addressOf, baseUrl } = context
  const routes = new Hono()

  for (const path of ['', '/mcp', '/api/v1'] as const) {
    crossOrigin(`${RESOURCE_METADATA}${path}`, 'GET', () =>
      metadataResponse(resourceMetadata(context, path)),
    )
  }
  crossOrigin('/.well-known/oauth-authorization-server', 'GET', () =>
    metadataResponse(serverMetadata(baseUrl)),
  )
  crossOrigin('/oauth/register', 'POST', async (request) => {
    await throttles.assert(LIMITS.oauth_register, addressOf(request))
    const options = { maxBytes: MAX_REGISTRATION_BYTES, sender: 'stranger' } as const
    const bytes = await bodyReader.read(request, options)
    const { id, name, redirect_uris } = await oauth.register(await parseJson(request, bytes))
    return jsonResponse(201, {
      client_id: id,
      ...(name !== null && { client_name: name }),
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })
  crossOrigin('/oauth/token', 'POST', async (request) => {
    await throttles.assert(LIMITS.oauth_token, addressOf(request))
    return jsonResponse(200, await oauth.token(await readForm(request, bodyReader)))
  })
  crossOrigin('/oauth/revoke', 'POST', async (request) => {
    await throttles.assert(LIMITS.oauth_token, addressOf(request))
    await oauth.revoke((await readForm(request, bodyReader))('token'))
    return emptyResponse(200)
  })
  authorizeRoutes(context, routes)

  /** Scripts of any site may read and send all this: no cookie counts here. */
  function crossOrigin(
    path: string,
    method: 'GET' | 'POST',
    answer: (request: Request) => Response | Promise<Response>,
  ): void {
    routes.on(method, path, async ({ req }) => {
      const response = await answerOrError(() => answer(req.raw))
      response.headers.set('access-control-allow-origin', '*')
      return response
    })
    routes.options(path, () => preflightResponse(method))
  }
  return routes
}

async function answerOrError(answer: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (err) {
    if (err instanceof OAuthError) return errorResponse(err.error, err.message)
    if (err instanceof BodyTooLarge) return errorResponse('invalid_request', 'This is too large.')
    if (!(err instanceof Refusal)) throw err
    const { status, headers } = refusalParts(err)
    const isOurs = status === STATUS.rateLimited || status >= STATUS.fault
    const error = isOurs ? 'temporarily_unavailable' : 'invalid_request'
    return jsonResponse(status, { error, error_description: err.message }, headers)
  }
}

function errorResponse(error: string, description: string): Response {
  const status = error === 'invalid_client' ? STATUS.unauthenticated : STATUS.invalid
  return jsonResponse(status, { error, error_description: description })
}

function metadataResponse(metadata: object): Response {
  return jsonResponse(200, metadata, { 'cache-control': 'public, max-age=3600' })
}

function preflightResponse(method: string): Response {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
    'access-control-max-age': '7200',
  }
  return buildResponse(null, { status: 204, headers, body: null })
}

/** What an app reads to find out where it gets tokens for a resource of ours (RFC 9728). */
function resourceMetadata({ baseUrl, site }: AppContext, path: '' | '/mcp' | '/api/v1') {
  return {
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: site.name,
    resource_documentation: `${baseUrl}/docs/mcp`,
  }
}

/** What this server is as an authorization server (RFC 8414). */
function serverMetadata(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs/mcp`,
  }
}

const PATH = '/oauth/authorize'

/** Where the app wants its answer, as the request was read when that was proven. */
type Recipient = Pick<AuthorizationRequest, 'redirect_uri'> & { state: string | null }

/** The page that asks whether an app may act for an account. */
function authorizeRoutes(context: AppContext, routes: Hono): void {
  const { oauth, baseUrl, resolveSession } = context

  /**
   * Answers a request for access once it is proven whose it is: by a signed-in account, for an app
   * whose address is one that it has named. An error goes there by a press alone: anybody can
   * register an app, and its request would lead from our address to any other by itself.
   */
  async function withRequest(
    request: Request,
    answer: (
      session: SessionPrincipal,
      authorization: AuthorizationRequest & Recipient,
    ) => Promise<Response>,
  ): Promise<Response> {
    const { search } = new URL(request.url)
    if (!isOwnHost(request, baseUrl)) return wrongHostResponse(context, request)
    let recipient: Recipient | null = null
    try {
      if (search.length > MAX_REQUEST) throw new OAuthError('invalid_request', TOO_LONG)
      const fields = parseForm(Buffer.from(search.slice(1)))
      const param: Param = (name) => fields.get(name) ?? ''
      const session = await resolveSession(request)
      if (session === null) return signInRedirect(`${PATH}${search}`)
      const { account } = session
      if (account.is_guest) {
        return pageResponse(request, { body: guestPage(context, account.email), status: 403 })
      }
      const client = await oauth.clientOf(param, account)
      recipient = { redirect_uri: param('redirect_uri'), state: fields.get('state') ?? null }
      const authorization = { ...oauth.parseRequest(param), client, ...recipient }
      if (!session.has_recent_sign_in) return signInAgainRedirect(`${PATH}${search}`)
      return await answer(session, authorization)
    } catch (err) {
      if (!(err instanceof OAuthError) && !(err instanceof Refusal)) throw err
      if (err instanceof Refusal) {
        const body = brokenRequestPage(context, err.message)
        return pageResponse(request, { body, ...refusalParts(err) })
      }
      const { error, message } = err
      const answer = { error, error_description: message }
      const back = recipient === null ? '' : answerAddress(recipient, answer)
      return pageResponse(request, { body: brokenRequestPage(context, message, back), status: 400 })
    }
  }

  /** Where an answer to the app goes. */
  function answerAddress({ redirect_uri, state }: Recipient, answer: Record<string, string>) {
    return redirectTo(redirect_uri, { ...answer, state, iss: baseUrl })
  }

  function ask(
    request: Request,
    { account }: SessionPrincipal,
    { authorization, error }: { authorization: AuthorizationRequest; error?: string },
  ): Response {
    const { search } = new URL(request.url)
    const form = { account, authorization, error, action: `${PATH}${search}` }
    return context.formPage(request, {
      action: formOf(account.id, search),
      body: (formToken) => consentPage(context, { ...form, formToken }),
      // The form leads to the app, which browsers allow only where the policy says so.
      csp: layoutPolicy({ formTarget: originOf(authorization.redirect_uri) }),
      status: error === undefined ? 200 : 403,
    })
  }

  routes.get(PATH, ({ req }) =>
    withRequest(req.raw, async (session, authorization) =>
      ask(req.raw, session, { authorization }),
    ),
  )
  routes.post(PATH, async ({ req }) => {
    const received = context.readForm(req.raw)
    // The session may end while the form arrives.
    await received.catch(() => {})
    return withRequest(req.raw, async (session, authorization) => {
      const { form, assertFor } = await received
      const { search } = new URL(req.url)
      try {
        assertFor(formOf(session.account.id, search))
      } catch (err) {
        if (!isRetryable(err)) throw err
        return ask(req.raw, session, { authorization, error: err.message })
      }
      if (form('decision') !== 'allow') {
        const error_description = 'The owner of the account did not allow it.'
        const denied = { error: 'access_denied', error_description }
        return redirectResponse(answerAddress(authorization, denied))
      }
      const code = await oauth.allow(session.account, authorization)
      return redirectResponse(answerAddress(authorization, { code }))
    })
  })
}

const TOO_LONG = `What the app sends along is longer than ${MAX_REQUEST} characters.`

/** The form of one request is valid for no other, and for no other account. */
function formOf(accountId: string, search: string): string {
  return `authorize ${accountId} ${sha256(search)}`
}

interface ConsentForm extends FormFields {
  account: Account
  authorization: AuthorizationRequest
  action: string
}

/** The name of an app is what it says itself, so whose it is stands in its own line. */
function consentPage(context: PageContext, form: ConsentForm): string {
  const { account, authorization, action, formToken, error } = form
  const { client, redirect_uri, scopes } = authorization
  const host = metadataUrl(client.id)?.host ?? null
  const place = placeOf(redirect_uri)
  const whose = host === null ? 'unknown: it gave its name itself' : html`<b>${host}</b>`
  const name = client.name ?? host ?? 'An app without a name'
  return appPage(
    context,
    'Connect an app',
    html`<p class="why"><b dir="auto">${name}</b> asks to use your account.</p>
<dl class="facts">
<div><dt>From</dt><dd>${whose}</dd></div>
${place !== host && html`<div><dt>Leads to</dt><dd><b>${place}</b></dd></div>`}
<div><dt>Account</dt><dd>${displayEmail(account.email)}</dd></div>
<div><dt>Ends</dt><dd>When you disconnect it under Account, or ${CONNECTION_DAYS} days after its
last use</dd></div>
</dl>
<div><p>It may:</p>
<ul class="may">${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope]}</li>`)}</ul></div>
<form method="post" action="${action}">
${hiddenFields({ token: formToken })}
${errorMessage(error)}
<div class="actions"><button class="button" name="decision" value="allow">Allow</button>
<button class="button quiet" name="decision" value="cancel">Cancel</button></div>
</form>
<p class="help">Did you not start this in an app yourself? Cancel it.</p>`,
    { formTarget: originOf(redirect_uri) },
  )
}

function guestPage(context: PageContext, email: string): string {
  return appPage(
    context,
    'This account connects no apps',
    html`<p class="why">${displayEmail(email)} is a guest here: it opens the pages that invite it,
and has none that an app could work on.</p>
<p class="help">Ask the operator of this server for an account.</p>`,
  )
}

/** @param back tells the app, where the address for its answers is proven */
function brokenRequestPage(context: PageContext, message: string, back = ''): string {
  return appPage(
    context,
    'This app cannot connect',
    html`<p class="why">${message}</p>
${back && html`<p class="links"><a href="${back}">Back to the app: ${placeOf(back)}</a></p>`}
<p class="help">Nothing was allowed. Start again in the app. If this stays, tell its maker.</p>`,
  )
}
