import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** One message, answered by a server of its own, in whichever era's manner it was asked. */
export async function answerMessage(
  request: Request,
  message: unknown,
  newServer: () => Server,
): Promise<Response> {
  return (await isLegacyRequest(request, message))
    ? answerLegacy(request, message, newServer())
    : answerModern(request, message, newServer)
}

/** 2025: opened with `initialize`, without a session here, and answered in JSON. */
async function answerLegacy(request: Request, message: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** 2026: each request says for itself what it speaks. What is offered never changes: no streams. */
function answerModern(
  request: Request,
  message: unknown,
  newServer: () => Server,
): Promise<Response> {
  const handler = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: message })
}
