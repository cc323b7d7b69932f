import { type Context, Hono } from 'hono'
import {
  type Allowance,
  LIMITS,
  rateLimited,
  type Throttles,
} from '../../features/throttles/index.ts'
import type { Account } from '../../model/account.ts'
import { Download } from '../../model/download.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { JsonText, toJson } from '../../model/json-text.ts'
import type { Operation, RequestContext } from '../../model/operation.ts'
import type { Page, Source } from '../../model/page/index.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'
import type { Log } from '../../platform/log.ts'
import { sha256 } from '../../platform/secrets.ts'
import { authorize } from '../kit/authorize.ts'
import { assertDeclaredLength, type BodyReader, BodyTooLarge, parseJson } from '../kit/body.ts'
import { call } from '../kit/call-operation.ts'
import { assertMatches, etagOf } from '../kit/etag.ts'
import {
  bugAnswer,
  downloadAnswer,
  emptyAnswer,
  jsonAnswer,
  refusalAnswer,
  tooLargeAnswer,
} from '../kit/json-response.ts'
import { type Authenticate, credentialId } from '../kit/principal.ts'
import { storageFullRefusal } from '../kit/storage-full.ts'
import { fromText } from './text.ts'

export interface RestDeps {
  operations: Operation[]
  authenticate: Authenticate
  findPage(account: Account, id: string): Promise<Page>
  bodyReader: BodyReader
  throttles: Throttles
  log: Log
}

type Variables = { request_id: string; rate: Record<string, string> | undefined }

/** REST, derived: each operation's contract says its method, path, input and answer. */
export function restRoutes(deps: RestDeps) {
  const { operations, authenticate, findPage, bodyReader, throttles, log } = deps
  const routes = new Hono<{ Variables: Variables }>()

  routes.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(context.get('rate') ?? {})) {
      context.header(name, value)
    }
  })
  for (const operation of operations) {
    const { method, path } = operation.contract.http
    routes.on(method, honoPath(path), (context) => answer(operation, context))
  }
  for (const [path, allow] of methodsByPath(operations)) {
    routes.all(path, () => {
      const message = `This address takes ${allow}.`
      return refusalAnswer(refuse.methodNotAllowed('method_not_allowed', message), { allow })
    })
  }
  routes.all('*', () => {
    throw refuse.notFound('unknown_endpoint', 'There is no such endpoint: see /docs.')
  })
  routes.onError((err, context) => {
    if (err instanceof BodyTooLarge) return tooLargeAnswer()
    if (err instanceof Refusal) return refusalAnswer(err)
    // Whoever sent it went away before it was whole: nothing is wrong, and nobody is answered.
    if (context.req.raw.signal.aborted) return emptyAnswer(400)
    const requestId = context.get('request_id')
    log.error('request failed', { request_id: requestId, path: context.req.path, err })
    const full = storageFullRefusal(err)
    return full === null ? bugAnswer(requestId) : refusalAnswer(full)
  })

  async function answer(operation: Operation, context: Context): Promise<Response> {
    const { contract } = operation
    const { http } = contract
    const request = context.req.raw
    if (!http.rawBody) assertDeclaredLength(request)
    const principal = await authenticate(request)
    const { account } = principal
    const allowance = await throttles.consume(LIMITS.api, credentialId(principal))
    context.set('rate', rateHeaders(allowance))
    if (!allowance.isAllowed) throw rateLimited(allowance.resetS)
    const { id, ...params } = context.req.param() as Record<string, string>
    const page = await authorize(contract, account, () => findPage(account, id!))
    const tag = page && etagOf(page)
    if (tag !== null && http.method !== 'GET') assertMatches(request.headers.get('if-match'), tag)
    const bytes = http.rawBody ? new Uint8Array() : await bodyOf(request, bodyReader)
    const subject = { account, page, context: contextOf(request, bytes) }
    const given = {
      input: inputOf(operation, request, params, bytes),
      body: bodyReader.chunks(request),
    }
    const result = await call(operation, subject, given)
    if (http.status === 204) return emptyAnswer(204)
    if (result instanceof Download) return downloadAnswer(result)
    return jsonAnswer(
      http.status,
      http.jsonText ? new JsonText(toJson(result)) : result,
      tag !== null && http.method === 'GET' ? { etag: tag } : {},
    )
  }

  return routes
}

/** The members of the input: from the path, and the query of a read or the body of a write. */
function inputOf(
  { contract }: Operation,
  request: Request,
  params: Record<string, string>,
  bytes: Uint8Array,
): Record<string, unknown> {
  const { method, rawBody } = contract.http
  const fromPath = fromText(contract.input, Object.entries(params))
  if (rawBody) return fromPath
  const query = new URL(request.url).searchParams
  const given =
    method === 'POST' || method === 'PATCH'
      ? parseJson(request, bytes)
      : fromText(contract.input, query.entries())
  const twice = Object.keys(params).find((name) => name in given)
  if (twice === undefined) return { ...given, ...fromPath }
  throw refuse.invalid('unknown_parameter', `${twice} is named in the path: leave it out.`, {
    param: twice,
  })
}

async function bodyOf(request: Request, bodyReader: BodyReader): Promise<Uint8Array> {
  return request.method === 'GET' || request.method === 'HEAD'
    ? new Uint8Array()
    : bodyReader.read(request, { maxBytes: BODY_LIMIT_BYTES, sender: 'key' })
}

function contextOf(request: Request, bytes: Uint8Array): RequestContext {
  const key = request.headers.get('idempotency-key')
  if (key !== null && (key.length === 0 || key.length > 255)) {
    throw refuse.invalid('bad_idempotency_key', 'Idempotency-Key takes 1 to 255 characters.')
  }
  return {
    source: sourceOf(request),
    hasIfMatch: request.headers.has('if-match'),
    idempotency: key === null ? null : { key, fingerprint: sha256(bytes) },
  }
}

/** What our own clients say of themselves; whatever else is said, it came by the interface. */
function sourceOf(request: Request): Source {
  const told = request.headers.get('handbill-source')
  return TOLD_SOURCES.find((source) => source === told) ?? 'api'
}
const TOLD_SOURCES = ['mcp', 'cli', 'upload', 'editor'] as const satisfies Source[]

/** The IETF's rate limit fields: what the policy is, and what is left of it. */
function rateHeaders({ remaining, resetS }: Allowance): Record<string, string> {
  const { name, count, windowS } = LIMITS.api
  return {
    'ratelimit-policy': `"${name}";q=${count};w=${windowS}`,
    ratelimit: `"${name}";r=${remaining};t=${resetS}`,
  }
}

function methodsByPath(operations: Operation[]): Map<string, string> {
  const methods = new Map<string, string>()
  for (const { contract } of operations) {
    const path = honoPath(contract.http.path)
    const known = methods.get(path)
    methods.set(
      path,
      known === undefined ? contract.http.method : `${known}, ${contract.http.method}`,
    )
  }
  return methods
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
