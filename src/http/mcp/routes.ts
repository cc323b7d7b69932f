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
import { isOwnHost } from '../kit/csrf.ts'
import { emptyAnswer, jsonAnswer } from '../kit/json-response.ts'
import { type Authenticate, credentialId } from '../kit/principal.ts'
import { storageFullRefusal } from '../kit/storage-full.ts'
import { callTool, toolsOf } from './call-tool.ts'
import { answerMessage } from './protocol-versions.ts'
import {
  INVALID_REQUEST,
  internalErrorAnswer,
  requestTooLarge,
  rpcErrorAnswer,
} from './rpc-errors.ts'

export interface McpDeps {
  operations: Operation[]
  authenticate: Authenticate
  findPage(account: Account, idOrSlug: string): Promise<Page>
  bodyReader: BodyReader
  throttles: Throttles
  log: Log
  baseUrl: string
}

/**
 * MCP over Streamable HTTP, for clients of 2025 and of 2026 alike. Each request is whole in itself:
 * nothing is kept between two, so any node answers any of them.
 */
export function mcpRoutes(deps: McpDeps) {
  const { authenticate, bodyReader, throttles, log, baseUrl } = deps
  let tools: ReturnType<typeof toolsOf> | undefined
  /** Made when the first client asks: a start does not wait for their schemas. */
  const offered = () => {
    tools ??= toolsOf(deps.operations)
    return tools
  }

  return async (request: Request, requestId: string): Promise<Response> => {
    try {
      return await answer(request, requestId)
    } catch (err) {
      if (err instanceof BodyTooLarge) return rpcErrorAnswer(requestTooLarge())
      if (err instanceof Refusal) return rpcErrorAnswer(err)
      // Whoever sent it went away before it was whole.
      if (request.signal.aborted) return emptyAnswer(400)
      log.error('request failed', { request_id: requestId, path: '/mcp', err })
      const full = storageFullRefusal(err)
      return full === null ? internalErrorAnswer(requestId) : rpcErrorAnswer(full)
    }
  }

  async function answer(request: Request, requestId: string): Promise<Response> {
    const account = await admit(request)
    const bytes = await bodyReader.read(request, { maxBytes: BODY_LIMIT_BYTES, sender: 'key' })
    if (isList(bytes)) {
      const message = 'Send one message a request: lists of them are not taken.'
      return rpcErrorAnswer(refuse.invalid('malformed_json', message), INVALID_REQUEST)
    }
    const message = parseJson(request, bytes)
    const answered = await answerMessage(request, message, () => serverFor(account, requestId))
    const text = await answered.text()
    const { status } = answered
    return text === '' ? emptyAnswer(status) : jsonAnswer(status, new JsonText(text))
  }

  async function admit(request: Request): Promise<Account> {
    assertOwnSite(request, baseUrl)
    if (request.method !== 'POST') {
      throw refuse.methodNotAllowed('method_not_allowed', 'This address takes POST.')
    }
    assertDeclaredLength(request)
    const principal = await authenticate(request)
    const { isAllowed, resetS } = await throttles.consume(LIMITS.api, credentialId(principal))
    if (!isAllowed) throw rateLimited(resetS)
    return principal.account
  }

  function serverFor(account: Account, requestId: string): Server {
    const options = serverOptions(baseUrl, SUPPORTED_PROTOCOL_VERSIONS)
    const server = new Server(serverInfo(packageJson.version, baseUrl), options)
    const { list, call } = toolHandlers(offered(), (tool, given) =>
      callTool(deps, { tool, given, account, request_id: requestId }),
    )
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', call)
    return server
  }
}

/**
 * Browsers say whose page is asking, and by which name they found us: a page of another site, or
 * one whose name was made to resolve here, is refused before anything is looked at. Programs name
 * no origin.
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
  const first = bytes.find((byte) => !WHITE.includes(byte))
  return first === 0x5b
}
const WHITE = [0x20, 0x09, 0x0a, 0x0d]
