import { PROTOCOL_VERSION_META_KEY, ProtocolError } from '@modelcontextprotocol/server'
import { limited } from '../../src/client/call.ts'
import { notHandbill, unreachable } from '../../src/client/error.ts'
import type { ClientRequest } from '../../src/model/mcp/tasks.ts'
import { BODY_LIMIT_BYTES } from '../../src/model/plan.ts'

const TIMEOUT_MS = 60_000
/** Text of a result stands in JSON a second time, where each of its characters may be six. */
const MAX_ANSWER_BYTES = 6 * BODY_LIMIT_BYTES

interface Target {
  baseUrl: string
  key: string
  request: ClientRequest
}

/**
 * Sends what is about a task on to the server's own MCP, which has them: a task is the same there.
 *
 * @throws ProtocolError as the server answers it; ApiError
 */
export async function sendOn(
  { baseUrl, key, request: { mcpReq } }: Target,
  method: string,
  params: { name: string; arguments: object } | { taskId: string },
): Promise<Record<string, unknown>> {
  const { envelope = {} } = mcpReq
  const named = 'name' in params ? params.name : params.taskId
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': String(envelope[PROTOCOL_VERSION_META_KEY]),
      'mcp-method': method,
      'mcp-name': `=?base64?${Buffer.from(named).toString('base64')}?=`,
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
