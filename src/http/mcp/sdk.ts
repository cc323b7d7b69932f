import type * as Sdk from '@modelcontextprotocol/server'
import { loadInTurns, loadOnce } from '../../platform/load-once.ts'

const importSdk = () => import('@modelcontextprotocol/server')

/** What the SDK imports, itself, and its schemas: each takes some milliseconds. */
const PARTS = [
  () => import('@modelcontextprotocol/core'),
  () => import('@modelcontextprotocol/server/validators/ajv'),
  importSdk,
  async () => (await importSdk()).isLegacyRequest(newRequest(), { method: 'ping' }),
  async () => handleMessage(await importSdk(), 'ping'),
  async () => handleMessage(await importSdk(), 'tools/list'),
]

/** Loads the SDK at the first call. It is a tenth of an idle server's memory. */
export const loadSdk: () => Promise<typeof Sdk> = loadOnce(async () => {
  await loadInTurns(PARTS)
  return importSdk()
})

/** The SDK builds schemas at the first message that needs them. */
async function handleMessage(sdk: typeof Sdk, method: string): Promise<void> {
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
