import { type Context, Hono } from 'hono'
import { z } from 'zod'
import {
  type Allowance,
  apiLimitOf,
  rateLimited,
  type Throttles,
} from '../../features/throttles/index.ts'
import type { Account } from '../../model/account.ts'
import { Download, StoredFile } from '../../model/download.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { parseInput } from '../../model/input.ts'
import { hasStream, JsonText, jsonParts } from '../../model/json-text.ts'
import {
  type Contract,
  type Operation,
  type RateLimit,
  type RawBody,
  type RequestContext,
  readsPage,
} from '../../model/operation.ts'
import type { Page, Source } from '../../model/page/index.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { outageRefusal } from '../../platform/outages.ts'
import type { Services } from '../../platform/services.ts'
import {
  assertDeclaredLength,
  type BodyReader,
  BodyTooLarge,
  csvIn,
  isCsv,
  parseJson,
} from '../kit/body.ts'
import {
  type Authenticate,
  authorize,
  bearerChallenge,
  callerOf,
  callOperation,
  createCompressibleResults,
} from '../kit/call-operation.ts'
import type { Compressor } from '../kit/compressor.ts'
import { downloadResponse, fileResponse } from '../kit/file-response.ts'
import { beginRequest, endRequest, type RequestEnv, routeOf } from '../kit/logged-route.ts'
import {
  assertMatches,
  buildResponse,
  emptyResponse,
  etagOf,
  internalErrorResponse,
  jsonResponse,
  refusalResponse,
  tooLargeResponse,
} from '../kit/response.ts'
import { jsonPartsResponse, runLong } from './long-response.ts'

interface RestDeps extends Pick<Services, 'log' | 'baseUrl'> {
  operations: Operation[]
  authenticate: Authenticate
  /** Whether scripts of other sites may call it: only where no cookie counts. */
  isCrossOrigin: boolean
  findPage(account: Account, id: string): Promise<Page>
  bodyReader: BodyReader
  throttles: Throttles
  compressor: Compressor
}

/**
 * The REST API, for programs at `/api/v1` and for our own pages at `/app/api`. Each operation's
 * contract says its method, path, input and result.
 */
export function restRoutes(deps: RestDeps) {
  const { operations, isCrossOrigin, log, baseUrl } = deps
  const handle = createHandler(deps)
  const path = isCrossOrigin ? '/api/v1' : '/app/api'
  const routes = new Hono<Env>().basePath(path)

  /** The one handler of a request: those of a chain would all be kept while a client waits. */
  function answer(respond: (context: Context<Env>) => Promise<Response>) {
    return async (context: Context<Env>): Promise<Response> => {
      beginRequest(context)
      const response = await respond(context).catch((err) => failed(err, context))
      const more = { ...(isCrossOrigin && CORS_HEADERS), ...context.get('rateLimitHeaders') }
      for (const [name, value] of Object.entries(more)) response.headers.set(name, value)
      return endRequest(context, response)
    }
  }

  function failed(err: unknown, context: Context<Env>): Response {
    const isOfApps = isCrossOrigin && err instanceof Refusal
    const resource = { baseUrl, resource: '/api/v1' } as const
    const challenge = isOfApps ? bearerChallenge(err, resource) : {}
    return errorResponse(err, context, { log, headers: challenge })
  }

  async function respondElsewhere({ req }: Context<Env>): Promise<Response> {
    const isPreflight = req.method === 'OPTIONS' && req.header('access-control-request-method')
    if (isCrossOrigin && isPreflight) return preflightResponse()
    const { router } = routes
    const methods = METHODS.filter((method) => router.match(method, req.path)[0].length > 0)
    if (methods.length === 0) {
      throw refuse.notFound('unknown_endpoint', 'There is no such endpoint: see /docs/api.')
    }
    const allow = methods.join(', ').replace('GET', 'GET, HEAD')
    const message = `This address takes ${allow}.`
    return refusalResponse(refuse.methodNotAllowed('method_not_allowed', message), { allow })
  }

  for (const operation of operations) {
    const { http } = operation.contract
    routes.on(
      http.method,
      http.path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\{\+(\w+)\}$/, ':$1{.+}'),
      answer((context) => handle(operation, context)),
    )
  }
  return routes.notFound(answer(respondElsewhere))
}

/** Handles a request for an operation: authenticates, counts, authorizes, runs and presents. */
function createHandler(deps: RestDeps) {
  const { authenticate, findPage, bodyReader, throttles, compressor, log } = deps
  const hasCompressibleResult = createCompressibleResults()
  const onLateFailure = (err: unknown) => log.error('a long request failed', { err })

  /** All before the operation runs, apart: what it needed is not kept while a client waits. */
  async function prepare(operation: Operation, context: Context<Env>) {
    const { contract } = operation
    const { http } = contract
    const request = context.req.raw
    if (!http.rawBody) assertDeclaredLength(request)
    const sender = await authenticate(request)
    const limit = apiLimitOf(sender.account.limits)
    const allowance = await throttles.consume(limit, callerOf(sender))
    context.set('rateLimitHeaders', rateLimitHeaders(limit, allowance))
    if (!allowance.isAllowed) throw rateLimited(allowance.resetS)

    const { id, ...params } = context.req.param() as Record<string, string>
    const page = await authorize(contract, sender, () => findPage(sender.account, id!))
    const etag = page && etagOf(page)
    if (etag !== null && http.method !== 'GET') assertMatches(request.headers.get('if-match'), etag)
    const bytes = http.rawBody ? new Uint8Array() : await bodyOf(request, bodyReader)
    // While a body arrives, its sender can lose the right to send it.
    const principal = http.method === 'GET' ? sender : await authenticate(request)
    await authorize(contract, principal, async () => page!)
    const { account, key, session } = principal
    const subject = {
      account,
      sessionId: session?.session_id ?? null,
      page,
      context: { ...contextOf(request, bytes, authenticate), key },
    }
    const input = await inputOf(contract, { request, params, bytes })
    const call = { subject, session, input, findPage }
    const run = (body: RawBody) => callOperation(operation, { ...call, body })
    return { run, etag }
  }

  return async (operation: Operation, context: Context<Env>): Promise<Response> => {
    const { contract } = operation
    const { http } = contract
    const request = context.req.raw
    const { run, etag } = await prepare(operation, context)
    const body = bodyReader.chunks(request, () => authenticate(request))
    const result = http.takesLong
      ? await runLong({ status: http.status, body, run, onLateFailure })
      : await run(body)

    if (result instanceof Response) return result
    if (http.status === 204) return emptyResponse(204)
    if (result instanceof Download) return downloadResponse(request, result, compressor)
    if (result instanceof StoredFile) return fileResponse(request, result)
    const headers = etag !== null && readsPage(contract) ? { etag } : {}
    const parts = http.jsonText ? jsonParts(result) : []
    const isCompressible = hasCompressibleResult(contract)
    if (hasStream(parts)) {
      return jsonPartsResponse(request, { parts, headers }, isCompressible ? compressor : null)
    }
    const answer = http.jsonText ? new JsonText(parts.join('')) : result
    const response = jsonResponse(http.status, answer, headers)
    return isCompressible ? compressor.respond(request, response) : response
  }
}

interface InputParts {
  request: Request
  /** Of the path, without the page's id. */
  params: Record<string, string>
  /** The body. */
  bytes: Uint8Array
}

/** The members of the input: from the path, and from the query of a read or the body of a write. */
async function inputOf(
  { input, http }: Contract,
  { request, params, bytes }: InputParts,
): Promise<Record<string, unknown>> {
  const { method, rawBody, csvMember } = http
  const fromPath = parseTextMembers(input, Object.entries(params))
  const query = new URL(request.url).searchParams
  const hasBody = method === 'POST' || method === 'PATCH'
  if (csvMember !== undefined && isCsv(request)) {
    if (query.has(csvMember)) throw namedTwice(csvMember, 'is the body')
    const rest = parseTextMembers(input, query)
    return { ...rest, [csvMember]: csvIn(bytes, csvMember), ...fromPath }
  }
  if (hasBody) assertNoQuery(query, input)
  if (rawBody) return fromPath
  const members = hasBody
    ? await parseJson(request, bytes)
    : parseTextMembers(input, query.entries())
  const param = Object.keys(params).find((name) => name in members)
  if (param === undefined) return { ...members, ...fromPath }
  throw namedTwice(param, 'is named in the path')
}

function namedTwice(param: string, where: string) {
  return refuse.invalid('unknown_parameter', `${param} ${where}: name it once.`, { param })
}

/** A write takes its members in the body: those in the query would do nothing. */
function assertNoQuery(query: URLSearchParams, { shape }: z.ZodObject): void {
  if (query.size === 0) return
  const hints = Object.keys(shape).map((name) => [name, 'send it in the body, as JSON.'])
  parseInput(NO_QUERY, Object.fromEntries(query), Object.fromEntries(hints))
}
const NO_QUERY = z.strictObject({})

async function bodyOf(request: Request, bodyReader: BodyReader): Promise<Uint8Array> {
  return request.method === 'GET' || request.method === 'HEAD'
    ? new Uint8Array()
    : bodyReader.read(request, { maxBytes: BODY_LIMIT_BYTES, sender: 'key' })
}

function contextOf(
  request: Request,
  bytes: Uint8Array,
  authenticate: Authenticate,
): RequestContext {
  const key = request.headers.get('idempotency-key')
  if (key !== null && (key.length === 0 || key.length > 255)) {
    throw refuse.invalid('bad_idempotency_key', 'Idempotency-Key takes 1 to 255 characters.', {
      param: 'Idempotency-Key',
    })
  }
  return {
    source: sourceOf(request),
    hasIfMatch: request.headers.has('if-match'),
    idempotency: key === null ? null : { key, fingerprint: sha256(bytes) },
    signal: () => request.signal,
    renew: () => authenticate(request),
  }
}

/** Our own clients name themselves in a header. Every other source is `api`. */
function sourceOf(request: Request): Source {
  const name = request.headers.get('handbill-source')
  return CLIENT_SOURCES.find((source) => source === name) ?? 'api'
}
const CLIENT_SOURCES = ['mcp', 'cli', 'upload', 'editor'] as const satisfies Source[]

/** The IETF's rate limit fields: the policy, and what is left of it. */
function rateLimitHeaders(
  { name, count, windowS }: RateLimit,
  { remaining, resetS }: Allowance,
): Record<string, string> {
  return {
    'ratelimit-policy': `"${name}";q=${count};w=${windowS}`,
    ratelimit: `"${name}";r=${remaining};t=${resetS}`,
  }
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/**
 * Scripts of any site may call the API with a key that they hold. The API reads no cookies, so
 * `*` without credentials gives a site nothing that its own server could not ask for.
 */
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, RateLimit, ' +
    'RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
} as const

function preflightResponse(): Response {
  const headers = {
    ...CORS_HEADERS,
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers':
      'Authorization, Content-Type, Handbill-Source, Idempotency-Key, If-Match, ' +
      'If-None-Match, If-Range, Range',
    'access-control-max-age': '7200',
  }
  return buildResponse(null, { status: 204, headers, body: null })
}

/**
 * Parses the members of a path or a query, which are text. Where the schema has a number or a
 * boolean, its text is parsed. Other text stays as it is, and the schema refuses it.
 */
function parseTextMembers(
  schema: z.ZodObject,
  entries: Iterable<[string, string]>,
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, text] of entries) {
    if (name in values) throw namedTwice(name, 'comes twice')
    values[name] = parseText(typeOf(schema.shape[name]), text)
  }
  return { ...values }
}

function parseText(type: string | undefined, text: string): unknown {
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === '1')) return true
  if (type === 'boolean' && (text === 'false' || text === '0')) return false
  return text
}

function typeOf(schema: z.core.$ZodType | undefined): string | undefined {
  const definition = schema?._zod.def as { type: string; innerType?: z.core.$ZodType } | undefined
  return definition?.innerType === undefined ? definition?.type : typeOf(definition.innerType)
}

export interface Env extends RequestEnv {
  Variables: RequestEnv['Variables'] & {
    /** Set once the request is counted. */
    rateLimitHeaders: Record<string, string> | undefined
  }
}

/** The response to an error that a handler throws. */
export function errorResponse(
  err: unknown,
  context: Context<Env>,
  { log, headers }: { log: Log; headers?: Record<string, string> },
): Response {
  if (err instanceof BodyTooLarge) return tooLargeResponse()
  if (err instanceof Refusal) return refusalResponse(err, headers)
  // The client closed the connection before the whole body arrived, which is not a bug.
  if (context.req.raw.signal.aborted) return emptyResponse(400)
  const requestId = context.get('request_id')
  log.error('request failed', { request_id: requestId, ...routeOf(context), err })
  const outage = outageRefusal(err)
  return outage === null ? internalErrorResponse(requestId) : refusalResponse(outage)
}
