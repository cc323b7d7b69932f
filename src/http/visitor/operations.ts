import { z } from 'zod'
import type { Throttles } from '../../features/throttles/index.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import type { VisitorOperation } from '../../model/operation.ts'
import type { Log } from '../../platform/log.ts'
import { type BodyReader, BodyTooLarge } from '../kit/body.ts'
import type { Cookies } from '../kit/cookies.ts'
import { assertOwnOrigin } from '../kit/csrf.ts'
import { isModestJson } from '../kit/json-limits.ts'
import { STATUS } from '../kit/json-response.ts'
import { storageFullRefusal } from '../kit/storage-full.ts'
import { type Admit, stale } from './request/admit.ts'
import type { ViewerToken, ViewerTokens } from './request/viewer-tokens.ts'

export interface VisitorOperationDeps {
  operations: readonly VisitorOperation[]
  viewerTokens: ViewerTokens
  admit: Admit
  cookies: Cookies
  baseUrl: string
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
  /** The viewer token, or that of the panel. */
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
  const { viewerTokens, admit, cookies, baseUrl, bodyReader, throttles, log } = deps
  const { nowMs, addressOf } = deps
  const { audience, http, body, limits, output } = contract
  const isFromPanel = audience === 'participant'
  const schema = contract.input.extend(ENVELOPE)

  /** The token of the panel counts only in the browser that it was given to. */
  function readToken(request: Request, text: string): ViewerToken | null {
    if (!isFromPanel) return viewerTokens.readViewerToken(text, nowMs())
    const token = viewerTokens.readPanelToken(text, nowMs())
    return token?.device === cookies.browserOf(request) ? token : null
  }

  async function handle(request: Request): Promise<unknown> {
    if (isFromPanel) assertOwnOrigin(request, baseUrl)
    const bytes = await bodyReader.read(request, { maxBytes: body.maxBytes, sender: 'stranger' })
    const { token: tokenText, stamp, trap, ...input } = parseBody(schema, bytes)
    const token = readToken(request, tokenText)
    const source = token && viewerTokens.readSourceToken(stamp, token.page_id)
    if (token === null || source === null) throw stale()
    if (limits) await throttles.assert(limits.byAddress, `${addressOf(request)} ${token.page_id}`)
    if (trap) throw spam()
    const { page, viewer, participant } = await admit(token)
    const { key } = isFromPanel ? participant : viewer
    if (limits) await throttles.assert(limits.byViewer, key)
    const subject = isFromPanel ? { page, participant, source } : { page, viewer, source }
    return output.parse(await run(subject as never, input as never))
  }

  return async (request) => {
    const readers = isFromPanel ? OWN_PAGES : ANY_ORIGIN
    if (request.method !== 'POST') {
      return respond(405, WRONG_METHOD, { ...readers, allow: 'POST' })
    }
    try {
      return respond(http.status, await handle(request), readers)
    } catch (err) {
      const full = storageFullRefusal(err)
      if (full !== null) log.error('storage is full', { operation: contract.name, err })
      const refusal = err instanceof BodyTooLarge ? tooLarge(body.tooLarge) : (full ?? err)
      if (!(refusal instanceof Refusal)) throw err
      const { kind, code, message, details } = refusal
      const wait = details?.retry_after_s
      const headers = wait === undefined ? {} : { 'retry-after': String(wait) }
      return respond(STATUS[kind], { error: { code, message } }, { ...readers, ...headers })
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
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}
/** The reader is the panel. */
const OWN_PAGES = { 'cross-origin-resource-policy': 'same-origin' }

function respond(status: number, body: unknown, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
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
