/** The official SDK's client, over each transport and with each protocol version. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { handbill, server } from './server.ts'

export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof ERAS)[number]
export const TRANSPORTS = ['http', 'stdio'] as const
export type TransportName = (typeof TRANSPORTS)[number]

export interface Agent {
  readonly client: Client
  call(name: string, args: object): Promise<Answer>
  [Symbol.asyncDispose](): Promise<void>
}

/** The result of a tool. */
export interface Answer {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any result.
  readonly json: any
}

/** The slug of the page in a result, from its link. */
export function slugIn({ json }: Answer): string {
  return new URL(json.data.url).pathname.slice('/p/'.length)
}

/** The JSON of a result; undefined where strangers' words are in a block instead. */
function jsonIn(texts: string[]) {
  const text = texts.find((each) => each.startsWith('{'))
  if (text === undefined) return
  const json = JSON.parse(text)
  // The message of an error stands before its JSON.
  if (json.error !== undefined) json.error.message = texts[0]
  return json
}

/** The JSON in the block that a result has for strangers' words, and that nothing else stands there. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any result.
export function untrustedIn({ text }: Answer): any {
  const [, json] =
    /^[^<]*<untrusted> lines[^<]*\n<untrusted>\n([^<>]*)\n<\/untrusted>$/.exec(text) ?? []
  if (json === undefined) throw new Error(`There is no block of untrusted text alone in: ${text}`)
  return JSON.parse(json)
}

export interface AgentOptions {
  readonly era?: Era
  readonly key?: string
  readonly url?: string
  /** Over stdio: the working folder of the server. */
  readonly cwd?: string
  readonly program?: string
}

/** The options of a client that speaks one version of the protocol. */
export function speaking(era: Era) {
  return { versionNegotiation: { mode: era === '2025-11-25' ? ('legacy' as const) : { pin: era } } }
}

export async function agent(transport: TransportName, options: AgentOptions = {}): Promise<Agent> {
  const { era = '2025-11-25' } = options
  const client = new Client({ name: 'handbill-acceptance', version: '1.0.0' }, speaking(era))
  await client.connect(transport === 'http' ? overHttp(options) : overStdio(options))
  return agentOf(client)
}

/** A client that is connected. */
export function agentOf(client: Client): Agent {
  return {
    client,
    async call(name, args) {
      const { isError = false, content } = await client.callTool({ name, arguments: { ...args } })
      const texts = content.map((each) => (each.type === 'text' ? each.text : ''))
      return { isError, text: texts.join('\n'), json: jsonIn(texts) }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export function overHttp({ url = server.url, key = server.keys.pro }: AgentOptions) {
  const headers = { authorization: `Bearer ${key}` }
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
}

export function overStdio(options: AgentOptions) {
  const { url = server.url, key = server.keys.pro, cwd, program = handbill } = options
  const env = { PATH: process.env.PATH ?? '', HANDBILL_URL: url, HANDBILL_API_KEY: key }
  return new StdioClientTransport({
    command: program,
    args: ['mcp'],
    env,
    stderr: 'ignore',
    ...(cwd !== undefined && { cwd }),
  })
}
