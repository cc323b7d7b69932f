import { Hono } from 'hono'
import { OAuthError } from '../../../features/oauth/index.ts'
import { LIMITS } from '../../../features/throttles/index.ts'
import { SCOPES } from '../../../model/account.ts'
import { STATUS } from '../../../model/error-codes/meaning.ts'
import { Refusal } from '../../../model/errors.ts'
import { BodyTooLarge, parseJson, readForm } from '../../kit/body.ts'
import { RESOURCE_METADATA } from '../../kit/call-operation.ts'
import { buildResponse, emptyResponse, jsonResponse } from '../../kit/response.ts'
import type { AppContext } from '../app/context.ts'
import { refusalParts } from '../app/pages.ts'
import { authorizeRoutes } from './authorize.ts'

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
