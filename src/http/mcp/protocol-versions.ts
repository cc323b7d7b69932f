import {
  createMcpHandler,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { jsonResponse } from '../kit/json-response.ts'

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
  return (await isLegacyRequest(request, message))
    ? handle2025(request, message, newServer())
    : handle2026(request, message, newServer)
}

/** Clients of 2025 begin with `initialize`. The server starts no session, and answers in JSON. */
async function handle2025(request: Request, message: Message, server: Server): Promise<Response> {
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
  // The tools never change while the server runs: the stream would stay open without a message.
  if (message.method === LISTEN && request.headers.get('mcp-method') === LISTEN) {
    const error = { code: METHOD_NOT_FOUND, message: 'Nothing to listen to: tools do not change.' }
    return jsonResponse(404, { jsonrpc: '2.0', id: message.id ?? null, error })
  }
  const handler = createMcpHandler(newServer, { legacy: 'reject' })
  return handler.fetch(request, { parsedBody: message })
}
const LISTEN = 'subscriptions/listen'
