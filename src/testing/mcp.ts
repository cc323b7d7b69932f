import type { ToolResult } from '../model/mcp/results.ts'
import type { TestNode } from './node.ts'

const ACCEPT = 'application/json, text/event-stream'

/** The JSON between the lines of a result that contains strangers' words. */
export function untrustedIn(text: string): string {
  const [, json] = /^<untrusted>\n(.*)\n<\/untrusted>$/m.exec(text) ?? []
  if (json === undefined) throw new Error(`There is no untrusted block in: ${text}`)
  return json
}

/** A result with the JSON of its text; undefined where it has none, or strangers' words. */
export type CallResult = ToolResult & {
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary JSON.
  json: any
}

export function jsonIn({ content }: ToolResult) {
  const result = content.find(({ text }) => text.startsWith('{'))
  const json = result && JSON.parse(result.text)
  // The message of an error stands before its JSON.
  if (json?.error !== undefined) json.error.message = content[0]!.text
  return json
}

/** A response of the MCP server with its parsed body. */
export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary JSON.
  body: any
}

/** An MCP client with this API key; null: without one. */
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
    /** Calls a tool. @returns its result, which may be a refusal */
    async call(name: string, options: object = {}): Promise<CallResult> {
      const { result, error } = await ask('tools/call', { name, arguments: options })
      if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`)
      return { ...result, json: jsonIn(result) }
    },
  }
}
export type Agent = ReturnType<typeof agentWith>
