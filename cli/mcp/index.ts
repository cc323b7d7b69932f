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
import packageJson from '../../package.json' with { type: 'json' }
import { limited } from '../../src/client/call.ts'
import { contracts } from '../../src/client/contracts.ts'
import { notHandbill, unreachable } from '../../src/client/error.ts'
import { createClient } from '../../src/client/index.ts'
import type { ToolResult } from '../../src/model/mcp/results.ts'
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
import { offerTools } from '../../src/model/mcp/tools.ts'
import { BODY_LIMIT_BYTES } from '../../src/model/plan.ts'
import { SILENCE_MS } from '../client.ts'
import type { CommandContext } from '../command.ts'
import { isFolder } from '../local-content.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { printStatus } from '../terminal.ts'
import { callTool, explained } from './call-tool.ts'
import { withLocalPath } from './local-path.ts'

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
