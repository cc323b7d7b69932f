import { Readable, type Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import packageJson from '../../package.json' with { type: 'json' }
import { contracts } from '../../src/client/contracts.ts'
import { createClient } from '../../src/client/index.ts'
import { serverInfo, serverOptions, toolHandlers } from '../../src/model/mcp/server.ts'
import { offerTools } from '../../src/model/mcp/tools.ts'
import { oneLine } from '../output.ts'
import { say } from '../terminal.ts'
import { callTool } from './call.ts'
import { withLocalPath } from './local.ts'

export interface StdioSettings {
  /** The Handbill server, and a key to it. */
  baseUrl: string
  key: string
  /** The only folder whose files may be published by their path; null: none. */
  folder: string | null
  stdin: Readable
  stdout: Writable
}

/** Above the API's own limit of a request, so that the server is what refuses large content. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const MAX_LINE = 300

/** MCP over stdio, until whoever asks closes its end. Nothing but the protocol goes to stdout. */
export async function runMcp(settings: StdioSettings): Promise<void> {
  const { baseUrl, key, folder, stdin, stdout } = settings
  const connect = (heard: (headers: Headers) => void) =>
    createClient({ baseUrl, key, source: 'mcp', fetch: tellingHeaders(heard) })
  const offered = offerTools(contracts())
  const tools = folder === null ? offered : withLocalPath(offered, folder)
  const underWay = new Set<Promise<unknown>>()
  const { list, call } = toolHandlers(tools, (tool, given) => {
    const result = callTool({ connect, baseUrl, folder }, tool, given)
    underWay.add(result)
    return result.finally(() => underWay.delete(result))
  })

  function newServer(): Server {
    const options = serverOptions(baseUrl, SUPPORTED_PROTOCOL_VERSIONS)
    const server = new Server(serverInfo(packageJson.version, baseUrl), options)
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', call)
    return server
  }

  const input = Readable.from(untilAnswered(stdin, underWay))
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  serveStdio(newServer, { transport, onerror: complain })
  await closeOf(transport)
  stdin.destroy()
}

function tellingHeaders(heard: (headers: Headers) => void): typeof fetch {
  const ask = async (...sent: Parameters<typeof fetch>) => {
    const answer = await fetch(...sent)
    heard(answer.headers)
    return answer
  }
  return Object.assign(ask, { preconnect: fetch.preconnect })
}

/**
 * Ends only when every call under way is answered: a client may close its end right after asking,
 * and must still learn what its last call did.
 */
async function* untilAnswered(stdin: Readable, underWay: ReadonlySet<Promise<unknown>>) {
  yield* stdin
  // One turn of the event loop lets the last calls begin, and one below lets answers be written.
  await nextTurn()
  while (underWay.size > 0) await Promise.allSettled(underWay)
  await nextTurn()
}

function closeOf(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
}

function complain({ name, message }: Error): void {
  const isNoMessage = /Zod|SyntaxError/.test(name)
  say(`handbill mcp: ${isNoMessage ? NO_MESSAGE : oneLine(message).slice(0, MAX_LINE)}`)
}
const NO_MESSAGE = 'what came is no message of JSON-RPC, and was passed over.'
