import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import packageJson from '../../package.json' with { type: 'json' }
import { contracts } from '../../src/client/contracts.ts'
import { createClient } from '../../src/client/index.ts'
import { instructions, serverInfo, toolHandlers } from '../../src/model/mcp/server.ts'
import { offerTools } from '../../src/model/mcp/tools.ts'
import { say } from '../terminal.ts'
import { callTool } from './call.ts'
import { withLocalPath } from './local.ts'

export interface StdioSettings {
  /** The Handbill server, and a key to it. */
  base_url: string
  key: string
  /** The only folder whose files may be published by their path; null: none. */
  folder: string | null
  stdin: Readable
  stdout: Writable
}

/** What is read at once at most: a message may hold what a request of the API may, and more. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** MCP over stdio, until whoever asks closes its end. Nothing but the protocol goes to stdout. */
export async function runMcp(settings: StdioSettings): Promise<void> {
  const { base_url, key, folder, stdin, stdout } = settings
  const client = createClient({ base_url, key, source: 'mcp' })
  const offered = offerTools(contracts())
  const tools = folder === null ? offered : withLocalPath(offered, folder)
  const { list, call } = toolHandlers(tools, (tool, given) =>
    callTool({ client, base_url, folder }, tool, given),
  )

  function newServer(): Server {
    const server = new Server(serverInfo(packageJson.version, base_url), {
      capabilities: { tools: {} },
      instructions: instructions(base_url),
    })
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', call)
    return server
  }

  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  serveStdio(newServer, { transport, onerror: ({ message }) => say(`handbill mcp: ${message}`) })
  await once(stdin, 'close')
}
