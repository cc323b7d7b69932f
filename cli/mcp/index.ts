import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type McpRequestContext,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { parse } from 'content-disposition'
import packageJson from '../../package.json' with { type: 'json' }
import { InvalidId, limited } from '../../src/client/call.ts'
import { findLeftOut } from '../../src/client/content/left-out.ts'
import { ContentProblem } from '../../src/client/content/local-content.ts'
import { contracts } from '../../src/client/contracts.ts'
import { notHandbill, unreachable } from '../../src/client/error.ts'
import { ApiError, type CallOptions, type Client, createClient } from '../../src/client/index.ts'
import { Refusal, refuse } from '../../src/model/errors.ts'
import { parseInput } from '../../src/model/input.ts'
import {
  quoted,
  type Received,
  receivedIn,
  splitArguments,
  unquoted,
} from '../../src/model/mcp/arguments.ts'
import {
  answerResult,
  errorResult,
  fileResult,
  type ToolError,
  type ToolResult,
} from '../../src/model/mcp/results.ts'
import {
  SKILL_OPTIONS,
  serverInfo,
  serverOptions,
  skillFiles,
  toolHandlers,
} from '../../src/model/mcp/server.ts'
import {
  type ClientRequest,
  TASK_METHODS,
  TASK_PARAMS,
  TASKS,
  takesTasks,
  waitsForPeople,
} from '../../src/model/mcp/tasks.ts'
import { type OfferedTool, offerTools } from '../../src/model/mcp/tools.ts'
import { isPageName, type PageName } from '../../src/model/page-name.ts'
import { BODY_LIMIT_BYTES } from '../../src/model/plan.ts'
import { SILENCE_MS } from '../client.ts'
import type { CommandContext } from '../command.ts'
import { sendChanges } from '../content.ts'
import { isFolder } from '../local-content.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { findPage, type PageServer } from '../page.ts'
import { printStatus } from '../terminal.ts'
import { readLocalPath, withLocalPath } from './local-path.ts'

/** Above the API's limit of a request body, so that the API refuses large content itself. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const MAX_ERROR_CHARS = 300

/** Some agents start programs in the root folder. No files are offered then, instead of all. */
const ROOT = resolve('/')

/** Serves MCP over stdio until the client closes stdin. Only protocol messages go to stdout. */
export async function serveMcp(context: CommandContext): Promise<void> {
  const { server: baseUrl, credentials, env, args } = context
  const path = resolve(env.cwd, args[0] ?? '.')
  if (!isFolder(path)) throw new CommandFailed(`${path} is not a folder.`)
  const folder = path === ROOT ? null : path
  const key = credentials.key(baseUrl)
  const client = createClient({ baseUrl, key, source: 'mcp', silenceMs: SILENCE_MS })
  const offered = offerTools(contracts())
  const tools = folder === null ? offered : withLocalPath(offered, folder)
  const pending = new Set<Promise<unknown>>()
  function awaited<T>(result: Promise<T>): Promise<T> {
    pending.add(result)
    return result.finally(() => pending.delete(result))
  }
  const { list, call } = toolHandlers(tools, (tool, args, request) => {
    const { name } = tool.listing
    const isTask = takesTasks(request) && waitsForPeople(name, args)
    const result = isTask
      ? sendOn({ baseUrl, key, request }, 'tools/call', { name, arguments: args })
      : callTool({ client, baseUrl, folder }, tool, args)
    return awaited(explained(tool, result as Promise<ToolResult>))
  })

  const skills = await SkillsExtension.load(memorySkillFiles(skillFiles(baseUrl)), SKILL_OPTIONS)

  function newServer({ era }: McpRequestContext): Server {
    const options = serverOptions(baseUrl, SUPPORTED_PROTOCOL_VERSIONS)
    const mcp = new McpServer(serverInfo(packageJson.version, baseUrl), options)
    skills.attach(mcp)
    const { server } = mcp
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', call)
    if (era !== 'modern') return server
    server.registerCapabilities({ extensions: { [TASKS]: {} } })
    for (const method of TASK_METHODS) {
      server.setRequestHandler(method, { params: TASK_PARAMS }, (params, request) =>
        awaited(sendOn({ baseUrl, key, request }, method, params)),
      )
    }
    return server
  }

  const input = Readable.from(untilAnswered(process.stdin, pending))
  const options = { maxBufferSize: MAX_MESSAGE_BYTES }
  const transport = new StdioServerTransport(input, process.stdout, options)
  let isTooLong = false
  serveStdio(newServer, {
    transport,
    onerror(err) {
      isTooLong ||= err.message.startsWith('ReadBuffer exceeded')
      if (!isTooLong) reportError(err)
    },
  })
  await closed(transport)
  // What reads stdin goes first: to it, this is an error.
  input.destroy()
  process.stdin.destroy()
  if (isTooLong) throw new CommandFailed(TOO_LONG)
}
const TOO_LONG =
  'A message is over 16 MB, which ends the connection: publish large content by local_path.'

/**
 * Ends the input only after every pending call is answered. A client can close stdin right after
 * its last call, and still gets the result.
 */
async function* untilAnswered(stdin: Readable, pending: ReadonlySet<Promise<unknown>>) {
  yield* stdin
  // One turn of the event loop starts the last calls; the turn below writes their results.
  await nextTurn()
  while (pending.size > 0) await Promise.allSettled(pending)
  await nextTurn()
}

function closed(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
}

function reportError({ name, message }: Error): void {
  const isInvalidMessage = /Zod|SyntaxError/.test(name)
  const text = isInvalidMessage ? INVALID_MESSAGE : oneLine(message).slice(0, MAX_ERROR_CHARS)
  printStatus(`handbill mcp: ${text}`)
}
const INVALID_MESSAGE = 'ignored input that is not a JSON-RPC message.'

const TIMEOUT_MS = 60_000
/** Text of a result stands in JSON a second time, where each of its characters may be six. */
const MAX_ANSWER_BYTES = 6 * BODY_LIMIT_BYTES

/**
 * Sends what is about a task on to the server's own MCP, which has them: a task is the same there.
 *
 * @throws ProtocolError as the server answers it; ApiError
 */
export async function sendOn(
  { baseUrl, key, request: { mcpReq } }: { baseUrl: string; key: string; request: ClientRequest },
  method: string,
  params: { name: string; arguments: object } | { taskId: string },
): Promise<Record<string, unknown>> {
  const { envelope = {} } = mcpReq
  const target = 'name' in params ? params.name : params.taskId
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': String(envelope[PROTOCOL_VERSION_META_KEY]),
      'mcp-method': method,
      'mcp-name': `=?base64?${Buffer.from(target).toString('base64')}?=`,
    },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((err) => {
    throw unreachable(baseUrl, err)
  })
  const body = new Response(limited(response, MAX_ANSWER_BYTES, baseUrl))
  const answer = (await body.json().catch(() => ({}))) as Answer
  if (answer.result !== undefined) return answer.result
  if (answer.error === undefined) throw notHandbill(response.status, baseUrl)
  const { code, message: text, data } = answer.error
  throw new ProtocolError(code, text, data)
}

interface Answer {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

type Values = Record<string, unknown>

interface CallDeps {
  client: Client
  baseUrl: string
  /** Only files in this folder can be published by path. Null: none. */
  folder: string | null
}

/** An expected error of a call becomes a result that the model reads. */
async function explained(tool: OfferedTool, call: Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call
  } catch (err) {
    const error = expectedError(err)
    if (error === null) throw err
    return errorResult(error, tool.contract)
  }
}

/** Calls a tool through the API. */
async function callTool(deps: CallDeps, tool: OfferedTool, args: Values): Promise<ToolResult> {
  const { name, input: schema, hints } = tool.contract
  const { client, folder, baseUrl } = deps
  let etag: string | undefined
  const { page, ifMatch, input: values } = splitArguments(tool, args)
  const { args: fields, local } = await readLocalPath(folder, tool, values)
  const id = page && (await resolvePage({ client, baseUrl }, page))
  const operation = (client as unknown as Record<string, OperationCall>)[name]!
  let received: Received | undefined

  async function send(content: Values, etagToMatch: string | undefined): Promise<unknown> {
    const input = { ...content, ...fields }
    parseInput(schema, input, hints)
    const options: CallOptions = {
      if_match: etagToMatch,
      onEtag(value) {
        etag = value
      },
    }
    const answer = await operation({ ...input, ...(id !== null && { id }) }, options)
    received = await receivedIn(input)
    return answer
  }

  const expected = ifMatch === null ? undefined : quoted(ifMatch)
  const response =
    local === null
      ? await send({}, expected)
      : await sendChanges({ client, id, local, ifMatch: expected, send })
  if (response instanceof Response) return fileResult(fileOf(response))
  const metadata = { received, ...(etag !== undefined && { etag: unquoted(etag) }) }
  const result = await answerResult(tool, response, metadata)
  const { lines } = local === null ? { lines: [] } : await findLeftOut(local)
  const notes = lines.map((text) => ({ type: 'text' as const, text }))
  return { ...result, content: [...result.content, ...notes] }
}
type OperationCall = (input: Values, options: CallOptions) => Promise<unknown>

/** Resolves a page name to an id or slug. A link to another origin is looked up first. */
async function resolvePage(server: PageServer, name: PageName): Promise<string> {
  const { idOrSlug, origin } = name
  const isOwnOrigin = origin === null || origin === new URL(server.baseUrl).origin
  if (isOwnOrigin && isPageName(idOrSlug)) return idOrSlug
  const page = await findPage(server, name)
  if (page !== null) return page.id
  throw refuse.notFound('page_not_found', 'There is no such page in this account.')
}

function fileOf({ headers, body }: Response) {
  const { parameters } = parse(headers.get('content-disposition') ?? 'attachment')
  const { filename = 'file' } = parameters
  return { filename, mime: headers.get('content-type') ?? '', chunks: body! }
}

function expectedError(err: unknown): ToolError | null {
  if (err instanceof Refusal) return { code: err.code, message: err.message, ...err.details }
  if (err instanceof InvalidId) return { code: 'invalid_parameter', message: err.message }
  if (err instanceof CommandFailed || err instanceof ContentProblem) {
    return { code: 'bad_path', message: err.message }
  }
  if (err instanceof ProtocolError) {
    return { code: 'not_handbill', message: err.message, ...(err.data as object) }
  }
  if (!(err instanceof ApiError)) return null
  const { code, message, param, request_id, details } = err
  return {
    code,
    message,
    ...(param && { param }),
    ...(request_id && { request_id }),
    ...details,
  }
}
