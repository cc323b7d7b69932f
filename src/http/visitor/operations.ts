import { z } from 'zod'
import type { Throttles } from '../../features/throttles/index.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import type { VisitorOperation } from '../../model/operation.ts'
import type { Log } from '../../platform/log.ts'
import { type BodyReader, BodyTooLarge } from '../kit/body.ts'
import { isModestJson } from '../kit/json-limits.ts'
import { STATUS } from '../kit/json-response.ts'
import { storageFullRefusal } from '../kit/storage-full.ts'
import { type Admit, stale } from './request/admit.ts'
import type { ViewerTokens } from './request/viewer-tokens.ts'

export interface VisitorOperationDeps {
  operations: readonly VisitorOperation[]
  viewerTokens: ViewerTokens
  admit: Admit
  bodyReader: BodyReader
  throttles: Throttles
  log: Log
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** The address or network that throttles count a request by. */
  addressOf(request: Request): string
}

type Route = (request: Request) => Promise<Response>

/** What every visitor operation receives besides its input. */
const ENVELOPE = {
  /** The viewer token. */
  token: z.string().max(64 * 1024),
  /** The source token. */
  stamp: z.string().max(8 * 1024),
  /** A field that people do not see: only programs fill it in. */
  trap: z.string().optional(),
}

/**
 * The routes of visitor operations by their paths. Each parses the body, throttles, admits the
 * viewer of its token, runs the operation and presents the result.
 */
export function visitorOperationRoutes(deps: VisitorOperationDeps): ReadonlyMap<string, Route> {
  const { operations } = deps
  return new Map(operations.map((each) => [each.contract.http.path, createRoute(each, deps)]))
}

function createRoute({ contract, run }: VisitorOperation, deps: VisitorOperationDeps): Route {
  const { viewerTokens, admit, bodyReader, throttles, log, nowMs, addressOf } = deps
  const { http, body, limits, output } = contract
  const schema = contract.input.extend(ENVELOPE)

  async function handle(request: Request): Promise<unknown> {
    const bytes = await bodyReader.read(request, { maxBytes: body.maxBytes, sender: 'stranger' })
    const { token: tokenText, stamp, trap, ...input } = parseBody(schema, bytes)
    const token = viewerTokens.readViewerToken(tokenText, nowMs())
    const source = token && viewerTokens.readSourceToken(stamp, token.page_id)
    if (token === null || source === null) throw stale()
    await throttles.assert(limits.byAddress, `${addressOf(request)} ${token.page_id}`)
    if (trap) throw spam()
    const { page, viewer } = await admit(token)
    await throttles.assert(limits.byViewer, viewer.key)
    return output.parse(await run({ page, viewer, source }, input as never))
  }

  return async (request) => {
    if (request.method !== 'POST') return respond(405, WRONG_METHOD, { allow: 'POST' })
    try {
      return respond(http.status, await handle(request))
    } catch (err) {
      const full = storageFullRefusal(err)
      if (full !== null) log.error('storage is full', { operation: contract.name, err })
      const refusal = err instanceof BodyTooLarge ? tooLarge(body.tooLarge) : (full ?? err)
      if (!(refusal instanceof Refusal)) throw err
      const { kind, code, message, details } = refusal
      const wait = details?.retry_after_s
      const headers = wait === undefined ? {} : { 'retry-after': String(wait) }
      return respond(STATUS[kind], { error: { code, message } }, headers)
    }
  }
}

function parseBody(schema: z.ZodObject<typeof ENVELOPE>, bytes: Uint8Array) {
  if (!isModestJson(bytes)) throw unreadable()
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    throw unreadable()
  }
}

function unreadable() {
  return refuse.invalid('invalid_data', 'This form sent something that cannot be read.')
}

/** The reader is a page of an opaque origin, or the shell around it. */
function respond(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after',
      'cross-origin-resource-policy': 'cross-origin',
      ...headers,
    },
  })
}

const WRONG_METHOD = { error: { code: 'method_not_allowed', message: 'This address takes POST.' } }

function spam() {
  return refuse.invalid('spam', 'This looks as if a program filled it in. Reload and send again.')
}
function tooLarge(message: string) {
  return refuse.tooLarge('too_large', message)
}
