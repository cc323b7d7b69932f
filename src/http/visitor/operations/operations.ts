import { z } from 'zod'
import type { OpenPage } from '../../../features/pages/index.ts'
import { STATUS } from '../../../model/error-codes/meaning.ts'
import { pageGone, Refusal, refuse } from '../../../model/errors.ts'
import { parseInput } from '../../../model/input.ts'
import { JsonText, toJson } from '../../../model/json-text.ts'
import {
  bodyOf,
  type Returned,
  type Subjects,
  type VisitorAudience,
  type VisitorContract,
  type VisitorOperation,
} from '../../../model/operation.ts'
import { isForeignKeyViolation } from '../../../platform/db/errors.ts'
import { outageRefusal } from '../../../platform/outages.ts'
import type { Services } from '../../../platform/services.ts'
import { BodyTooLarge, jsonIn } from '../../kit/body.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { assertOwnOrigin } from '../../kit/csrf.ts'
import { buildResponse, retryHeaders, textOf } from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'
import { type Admit, stale } from '../request/admit.ts'
import type { ViewerToken, ViewerTokens } from '../request/viewer-tokens.ts'

export interface VisitorRouteDeps
  extends Pick<Services, 'baseUrl' | 'log'>,
    Pick<GateDeps, 'cookies' | 'bodyReader' | 'throttles' | 'nowMs' | 'addressOf'> {
  viewerTokens: ViewerTokens
  admit: Admit
  compressor: Compressor
}

export type VisitorRoute = (request: Request) => Promise<Response>

/** A request that was parsed, throttled and admitted. */
export interface VisitorCall<A extends VisitorAudience> {
  request: Request
  /** The random id of the browser. */
  device: string
  token: ViewerToken
  openPage: OpenPage
  subject: Subjects[A]
}

type Handle<A extends VisitorAudience, I extends z.ZodObject, O extends z.ZodType> = (
  call: VisitorCall<A>,
  input: z.output<I>,
) => Promise<{ returned: Returned<z.input<O>>; cookies?: readonly string[] }>

/** The tokens that every visitor operation receives besides its input. */
const ENVELOPE = {
  /** The viewer token, or that of the panel. */
  token: z.string().max(64 * 1024),
  /** The source token. */
  stamp: z.string().max(8 * 1024),
  /** The honeypot: a hidden field that only programs fill in. */
  trap: z.string().optional(),
}

export function visitorOperationRoutes(
  operations: readonly VisitorOperation[],
  deps: VisitorRouteDeps,
): [path: string, VisitorRoute][] {
  return operations.map(({ contract, run }) => [
    contract.http.path,
    createVisitorRoute(contract, deps, async ({ subject }, input) => ({
      returned: await run(subject as never, input as never),
    })),
  ])
}

/**
 * Parses the body, throttles, admits the viewer of its token, runs the handler and presents what it
 * returns.
 */
export function createVisitorRoute<
  A extends VisitorAudience,
  I extends z.ZodObject,
  O extends z.ZodType,
>(contract: VisitorContract<A, I, O>, deps: VisitorRouteDeps, run: Handle<A, I, O>): VisitorRoute {
  const { viewerTokens, admit, cookies, baseUrl, bodyReader, throttles, log } = deps
  const { nowMs, addressOf, compressor } = deps
  const { audience, http, limits, output } = contract
  const { maxBytes } = contract.body
  const tooLarge = refuse.tooLarge('too_large', contract.body.tooLarge)
  const isFromPanel = audience === 'participant'
  const readers = isFromPanel ? OWN_PAGES : ANY_ORIGIN
  const schema = contract.input.extend(ENVELOPE)

  /** The token of the panel is valid only in the browser that received it. */
  function readToken(request: Request, text: string): ViewerToken | null {
    if (!isFromPanel) return viewerTokens.readViewerToken(text, nowMs())
    const token = viewerTokens.readPanelToken(text, nowMs())
    return token?.device === cookies.browserOf(request) ? token : null
  }

  async function handle(request: Request): Promise<Response> {
    if (isFromPanel) assertOwnOrigin(request, baseUrl)
    const bytes = await bodyReader.read(request, { maxBytes, sender: 'stranger' })
    const { token: tokenText, stamp, trap, ...input } = parseBody(schema, bytes)
    const token = readToken(request, tokenText)
    const source = token && viewerTokens.readSourceToken(stamp, token.page_id)
    if (token === null || source === null) throw stale()
    if (limits) await throttles.assert(limits.byAddress, `${addressOf(request)} ${token.page_id}`)
    if (trap) throw refuse.invalid('spam', SPAM)
    const { page, openPage, viewer, participant } = await admit(token)
    const { key } = isFromPanel ? participant : viewer
    if (limits) await throttles.assert(limits.byViewer, key)
    const sender = isFromPanel ? { participant } : { viewer }
    const subject = { page, source, ...sender } as unknown as Subjects[A]
    const result = await run(
      { request, device: token.device, token, openPage, subject },
      input as z.output<I>,
    )
    const answer = bodyOf(output, result.returned)
    const body = http.jsonText ? new JsonText(toJson(answer)) : answer
    const parts = { status: http.status, body, headers: readers, cookies: result.cookies }
    return http.jsonText ? compressor.respond(request, respond(parts)) : respond(parts)
  }

  return async (request) => {
    if (request.method !== 'POST') {
      return respond({ status: 405, body: WRONG_METHOD, headers: { ...readers, allow: 'POST' } })
    }
    try {
      return await handle(request)
    } catch (err) {
      const outage = outageRefusal(err)
      if (outage !== null) log.error('operation failed', { operation: http.path, err })
      // Its page was deleted meanwhile: what viewers write refers to that.
      const failure = isForeignKeyViolation(err) ? pageGone() : err
      const refusal = err instanceof BodyTooLarge ? tooLarge : (outage ?? failure)
      if (!(refusal instanceof Refusal)) throw err
      const { kind, code, message, details } = refusal
      const { retry_after_s, param } = details ?? {}
      const headers = { ...readers, ...retryHeaders(retry_after_s) }
      const error = { code, message, ...(param !== undefined && { param }) }
      return respond({ status: STATUS[kind], body: { error }, headers })
    }
  }
}

function parseBody(schema: z.ZodObject<typeof ENVELOPE>, bytes: Uint8Array) {
  try {
    return parseInput(schema, parseJson(bytes))
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    const message = `What was sent cannot be read. ${err.message}`
    throw refuse.invalid('invalid_data', message, { param: err.details?.param })
  }
}

/** @throws Refusal */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return jsonIn(bytes)
  } catch {
    const message = 'It is no JSON, or has too many values.'
    throw refuse.invalid('malformed_json', message, { param: 'body' })
  }
}

/** The reader is a page of an opaque origin, or the shell around it. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}
/** The reader is the panel. */
const OWN_PAGES = { 'cross-origin-resource-policy': 'same-origin' }

interface Answer {
  status: number
  body: unknown
  headers: Record<string, string>
  cookies?: readonly string[] | undefined
}

function respond({ status, body, headers, cookies = [] }: Answer): Response {
  const all = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  }
  return buildResponse(null, { status, headers: all, body: textOf(body), cookies })
}

const WRONG_METHOD = { error: { code: 'method_not_allowed', message: 'This address takes POST.' } }
const SPAM = 'This looks as if a program filled it in. Reload and send again.'
