import { APP_HEADER } from '../model/app-api.ts'
import type { Source } from '../model/page/index.ts'
import { bindings } from './bindings.ts' with { type: 'macro' }
import type { Binding } from './bindings.ts'
import type { ApiError } from './error.ts'
import { headersOf, pathAndBody, prepareUpload } from './request.ts'
import { isRepeatable } from './retry.ts'
import { type SendSettings, send } from './send.ts'
import type { CallOptions, Client, UploadBody, UploadOptions } from './types.ts'

export { ApiError } from './error.ts'
export { newKey } from './request.ts'
export type * from './types.ts'

export interface ClientSettings {
  /** The server's address, such as `https://pages.example.com`. */
  baseUrl: string
  key: string
  fetch?: typeof globalThis.fetch
  /** The `source` of pages created by this client; by default `api`. */
  source?: Exclude<Source, 'api'>
  /** How long each attempt waits for the answer to begin. Uploads have no timeout. */
  timeoutMs?: number
  /** The pause before the second attempt; each further one is twice as long. */
  backoffMs?: number
  /** Called before each pause, with the error that causes it. */
  onRetry?(waitMs: number, error: ApiError): void
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_BACKOFF_MS = 250

/**
 * Creates a client of one server, with one method for each operation, typed by its contract.
 *
 * ```ts
 * const handbill = createClient({ baseUrl: 'http://localhost:8787', key: 'sm_…' })
 * const { data: page } = await handbill.createPage({ html: '<h1>Hello</h1>', access: 'password' })
 * await handbill.updatePage({ id: page.id, title: 'Hello' })
 *
 * const { data: upload } = await handbill.createUpload(blob, { onProgress: (bytes) => … })
 * await handbill.createPage({ file_upload: upload.id, filename: 'report.pdf' })
 *
 * for await (const { data } of paginate(handbill.listPages, {})) console.log(data.length)
 * const pdf = await (await handbill.readFile({ id: page.id, path: 'report.pdf' })).bytes()
 * const csv = await (await handbill.listResponses({ id: page.id, format: 'csv' })).text()
 * ```
 *
 * A call that fails throws an `ApiError`. Lost connections, 429 and temporary server errors are
 * retried, with up to four attempts, if repeating the operation is safe.
 */
export function createClient(settings: ClientSettings): Client {
  const { key, ...rest } = settings
  const authorization = `Bearer ${assertKey(key)}`
  return createMethods({ ...rest, apiPath: '/api/v1', credentials: { authorization } })
}

/**
 * Creates the same client for a page of the server itself, in a browser that is signed in: the
 * session's cookie authenticates its requests.
 */
export function createSessionClient(settings: Omit<ClientSettings, 'key'>): Client {
  return createMethods({ ...settings, apiPath: '/app/api', credentials: { [APP_HEADER]: '1' } })
}

interface MethodSettings extends Omit<ClientSettings, 'key'> {
  apiPath: string
  credentials: Record<string, string>
}

function createMethods(settings: MethodSettings): Client {
  const { fetch = globalThis.fetch, backoffMs = DEFAULT_BACKOFF_MS, onRetry } = settings
  const baseUrl = assertBaseUrl(settings.baseUrl)
  const connection: Connection = {
    baseUrl,
    apiUrl: baseUrl + settings.apiPath,
    fetch,
    backoffMs,
    onRetry,
    timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    headers: {
      ...settings.credentials,
      accept: 'application/json, text/csv',
      ...(settings.source !== undefined && { 'handbill-source': settings.source }),
    },
  }
  const methods = Object.entries(bindings()).map(([name, binding]) => [
    name,
    binding.rawBody
      ? createUploadMethod(name, binding, connection)
      : createMethod(name, binding, connection),
  ])
  return Object.fromEntries(methods) as Client
}

interface Connection extends SendSettings {
  timeoutMs: number
  headers: Record<string, string>
}

function createMethod(name: string, binding: Binding, connection: Connection) {
  return async (input: Record<string, unknown> = {}, options: CallOptions = {}) => {
    const { path, json } = pathAndBody(binding, input)
    const headers = {
      ...connection.headers,
      ...(binding.file && { accept: '*/*' }),
      ...headersOf(name, json, options),
    }
    const init = { method: binding.method, headers, ...(json !== undefined && { body: json }) }
    const request = {
      name,
      binding,
      path,
      init: () => init,
      isRepeatable: isRepeatable(name, binding) && options.if_match === undefined,
      timeoutMs: connection.timeoutMs,
      signal: options.signal,
      onEtag: options.onEtag,
    }
    return send(request, connection)
  }
}

function createUploadMethod(name: string, binding: Binding, connection: Connection) {
  return async (content: UploadBody, options: UploadOptions = {}) => {
    const upload = await prepareUpload(content, options)
    const { body, reportsProgress, size_bytes } = upload
    const headers = { ...connection.headers, 'content-type': 'application/octet-stream' }
    const request = {
      name,
      binding,
      path: binding.path,
      init: () => ({ method: binding.method, headers, body: body(), ...HALF_DUPLEX }),
      isRepeatable: isRepeatable(name, binding) && upload.isRepeatable,
      timeoutMs: undefined,
      signal: options.signal,
      onEtag: options.onEtag,
    }
    const answer = await send(request, connection)
    if (!reportsProgress && size_bytes !== undefined) options.onProgress?.(size_bytes)
    return answer
  }
}

/** `fetch` requires it for a stream as body; TypeScript's library does not declare it. */
const HALF_DUPLEX = { duplex: 'half' }

export async function* paginate<L extends List>(
  list: L,
  input: NonNullable<Parameters<L>[0]>,
  options: CallOptions = {},
): AsyncGenerator<Awaited<ReturnType<L>>, void> {
  const readPage = list as unknown as (input: object, options: CallOptions) => ReturnType<L>
  const { offset: first = 0 } = input as { offset?: number }
  for (let offset: number | null = first; offset !== null; ) {
    const answer: Awaited<ReturnType<L>> = await readPage({ ...(input as object), offset }, options)
    yield answer
    const next = 'next_offset' in answer ? answer.next_offset : answer.data.next_offset
    // A server that does not count on would be asked for ever.
    if (next !== null && !(next > offset)) throw new TypeError('The list does not go on.')
    offset = next
  }
}
type NextOffset = { next_offset: number | null }
/** A list operation: its answer has `next_offset` beside `data` or inside it. */
type List = (
  input: never,
  options?: CallOptions,
) => Promise<(NextOffset & { data: object }) | { data: NextOffset }>

/** @throws TypeError if a header cannot contain it */
function assertKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError('That is not an API key: one starts with sm_.')
}

/** @throws TypeError if it is not the address of a server */
function assertBaseUrl(text: string): string {
  const baseUrl = parseBaseUrl(text)
  if (baseUrl !== null) return baseUrl
  throw new TypeError(`${text} is not the address of a server, such as http://localhost:8787.`)
}

/** The address of a server, without a slash at its end; null if the text is not one. */
export function parseBaseUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  if (url.username !== '' || url.search !== '') return null
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
