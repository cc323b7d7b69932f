import {
  createMcpHandler,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

type Message = Record<string, unknown>

/** One message, answered by a server of its own, in whichever era's manner it was asked. */
export async function answerMessage(
  request: Request,
  message: Message,
  newServer: () => Server,
): Promise<Response> {
  return (await isLegacyRequest(request, message))
    ? answerLegacy(request, message, newServer())
    : answerModern(request, message, newServer)
}

/** 2025: opened with `initialize`, without a session here, and answered in JSON. */
async function answerLegacy(request: Request, message: Message, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** 2026: each request says for itself what it speaks. */
async function answerModern(
  request: Request,
  message: Message,
  newServer: () => Server,
): Promise<Response> {
  // What is offered never changes while we run: a stream would stay open, and say nothing.
  if (message.method === LISTEN && request.headers.get('mcp-method') === LISTEN) {
    const error = { code: METHOD_NOT_FOUND, message: 'Nothing to listen to: tools do not change.' }
    return Response.json({ jsonrpc: '2.0', id: message.id ?? null, error }, { status: 404 })
  }
  const handler = createMcpHandler(newServer, { legacy: 'reject' })
  return handler.fetch(request, { parsedBody: message })
}
const LISTEN = 'subscriptions/listen'
