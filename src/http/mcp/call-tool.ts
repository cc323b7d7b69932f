import type { Account, RequestKey } from '../../model/account.ts'
import { Download } from '../../model/download.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { quoted, receivedIn, splitArguments, unquoted } from '../../model/mcp/arguments.ts'
import { answerResult, errorResult, fileResult, type ToolResult } from '../../model/mcp/results.ts'
import { type OfferedTool, offerTools } from '../../model/mcp/tools.ts'
import {
  type Contract,
  type Operation,
  type RequestContext,
  readsPage,
} from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { PageName } from '../../model/page-name.ts'
import type { Log } from '../../platform/log.ts'
import { outageRefusal } from '../../platform/outages.ts'
import type { Services } from '../../platform/services.ts'
import { authorize, callOperation } from '../kit/call-operation.ts'
import { assertMatches, etagOf } from '../kit/response.ts'

/** A tool and the operation that it calls. */
export interface Tool extends OfferedTool {
  operation: Operation
}

export interface CallToolDeps extends Pick<Services, 'log' | 'baseUrl'> {
  findPage(account: Account, idOrSlug: string): Promise<Page>
}

const CONTEXT: RequestContext = { source: 'mcp', hasIfMatch: false, idempotency: null }

export function createTools(operations: Operation[]): Map<string, Tool> {
  const operationOf = new Map(operations.map((each) => [each.contract.name, each]))
  const offered = offerTools(operations.map(({ contract }) => contract))
  return new Map(
    Array.from(offered, ([name, tool]) => {
      const operation = operationOf.get(tool.contract.name)!
      return [name, { ...tool, operation: { ...operation, contract: tool.contract } }]
    }),
  )
}

/** An answer of an operation, and the result that a tool makes of it. */
export interface CallOutcome {
  answer: unknown
  result: ToolResult
}

export interface Call extends Required<Pick<RequestContext, 'signal' | 'renew'>> {
  operation: Operation
  /** Tasks call operations that are no tools, too. */
  tool?: Pick<Tool, 'defaults' | 'output'>
  arguments: Record<string, unknown>
  account: Account
  key: RequestKey | null
  requestId: string
}

/**
 * Calls a tool for an account. A refusal is returned as a result, which the model reads.
 *
 * @param finish makes another result of the call, such as a task
 */
export async function callTool(
  deps: CallToolDeps,
  call: Call,
  finish: (outcome: CallOutcome) => Promise<ToolResult> = async ({ result }) => result,
): Promise<ToolResult> {
  const { contract } = call.operation
  try {
    return await finish(await runOperation(deps, call))
  } catch (err) {
    const { requestId } = call
    const refusal = refusalOf(err, deps.log, { name: contract.name, requestId })
    if (refusal === null) return errorResult(internalError(requestId))
    return refusalResult(refusal, contract)
  }
}

/** What a call is refused with. Null for a bug, which is logged, as an outage is. */
export function refusalOf(
  err: unknown,
  log: Log,
  { name, requestId }: { name: string; requestId: string },
): Refusal | null {
  const outage = outageRefusal(err)
  if (outage === null && err instanceof Refusal) return err
  log.error('tool failed', { request_id: requestId, tool: name, err })
  return outage
}

/** @throws Refusal, or what a bug throws */
export async function runOperation(
  { findPage, baseUrl }: CallToolDeps,
  { operation, tool, arguments: args, account, key, signal, renew }: Call,
): Promise<CallOutcome> {
  const { contract } = operation
  const { defaults = {}, output = null } = tool ?? {}
  const { page: pageName, ifMatch, input } = splitArguments({ contract, defaults }, args)
  const page = await authorize(contract, { account, key, session: null }, () =>
    findPage(account, localName(pageName!, baseUrl)),
  )
  const tag = page && etagOf(page)
  if (tag !== null && ifMatch !== null) assertMatches(quoted(ifMatch), tag)
  const context = { ...CONTEXT, key, signal, renew, hasIfMatch: ifMatch !== null }
  const subject = { account, sessionId: null, page, context }
  const call = { subject, session: null, input, findPage }
  const answer = await callOperation(operation, call)
  if (answer instanceof Download) return { answer, result: await fileResult(answer) }
  const etag = tag !== null && readsPage(contract) ? unquoted(tag) : undefined
  const metadata = { received: await receivedIn(input), etag }
  return { answer, result: await answerResult({ contract, output }, answer, metadata) }
}

export function refusalResult(
  { code, message, details }: Refusal,
  contract?: Contract,
): ToolResult {
  return errorResult({ code, message, ...details }, contract)
}

/** The error for a bug. Its details are in the log, under the request id. */
export function internalError(requestId: string) {
  const message = `Something went wrong on our side. Try again; if it stays, name ${requestId}.`
  return { code: 'internal', message, request_id: requestId }
}

/** Refuses a link to another server: a page here with the same slug is another page. */
export function localName({ idOrSlug, origin }: PageName, baseUrl: string): string {
  if (origin === null || origin === baseUrl) return idOrSlug
  const message = `That link is not of this server: its pages begin with ${baseUrl}/p/.`
  throw refuse.notFound('page_not_found', message)
}
