import type * as Sdk from '@modelcontextprotocol/server'
import type { Server } from '@modelcontextprotocol/server'
import { loadInTurns, loadOnce } from '../../platform/load-once.ts'

type Message = Record<string, unknown>

/**
 * Handles one message with a server of its own. Clients of 2025 and of 2026 send different
 * messages; both are supported.
 */
export async function handleMessage(
  request: Request,
  message: Message,
  newServer: () => Server,
): Promise<Response> {
  const { isLegacyRequest } = await loadSdk()
  return (await isLegacyRequest(request, message))
    ? handle2025(request, message, newServer())
    : handle2026(request, message, newServer)
}

/** Clients of 2025 begin with `initialize`. The server starts no session, and answers in JSON. */
async function handle2025(request: Request, message: Message, server: Server): Promise<Response> {
  const { WebStandardStreamableHTTPServerTransport } = await loadSdk()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** From 2026 on, every request names its protocol version. */
async function handle2026(
  request: Request,
  message: Message,
  newServer: () => Server,
): Promise<Response> {
  const { createMcpHandler, METHOD_NOT_FOUND } = await loadSdk()
  // The tools never change while the server runs: the stream would stay open without a message.
  if (message.method === LISTEN && request.headers.get('mcp-method') === LISTEN) {
    const error = { code: METHOD_NOT_FOUND, message: 'Nothing to listen to: tools do not change.' }
    return Response.json({ jsonrpc: '2.0', id: message.id ?? null, error }, { status: 404 })
  }
  const handler = createMcpHandler(newServer, { legacy: 'reject' })
  return handler.fetch(request, { parsedBody: message })
}
const LISTEN = 'subscriptions/listen'

const importSdk = () => import('@modelcontextprotocol/server')

/** What the SDK imports, itself, and its schemas: each takes some milliseconds. */
const PARTS = [
  () => import('@modelcontextprotocol/core'),
  () => import('@modelcontextprotocol/server/validators/ajv'),
  importSdk,
  async () => (await importSdk()).isLegacyRequest(newRequest(), { method: 'ping' }),
  async () => firstMessage(await importSdk(), 'ping'),
  async () => firstMessage(await importSdk(), 'tools/list'),
]

/** Loads the SDK at the first call. It is a tenth of an idle server's memory. */
export const loadSdk: () => Promise<typeof Sdk> = loadOnce(async () => {
  await loadInTurns(PARTS)
  return importSdk()
})

/** The SDK builds schemas at the first message that needs them. */
async function firstMessage(sdk: typeof Sdk, method: string): Promise<void> {
  const server = new sdk.Server({ name: 'handbill', version: '0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [] }))
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const parsedBody = { jsonrpc: '2.0', id: 1, method }
  await transport.handleRequest(newRequest(), { parsedBody })
  await server.close()
}

function newRequest(): Request {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return new Request('http://localhost', { method: 'POST', headers })
}
