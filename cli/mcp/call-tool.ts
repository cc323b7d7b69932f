import { ProtocolError } from '@modelcontextprotocol/server'
import { parse } from 'content-disposition'
import { InvalidId } from '../../src/client/call.ts'
import { findLeftOut } from '../../src/client/content/left-out.ts'
import { ContentProblem } from '../../src/client/content/local-content.ts'
import { ApiError, type CallOptions, type Client } from '../../src/client/index.ts'
import { Refusal, refuse } from '../../src/model/errors.ts'
import { parseInput } from '../../src/model/input.ts'
import {
  quoted,
  type Received,
  receivedIn,
  splitArguments,
  unquoted,
} from '../../src/model/mcp/arguments.ts'
import {
  answerResult,
  errorResult,
  fileResult,
  type ToolError,
  type ToolResult,
} from '../../src/model/mcp/results.ts'
import type { OfferedTool } from '../../src/model/mcp/tools.ts'
import { isPageName, type PageName } from '../../src/model/page-name.ts'
import { sendChanges } from '../content.ts'
import { CommandFailed } from '../output.ts'
import { findPage, type PageServer } from '../page.ts'
import { readLocalPath } from './local-path.ts'

type Values = Record<string, unknown>

interface CallDeps {
  client: Client
  baseUrl: string
  /** Only files in this folder can be published by path. Null: none. */
  folder: string | null
}

/** An expected error of a call becomes a result that the model reads. */
export async function explained(tool: OfferedTool, call: Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call
  } catch (err) {
    const error = expectedError(err)
    if (error === null) throw err
    return errorResult(error, tool.contract)
  }
}

/** Calls a tool through the API. */
export async function callTool(
  deps: CallDeps,
  tool: OfferedTool,
  args: Values,
): Promise<ToolResult> {
  const { name, input: schema, hints } = tool.contract
  const { client, folder, baseUrl } = deps
  let etag: string | undefined
  const { page, ifMatch, input: values } = splitArguments(tool, args)
  const { args: fields, local } = await readLocalPath(folder, tool, values)
  const id = page && (await resolvePage({ client, baseUrl }, page))
  const operation = (client as unknown as Record<string, OperationCall>)[name]!
  let received: Received | undefined

  async function send(content: Values, etagToMatch: string | undefined): Promise<unknown> {
    const input = { ...content, ...fields }
    parseInput(schema, input, hints)
    const options: CallOptions = {
      ...(etagToMatch !== undefined && { if_match: etagToMatch }),
      onEtag(value) {
        etag = value
      },
    }
    const answer = await operation({ ...input, ...(id !== null && { id }) }, options)
    received = await receivedIn(input)
    return answer
  }

  const expected = ifMatch === null ? undefined : quoted(ifMatch)
  const response =
    local === null
      ? await send({}, expected)
      : await sendChanges({ client, id, local, ifMatch: expected, send })
  if (response instanceof Response) return fileResult(fileOf(response))
  const metadata = { received, ...(etag !== undefined && { etag: unquoted(etag) }) }
  const result = await answerResult(tool, response, metadata)
  const { lines } = local === null ? { lines: [] } : await findLeftOut(local)
  const notes = lines.map((text) => ({ type: 'text' as const, text }))
  return { ...result, content: [...result.content, ...notes] }
}
type OperationCall = (input: Values, options: CallOptions) => Promise<unknown>

/** Resolves a page name to an id or slug. A link to another origin is looked up first. */
async function resolvePage(server: PageServer, name: PageName): Promise<string> {
  const { idOrSlug, origin } = name
  const isOwnOrigin = origin === null || origin === new URL(server.baseUrl).origin
  if (isOwnOrigin && isPageName(idOrSlug)) return idOrSlug
  const page = await findPage(server, name)
  if (page !== null) return page.id
  throw refuse.notFound('page_not_found', 'There is no such page in this account.')
}

function fileOf({ headers, body }: Response) {
  const { parameters } = parse(headers.get('content-disposition') ?? 'attachment')
  const { filename = 'file' } = parameters
  return { filename, mime: headers.get('content-type') ?? '', chunks: body! }
}

function expectedError(err: unknown): ToolError | null {
  if (err instanceof Refusal) return { code: err.code, message: err.message, ...err.details }
  if (err instanceof InvalidId) return { code: 'invalid_parameter', message: err.message }
  if (err instanceof CommandFailed || err instanceof ContentProblem) {
    return { code: 'bad_path', message: err.message }
  }
  if (err instanceof ProtocolError) {
    return { code: 'not_handbill', message: err.message, ...(err.data as object) }
  }
  if (!(err instanceof ApiError)) return null
  const { code, message, param, request_id, details } = err
  return {
    code,
    message,
    ...(param && { param }),
    ...(request_id && { request_id }),
    ...details,
  }
}
