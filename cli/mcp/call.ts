import { parse } from 'content-disposition'
import { ApiError, type CallOptions, type Client } from '../../src/client/index.ts'
import { Refusal, refuse } from '../../src/model/errors.ts'
import { parseInput } from '../../src/model/input.ts'
import { quoted, splitArguments, unquoted } from '../../src/model/mcp/arguments.ts'
import { receivedIn } from '../../src/model/mcp/received.ts'
import {
  answerResult,
  errorResult,
  fileResult,
  type ToolError,
  type ToolResult,
} from '../../src/model/mcp/results.ts'
import type { OfferedTool } from '../../src/model/mcp/tools.ts'
import { isPageName, type PageName } from '../../src/model/page-name.ts'
import { CommandFailed } from '../output.ts'
import { findPage, type PageServer } from '../page.ts'
import type { LeftOut } from '../sources/index.ts'
import { fillFromPath } from './local.ts'

type Values = Record<string, unknown>

export interface CallDeps {
  /** A client that tells what it heard last. */
  connect(heard: (headers: Headers) => void): Client
  baseUrl: string
  /** The only one whose files may be published, or null. */
  folder: string | null
}

/** Calls a tool by way of the API. What is refused is an answer too, which the model reads. */
export async function callTool(
  deps: CallDeps,
  tool: OfferedTool,
  given: Values,
): Promise<ToolResult> {
  try {
    return await call(deps, tool, given)
  } catch (err) {
    const error = errorOf(err)
    if (error === null) throw err
    return errorResult(error)
  }
}

async function call(deps: CallDeps, tool: OfferedTool, given: Values): Promise<ToolResult> {
  const { name, input: schema } = tool.contract
  const { folder, baseUrl } = deps
  let etag: string | null = null
  const client = deps.connect((headers) => {
    etag = headers.get('etag')
  })
  const { page, if_match: ifMatch, input: told } = splitArguments(tool.contract, given)
  const { input, leftOut } = await fillFromPath({ client, folder }, tool, told)
  parseInput(schema, input)
  const id = page && (await idOf({ client, baseUrl }, page))
  const ask = (client as unknown as Record<string, Ask>)[name]!
  const options = ifMatch === null ? {} : { if_match: quoted(ifMatch) }
  const answer = await ask({ ...input, ...(id !== null && { id }) }, options)
  if (answer instanceof Response) return fileResult(fileIn(answer))
  const beside = {
    received: await receivedIn(input),
    ...(etag !== null && { etag: unquoted(etag) }),
  }
  const result = answerResult(answer, beside)
  return { ...result, content: [...result.content, ...leftOut.map(noteOf)] }
}
type Ask = (input: Values, options: CallOptions) => Promise<unknown>

/** Asks the server first only where a link might be to another one. */
async function idOf(server: PageServer, name: PageName): Promise<string> {
  const { idOrSlug, origin } = name
  const isHere = origin === null || origin === new URL(server.baseUrl).origin
  if (isHere && isPageName(idOrSlug)) return idOrSlug
  const page = await findPage(server, name)
  if (page !== null) return page.id
  throw refuse.notFound('page_not_found', 'There is no such page in this account.')
}

function fileIn({ headers, body }: Response) {
  const { parameters } = parse(headers.get('content-disposition') ?? 'attachment')
  const { filename = 'file' } = parameters
  const decoder = new TextDecoderStream('utf-8', { ignoreBOM: true })
  return { filename, mime: headers.get('content-type') ?? '', chunks: body!.pipeThrough(decoder) }
}

function noteOf({ path, why }: LeftOut) {
  return { type: 'text' as const, text: `Left out ${path}: ${why}.` }
}

function errorOf(err: unknown): ToolError | null {
  if (err instanceof Refusal) return { code: err.code, message: err.message, ...err.details }
  if (err instanceof CommandFailed) return { code: 'bad_path', message: err.message }
  if (!(err instanceof ApiError)) return null
  const { code, message, param, request_id: requestId, details } = err
  return {
    code,
    message,
    ...(param && { param }),
    ...(requestId && { request_id: requestId }),
    ...details,
  }
}
