import type { ToolResult } from '../model/mcp/results.ts'
import type { TestNode } from './node.ts'

const ACCEPT = 'application/json, text/event-stream'

/** An answer of the MCP server, and its body read. */
export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  body: any
}

/** Whoever holds the key, over MCP. */
export function agentWith(node: Pick<TestNode, 'mcp'>, key: string | null) {
  async function send(
    message: unknown,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<Answered> {
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    const answer = await node.mcp({
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        accept: ACCEPT,
        ...headers,
      },
      ...(method === 'POST' && { body }),
    })
    const text = await answer.text()
    const { status } = answer
    return { status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
  }

  async function ask(method: string, params: object = {}) {
    const { body } = await send({ jsonrpc: '2.0', id: 1, method, params })
    return body
  }

  return {
    send,
    ask,
    /** The result of a tool, which may be a refusal. */
    async call(name: string, given: object = {}): Promise<ToolResult> {
      const { result, error } = await ask('tools/call', { name, arguments: given })
      if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`)
      return result
    },
  }
}
export type Agent = ReturnType<typeof agentWith>
