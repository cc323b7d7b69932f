import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  McpServer,
  METHOD_NOT_FOUND,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import packageJson from '../../../package.json' with { type: 'json' }
import type { OAuth } from '../../features/oauth/index.ts'
import { apiLimitOf, rateLimited, type Throttles } from '../../features/throttles/index.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import {
  SKILL_OPTIONS,
  serverInfo,
  serverOptions,
  skillFiles,
  toolHandlers,
} from '../../model/mcp/server.ts'
import { takesTasks, waitsForPeople } from '../../model/mcp/tasks.ts'
import { chooseTools } from '../../model/mcp/tools.ts'
import { BODY_LIMIT_BYTES, inMegabytes } from '../../model/plan.ts'
import { outageRefusal } from '../../platform/outages.ts'
import { loadOnce } from '../../platform/promises.ts'
import { assertDeclaredLength, type BodyReader, BodyTooLarge, parseJson } from '../kit/body.ts'
import {
  type Authenticate,
  bearerChallenge,
  callerOf,
  createCompressibleResults,
  isOpenTo,
  refusalFor,
} from '../kit/call-operation.ts'
import type { Compressor } from '../kit/compressor.ts'
import { isOwnHost } from '../kit/csrf.ts'
import { emptyResponse, jsonResponse, refusalResponse } from '../kit/response.ts'
import {
  type Call,
  type CallOutcome,
  callTool,
  createTools,
  internalError,
  refusalResult,
  type Tool,
} from './call-tool.ts'
import { type TasksDeps, tasksOfCallers } from './tasks.ts'

interface McpDeps extends TasksDeps {
  authenticate: Authenticate
  bodyReader: BodyReader
  throttles: Throttles
  oauth: Pick<OAuth, 'requireConsent'>
  compressor: Compressor
}

type Message = Record<string, unknown>
type NewServer = (request: Pick<McpRequestContext, 'era'>) => Server

/** Codes of JSON-RPC, and the first code that it leaves to servers. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603
const SERVER_ERROR = -32_000

/**
 * MCP over Streamable HTTP, for clients of the 2025 and the 2026 protocol versions. The server has
 * no state between requests, so any node can answer any of them.
 */
export function mcpRoutes(deps: McpDeps) {
  const { authenticate, bodyReader, compressor, oauth, log, baseUrl } = deps
  const { serversFor, toolOf } = createServers(deps)
  const hasCompressibleResult = createCompressibleResults()
  const skills = loadOnce(() =>
    SkillsExtension.load(memorySkillFiles(skillFiles(baseUrl)), SKILL_OPTIONS),
  )

  async function handle(request: Request, requestId: string): Promise<Response> {
    const { refusal, ...call } = await authenticateCall(request, deps)
    const sets = new URL(request.url).searchParams.get('tools')
    const bytes = await bodyReader.read(request, { maxBytes: BODY_LIMIT_BYTES, sender: 'key' })
    if (isList(bytes)) {
      const message = 'Send one message a request: lists of them are not taken.'
      return rpcErrorResponse(refuse.invalid('malformed_json', message), {}, INVALID_REQUEST)
    }
    const message = await parseJson(request, bytes)
    if (refusal !== null && message.method !== CALL) throw refusal
    // While the body arrived, its sender can have lost the right to send it.
    const caller = { ...call, ...(await authenticate(request)) }
    const { key } = caller
    const tool = toolOf(message)
    // A result would reach the model; its client has to see this, and ask the person for more.
    const missing = key?.client_id && tool && refusalFor(tool.operation.contract, key)
    if (missing && refusal === null) {
      await oauth.requireConsent(key.id)
      throw missing
    }
    const server = serversFor({ ...caller, requestId, sets, refusal }, await skills())
    const response = await handleMessage(request, message, server)
    const text = await response.text()
    if (text === '') return emptyResponse(response.status)
    const answer = jsonResponse(response.status, new JsonText(text))
    const isCompressible = tool
      ? hasCompressibleResult(tool.operation.contract)
      : message.method !== CALL
    return isCompressible ? compressor.respond(request, answer) : answer
  }

  return async (request: Request, requestId: string): Promise<Response> => {
    try {
      return await handle(request, requestId)
    } catch (err) {
      if (err instanceof BodyTooLarge) return rpcErrorResponse(requestTooLarge())
      if (err instanceof Refusal) {
        return rpcErrorResponse(err, bearerChallenge(err, { baseUrl, resource: '/mcp' }))
      }
      // The client closed the connection before the whole body arrived, which is not a bug.
      if (request.signal.aborted) return emptyResponse(400)
      log.error('request failed', { request_id: requestId, route: '/mcp', err })
      const outage = outageRefusal(err)
      if (outage !== null) return rpcErrorResponse(outage)
      const { message, ...data } = internalError(requestId)
      return jsonResponse(500, rpcError({ code: INTERNAL_ERROR, message, data }))
    }
  }
}

/**
 * Authenticates a call and counts it against the rate limit that it shares with REST.
 *
 * @returns the refusal of a call over that limit, too, for the result of its tool
 */
async function authenticateCall(request: Request, { authenticate, throttles, baseUrl }: McpDeps) {
  assertOwnSite(request, baseUrl)
  if (request.method !== 'POST') {
    throw refuse.methodNotAllowed('method_not_allowed', 'This address takes POST.')
  }
  assertDeclaredLength(request)
  const principal = await authenticate(request)
  const limit = apiLimitOf(principal.account.limits)
  const { isAllowed, resetS } = await throttles.consume(limit, callerOf(principal))
  const refusal = isAllowed ? null : rateLimited(resetS)
  const context = { signal: () => request.signal, renew: () => authenticate(request) }
  return { ...context, refusal }
}

interface McpCaller extends Omit<Call, 'tool' | 'operation' | 'arguments'> {
  /** The sets of tools that the address names; null: all. */
  sets: string | null
  /** Why no tool may be called now. */
  refusal: Refusal | null
}

/** Makes an SDK server for each call. */
function createServers(deps: McpDeps) {
  const { operations, baseUrl } = deps
  const tasksOf = tasksOfCallers(deps)
  let cached: ReturnType<typeof createTools> | undefined
  /** Built at the first request, so that a start does not wait for the schemas. */
  function tools() {
    cached ??= createTools(operations)
    return cached
  }

  function toolOf({ method, params }: Message) {
    const { name } = (params ?? {}) as { name?: unknown }
    return method === CALL ? tools().get(String(name)) : undefined
  }

  return {
    /** @returns a function that makes a server for a call of this account */
    serversFor({ sets, refusal, ...caller }: McpCaller, skills: SkillsExtension): NewServer {
      const tasks = tasksOf(caller)
      const offer = chooseTools(tools(), sets)
      const mayCall = ({ operation }: Tool) =>
        caller.key === null || isOpenTo(operation, caller.key)
      return ({ era }) => {
        const options = serverOptions(baseUrl, SUPPORTED_PROTOCOL_VERSIONS)
        const mcp = new McpServer(serverInfo(packageJson.version, baseUrl), options)
        skills.attach(mcp)
        const { server } = mcp
        const { list, call } = toolHandlers(
          offer,
          async (tool, input, request) => {
            if (refusal !== null) return refusalResult(refusal)
            const { listing, operation } = tool
            const call = { tool, operation, ...caller }
            if (!takesTasks(request) || !waitsForPeople(listing.name, input)) {
              return callTool(deps, { ...call, arguments: input })
            }
            const args = { ...input, wait_s: 0 }
            const start = (outcome: CallOutcome) => tasks.start(listing.name, args, outcome)
            return callTool(deps, { ...call, arguments: args }, start)
          },
          mayCall,
        )
        server.setRequestHandler('tools/list', list)
        server.setRequestHandler(CALL, call)
        if (era === 'modern') tasks.serve(server)
        return server
      }
    },
    /** The tool that a message calls. */
    toolOf,
  }
}

/**
 * Handles one message with a server of its own. Clients of 2025 begin with `initialize`; the server
 * starts no session, and answers in JSON. From 2026 on, every request names its protocol version.
 */
async function handleMessage(
  request: Request,
  message: Message,
  newServer: NewServer,
): Promise<Response> {
  if (await isLegacyRequest(request, message)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = newServer({ era: 'legacy' })
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await server.close()
    }
  }
  // The tools never change while the server runs: the stream would stay open without a message.
  if (message.method === LISTEN && request.headers.get('mcp-method') === LISTEN) {
    const error = { code: METHOD_NOT_FOUND, message: 'Nothing to listen to: tools do not change.' }
    return jsonResponse(404, { ...rpcError(error), id: message.id ?? null })
  }
  const handler = createMcpHandler(newServer, { legacy: 'reject' })
  return handler.fetch(request, { parsedBody: message })
}
const LISTEN = 'subscriptions/listen'
const CALL = 'tools/call'

/**
 * Refuses a page of another site, and a page whose host name was made to resolve to this server.
 * Browsers send both names; programs send no `Origin`.
 */
function assertOwnSite(request: Request, baseUrl: string): void {
  const origin = request.headers.get('origin')
  const isOwn = origin === null || origin === baseUrl
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

/** The response of REST as a JSON-RPC error. */
function rpcErrorResponse(
  refusal: Refusal,
  more: Record<string, string> = {},
  rpcCode = refusal.code === 'malformed_json' ? PARSE_ERROR : SERVER_ERROR,
): Response {
  const { code, message, details } = refusal
  const allow = refusal.kind === 'methodNotAllowed' ? { allow: 'POST' } : {}
  const { status, headers } = refusalResponse(refusal, { ...allow, ...more })
  const error = { code: rpcCode, message, data: { code, ...details } }
  return jsonResponse(status, rpcError(error), Object.fromEntries(headers))
}

/** Its id is null where no message was read. */
function rpcError(error: object) {
  return { jsonrpc: '2.0', id: null, error }
}

function requestTooLarge(): Refusal {
  return refuse.tooLarge(
    'content_too_large',
    `The request is over ${inMegabytes(BODY_LIMIT_BYTES)}, and nothing was done: send large ` +
      'content by html_url or file_url, or upload it first.',
  )
}
