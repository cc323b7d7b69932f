import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import packageJson from '../../../package.json' with { type: 'json' }
import { LIMITS, rateLimited, type Throttles } from '../../features/throttles/index.ts'
import type { Account } from '../../model/account.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import { serverInfo, serverOptions, toolHandlers } from '../../model/mcp/server.ts'
import type { Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'
import type { Log } from '../../platform/log.ts'
import { assertDeclaredLength, type BodyReader, BodyTooLarge, parseJson } from '../kit/body.ts'
import { createCompressibleResults } from '../kit/call-operation.ts'
import type { Compressor } from '../kit/compressor.ts'
import { isOwnHost } from '../kit/csrf.ts'
import { emptyResponse, jsonResponse } from '../kit/json-response.ts'
import { outageRefusal } from '../kit/outage.ts'
import { type Authenticate, callerOf } from '../kit/principal.ts'
import { callTool, createTools } from './call-tool.ts'
import { handleMessage } from './protocol-versions.ts'
import {
  INVALID_REQUEST,
  requestTooLarge,
  rpcErrorResponse,
  rpcInternalErrorResponse,
} from './rpc-errors.ts'

interface McpDeps {
  operations: Operation[]
  authenticate: Authenticate
  findPage(account: Account, idOrSlug: string): Promise<Page>
  bodyReader: BodyReader
  throttles: Throttles
  compressor: Compressor
  log: Log
  baseUrl: string
}

/**
 * MCP over Streamable HTTP, for clients of the 2025 and the 2026 protocol versions. The server has
 * no state between requests, so any node can answer any of them.
 */
export function mcpRoutes(deps: McpDeps) {
  const { bodyReader, compressor, log } = deps
  const { serversFor, hasSecrets } = createServers(deps)

  async function handle(request: Request, requestId: string): Promise<Response> {
    const account = await authenticateCall(request, deps)
    const bytes = await bodyReader.read(request, { maxBytes: BODY_LIMIT_BYTES, sender: 'key' })
    if (isList(bytes)) {
      const message = 'Send one message a request: lists of them are not taken.'
      return rpcErrorResponse(refuse.invalid('malformed_json', message), INVALID_REQUEST)
    }
    const message = await parseJson(request, bytes)
    const newServer = serversFor(account, requestId)
    const response = await handleMessage(request, message, newServer)
    const text = await response.text()
    const { status } = response
    if (text === '') return emptyResponse(status)
    const isCompressible = !hasSecrets(message)
    const answer = jsonResponse(status, new JsonText(text))
    return isCompressible ? compressor.respond(request, answer) : answer
  }

  return async (request: Request, requestId: string): Promise<Response> => {
    try {
      return await handle(request, requestId)
    } catch (err) {
      if (err instanceof BodyTooLarge) return rpcErrorResponse(requestTooLarge())
      if (err instanceof Refusal) return rpcErrorResponse(err)
      // The client closed the connection before the whole body arrived, which is not a bug.
      if (request.signal.aborted) return emptyResponse(400)
      log.error('request failed', { request_id: requestId, route: '/mcp', err })
      const outage = outageRefusal(err)
      return outage === null ? rpcInternalErrorResponse(requestId) : rpcErrorResponse(outage)
    }
  }
}

/** Authenticates a call and counts it against the rate limit that it shares with REST. */
async function authenticateCall(
  request: Request,
  { authenticate, throttles, baseUrl }: McpDeps,
): Promise<Account> {
  assertOwnSite(request, baseUrl)
  if (request.method !== 'POST') {
    throw refuse.methodNotAllowed('method_not_allowed', 'This address takes POST.')
  }
  assertDeclaredLength(request)
  const principal = await authenticate(request)
  const { isAllowed, resetS } = await throttles.consume(LIMITS.api, callerOf(principal))
  if (!isAllowed) throw rateLimited(resetS)
  return principal.account
}

/** Makes an SDK server for each call, and says whether its answer may contain a secret. */
function createServers({ operations, findPage, log, baseUrl }: McpDeps) {
  const hasCompressibleResult = createCompressibleResults()
  let made: ReturnType<typeof createTools> | undefined
  /** Built at the first request, so that a start does not wait for the schemas. */
  function tools() {
    made ??= createTools(operations)
    return made
  }

  return {
    /** @returns a function that makes a server for a call of this account */
    serversFor(account: Account, requestId: string): () => Server {
      return () => {
        const options = serverOptions(baseUrl, SUPPORTED_PROTOCOL_VERSIONS)
        const server = new Server(serverInfo(packageJson.version, baseUrl), options)
        const { list, call } = toolHandlers(tools(), (tool, given) =>
          callTool({ findPage, log, baseUrl }, { tool, arguments: given, account, requestId }),
        )
        server.setRequestHandler('tools/list', list)
        server.setRequestHandler('tools/call', call)
        return server
      }
    },
    /** Whether the answer to the message may hold a secret, such as the password of a page. */
    hasSecrets({ method, params }: Record<string, unknown>): boolean {
      if (method !== 'tools/call') return false
      const tool = tools().get(String((params as { name?: unknown } | undefined)?.name))
      return tool === undefined || !hasCompressibleResult(tool.operation.contract)
    },
  }
}

/**
 * Refuses a page of another site, and a page whose host name was made to resolve to this server.
 * Browsers send both names; programs send no `Origin`.
 */
function assertOwnSite(request: Request, baseUrl: string): void {
  const origin = request.headers.get('origin')
  const isOwn = origin === null || origin === new URL(baseUrl).origin
  if (isOwn && isOwnHost(request, baseUrl)) return
  const message =
    `Connect to ${baseUrl}/mcp itself, not from a page of another site; ` +
    'a proxy in between must pass Host on as it is.'
  throw refuse.forbidden('foreign_origin', message)
}

function isList(bytes: Uint8Array): boolean {
  return bytes.find((byte) => !WHITESPACE.includes(byte)) === '['.charCodeAt(0)
}
const WHITESPACE = [...' \t\n\r'].map((character) => character.charCodeAt(0))
