import { APP_HEADER } from '../model/app-api.ts'
import { type Connection, call, upload } from './call.ts'
import { bindings } from './contracts.ts' with { type: 'macro' }
import type { ApiError } from './error.ts'
import type { ClientSource } from './operations.ts'
import type { CallOptions, Client, UploadBody, UploadOptions } from './types.ts'

export { ApiError } from './error.ts'
export { newKey } from './idempotency-key.ts'
export type * from './operations.ts'
export type * from './types.ts'

export interface ClientSettings {
  /** The server's address, such as `https://pages.example.com`. */
  baseUrl: string
  /** Undefined, such as a variable that is not set, is refused: no client is made. */
  key: string | undefined
  fetch?: typeof globalThis.fetch
  /** The `source` of pages created by this client; by default `api`. */
  source?: ClientSource
  /** How long each attempt waits for the answer to begin. Uploads have no timeout. */
  timeoutMs?: number
  /**
   * How long the server may be silent, uploads included: it is asked meanwhile whether it runs, and
   * a call waits longer where it says so. Unlimited by default.
   */
  silenceMs?: number
  /** The pause before the second attempt; each further one is twice as long. */
  backoffMs?: number
  /** Called before each pause, with the error that causes it. */
  onRetry?(waitMs: number, error: ApiError): void
}

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
  return createMethods(rest, '/api/v1', { authorization })
}

/**
 * Creates the same client for a page of the server itself, in a browser that is signed in: the
 * session's cookie authenticates its requests.
 *
 * @internal
 */
export function createSessionClient(settings: Omit<ClientSettings, 'key'>): Client {
  return createMethods(settings, '/app/api', { [APP_HEADER]: '1' })
}

function createMethods(
  { fetch = globalThis.fetch, source, timeoutMs, backoffMs, ...rest }: Omit<ClientSettings, 'key'>,
  apiPath: string,
  credentials: Record<string, string>,
): Client {
  const baseUrl = assertBaseUrl(rest.baseUrl)
  const connection: Connection = {
    baseUrl,
    apiUrl: baseUrl + apiPath,
    fetch,
    timeoutMs: timeoutMs ?? 60_000,
    silenceMs: rest.silenceMs ?? Number.POSITIVE_INFINITY,
    backoffMs: backoffMs ?? 250,
    onRetry: rest.onRetry,
    headers: {
      ...credentials,
      accept: 'application/json, text/csv',
      ...(source !== undefined && { 'handbill-source': source }),
    },
  }
  const methods = Object.entries(bindings()).map(([name, binding]) => {
    const operation = { name, ...binding }
    const method = binding.rawBody
      ? (body: UploadBody, options?: UploadOptions) => upload(connection, operation, body, options)
      : async (input?: Record<string, unknown>, options?: CallOptions) =>
          call(connection, operation, input, options)
    return [name, method]
  })
  return Object.fromEntries(methods) as Client
}

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
function assertKey(text = ''): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError('That is not an API key, or there is none: one starts with sm_.')
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
