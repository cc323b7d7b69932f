import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import packageJson from '../../../package.json' with { type: 'json' }
import { LIMITS, rateLimited } from '../../features/throttles/index.ts'
import type { Account } from '../../model/account.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import { serverInfo, serverOptions, toolHandlers } from '../../model/mcp/server.ts'
import { fullRefusal } from '../kit/storage-full.ts'
import { emptyAnswer, jsonAnswer } from '../kit/json-response.ts'
import { assertDeclaredLength, BodyTooLarge, parseJson, readBody } from '../kit/body.ts'
import type { RestMachines } from '../rest/index.ts'
import { isOwnHost } from '../kit/csrf.ts'
import { callTool, toolsOf } from './call.ts'
import { answerMessage } from './protocol-versions.ts'
import {
  INVALID_REQUEST,
  internalErrorAnswer,
  requestTooLarge,
  rpcErrorAnswer,
} from './rpc-errors.ts'

export interface McpMachines extends RestMachines {
  base_url: string
}

/**
 * MCP over Streamable HTTP, for clients of 2025 and of 2026 alike. Each request is whole in itself:
 * nothing is kept between two, so any node answers any of them.
 */
export function mcpDoor(machines: McpMachines) {
  const { authenticate, throttles, log, base_url } = machines
  let tools: ReturnType<typeof toolsOf> | undefined
  /** Made when the first client asks: a start does not wait for their schemas. */
  const offered = () => {
    tools ??= toolsOf(machines.operations)
    return tools
  }

  return async (request: Request, request_id: string): Promise<Response> => {
    try {
      return await answer(request, request_id)
    } catch (err) {
      if (err instanceof BodyTooLarge) return rpcErrorAnswer(requestTooLarge())
      if (err instanceof Refusal) return rpcErrorAnswer(err)
      // Whoever sent it went away before it was whole.
      if (request.signal.aborted) return emptyAnswer(400)
      log.error('request failed', { request_id, path: '/mcp', err })
      const full = fullRefusal(err)
      return full === null ? internalErrorAnswer(request_id) : rpcErrorAnswer(full)
    }
  }

  async function answer(request: Request, request_id: string): Promise<Response> {
    const account = await admit(request)
    const bytes = await readBody(request)
    if (isList(bytes)) {
      const message = 'Send one message a request: lists of them are not taken.'
      return rpcErrorAnswer(refuse.invalid('malformed_json', message), INVALID_REQUEST)
    }
    const message = parseJson(request, bytes)
    const answered = await answerMessage(request, message, () => serverFor(account, request_id))
    const text = await answered.text()
    const { status } = answered
    return text === '' ? emptyAnswer(status) : jsonAnswer(status, new JsonText(text))
  }

  async function admit(request: Request): Promise<Account> {
    assertOwnSite(request, base_url)
    if (request.method !== 'POST') {
      throw refuse.methodNotAllowed('method_not_allowed', 'This address takes POST.')
    }
    assertDeclaredLength(request)
    const { account, key_id } = await authenticate(request.headers.get('authorization'))
    const { is_allowed, reset_s } = await throttles.take(LIMITS.api, key_id)
    if (!is_allowed) throw rateLimited(reset_s)
    return account
  }

  function serverFor(account: Account, request_id: string): Server {
    const options = serverOptions(base_url, SUPPORTED_PROTOCOL_VERSIONS)
    const server = new Server(serverInfo(packageJson.version, base_url), options)
    const { list, call } = toolHandlers(offered(), (tool, given) =>
      callTool(machines, { tool, given, account, request_id }),
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
function assertOwnSite(request: Request, base_url: string): void {
  const origin = request.headers.get('origin')
  const is_own = origin === null || origin === new URL(base_url).origin
  if (is_own && isOwnHost(request, base_url)) return
  const message =
    `Connect to ${base_url}/mcp itself, not from a page of another site; ` +
    'a proxy in between must pass Host on as it is.'
  throw refuse.forbidden('foreign_origin', message)
}

function isList(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !WHITE.includes(byte))
  return first === 0x5b
}
const WHITE = [0x20, 0x09, 0x0a, 0x0d]
