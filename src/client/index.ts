import type { Source } from '../model/page/index.ts'
import { parseBaseUrl } from './base-url.ts'
import { bindings } from './bindings.ts' with { type: 'macro' }
import type { Binding } from './bindings.ts'
import { ApiError, errorOf, notHandbill, unreachable } from './error.ts'
import { headersOf, requestOf, uploadOf } from './request.ts'
import { decideWait, isRepeatable, type Outcome, wait } from './retry.ts'
import type { CallOptions, Client, UploadBody, UploadOptions } from './types.ts'

export { parseBaseUrl } from './base-url.ts'
export { ApiError } from './error.ts'
export type * from './types.ts'

export interface ClientSettings {
  /** Where Handbill is, such as `https://pages.example.com`. */
  baseUrl: string
  /** An API key, `sm_…`. */
  key: string
  fetch?: typeof globalThis.fetch
  /** What pages made here are marked with; `api` unless named. */
  source?: Exclude<Source, 'api'>
  /** How long a try waits for its answer to begin; an upload waits as long as it takes. */
  timeoutMs?: number
  /** The first wait before another try; each further one is twice as long. */
  backoffMs?: number
  /** Told before each wait, with what made it necessary. */
  onRetry?(waitMs: number, why: ApiError): void
}

interface Sent {
  init: () => RequestInit
  isRepeatable: boolean
  timeoutMs: number | undefined
  signal: AbortSignal | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_BACKOFF_MS = 250

/**
 * A client of one Handbill server: one method for each operation, typed by its contract.
 *
 * ```ts
 * const handbill = createClient({ base_url: 'http://localhost:8787', key: 'sm_…' })
 * const { data: page } = await handbill.createPage({ html: '<h1>Hello</h1>', access: 'password' })
 * await handbill.updatePage({ id: page.id, title: 'Hello' })
 *
 * const { data: upload } = await handbill.createUpload(blob, { onProgress: (bytes) => … })
 * await handbill.createPage({ file_upload: upload.id, filename: 'report.pdf' })
 *
 * for await (const { data } of answersOf(handbill.listPages, {})) console.log(data.length)
 * const csv = await (await handbill.listResponses({ id: page.id, format: 'csv' })).text()
 * ```
 *
 * A call that fails throws an `ApiError`. Lost connections, 429 and passing failures of the server
 * are tried again, up to four times, wherever a second try can do no harm.
 */
export function createClient(settings: ClientSettings): Client {
  const { fetch = globalThis.fetch, backoffMs = DEFAULT_BACKOFF_MS, onRetry } = settings
  const baseUrl = checkedBaseUrl(settings.baseUrl)
  const identity = {
    authorization: `Bearer ${keyIn(settings.key)}`,
    accept: 'application/json, text/csv',
    ...(settings.source !== undefined && { 'handbill-source': settings.source }),
  }

  /** One try. Answers the response, whatever it says. */
  async function attempt(path: string, sent: Sent): Promise<Response> {
    const late = new AbortController()
    const timer =
      sent.timeoutMs === undefined
        ? undefined
        : setTimeout(() => late.abort(new Error('it took too long to answer')), sent.timeoutMs)
    const signal = sent.signal ? AbortSignal.any([sent.signal, late.signal]) : late.signal
    try {
      return await fetch(`${baseUrl}/api/v1${path}`, {
        ...sent.init(),
        signal,
        redirect: 'manual',
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async function outcomeOf(path: string, sent: Sent): Promise<Answered | Failed> {
    try {
      const response = await attempt(path, sent)
      if (response.ok) return { answer: await answerIn(response, baseUrl) }
      const { status } = response
      const retryAfter = response.headers.get('retry-after')
      return { status, retryAfter, error: await errorOf(response, baseUrl) }
    } catch (err) {
      sent.signal?.throwIfAborted()
      if (err instanceof ApiError) throw err
      return { status: null, retryAfter: null, error: unreachable(baseUrl, err) }
    }
  }

  async function send(binding: Binding, path: string, sent: Sent): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await outcomeOf(path, sent)
      if ('answer' in outcome) return outcome.answer
      // The try before deleted it, and its answer was lost.
      if (binding.method === 'DELETE' && outcome.status === 404 && tries > 1) return undefined
      const { isRepeatable } = sent
      const random = Math.random()
      const waitMs = decideWait(outcome, { tries, isRepeatable, backoffMs, random })
      if (waitMs === null) throw outcome.error
      onRetry?.(waitMs, outcome.error)
      await wait(waitMs, sent.signal)
    }
  }

  function ask(name: string, binding: Binding) {
    return async (input: Record<string, unknown> = {}, options: CallOptions = {}) => {
      const { path, json } = requestOf(binding, input)
      const headers = { ...identity, ...headersOf(name, json, options) }
      const init = { method: binding.method, headers, ...(json !== undefined && { body: json }) }
      return send(binding, path, {
        init: () => init,
        isRepeatable: isRepeatable(name, binding) && options.if_match === undefined,
        timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        signal: options.signal,
      })
    }
  }

  function upload(name: string, binding: Binding) {
    return async (given: UploadBody, options: UploadOptions = {}) => {
      const upload = await uploadOf(given, options)
      const { body, isCounted, size_bytes: sizeBytes } = upload
      const headers = { ...identity, 'content-type': 'application/octet-stream' }
      const answer = await send(binding, binding.path, {
        init: () => ({ method: binding.method, headers, body: body(), ...HALF_DUPLEX }),
        isRepeatable: isRepeatable(name, binding) && upload.isRepeatable,
        timeoutMs: undefined,
        signal: options.signal,
      })
      if (!isCounted && sizeBytes !== undefined) options.onProgress?.(sizeBytes)
      return answer
    }
  }

  const methods = Object.entries(bindings()).map(([name, binding]) => [
    name,
    binding.rawBody ? upload(name, binding) : ask(name, binding),
  ])
  return Object.fromEntries(methods) as Client
}

type Answered = { answer: unknown }
type Failed = Outcome & { error: ApiError }

/** What fetch wants to hear before it sends a stream, and TypeScript's library does not know. */
const HALF_DUPLEX = { duplex: 'half' }

/** Every page of a list, one after the other: `for await (const { data } of answersOf(…))`. */
export async function* answersOf<L extends List>(
  list: L,
  input: NonNullable<Parameters<L>[0]>,
  options: CallOptions = {},
): AsyncGenerator<Awaited<ReturnType<L>>, void> {
  const ask = list as unknown as (input: object, options: CallOptions) => ReturnType<L>
  const { offset: first = 0 } = input as { offset?: number }
  for (let offset: number | null = first; offset !== null; ) {
    const answer: Awaited<ReturnType<L>> = await ask({ ...(input as object), offset }, options)
    yield answer
    offset = 'next_offset' in answer ? answer.next_offset : answer.data.next_offset
  }
}
type NextOffset = { next_offset: number | null }
/** Where the next page begins stands beside `data`, or in it. */
type List = (
  input: never,
  options?: CallOptions,
) => Promise<(NextOffset & { data: object }) | { data: NextOffset }>

async function answerIn(response: Response, baseUrl: string): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/csv')) return response
  if (!type.startsWith('application/json')) throw notHandbill(response.status, baseUrl)
  return response.json()
}

/** @throws TypeError where a header could not even hold it */
function keyIn(given: string): string {
  const key = given.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError('That is not an API key: one starts with sm_.')
}

/** @throws TypeError where it is no address of a server */
function checkedBaseUrl(given: string): string {
  const baseUrl = parseBaseUrl(given)
  if (baseUrl !== null) return baseUrl
  throw new TypeError(`${given} is not the address of a server, such as http://localhost:8787.`)
}
