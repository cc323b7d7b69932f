/** A thin layer over `fetch` for owners and visitors: no retries, cookies or followed redirects. */
import { server } from './server.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The body parsed as JSON. */
  readonly json: unknown
}

export interface Page {
  readonly id: string
  readonly slug: string
  readonly url: string
  readonly title: string | null
  readonly access: string
  readonly perm: string
  readonly allowed_emails: string[]
  readonly people: { email: string; role: string }[]
  readonly password?: string
  readonly accent: string
  readonly source: string
  readonly indexed: boolean
  readonly kind: string
  readonly entry_path: string | null
  readonly file_count: number
  readonly is_published: boolean
  readonly has_unpublished_changes: boolean
  readonly published_at: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly views: number
  readonly expires_at: string | null
  readonly max_views: number | null
  readonly file: { name: string; mime: string; size_bytes: number } | null
  readonly [setting: string]: unknown
}

export interface Version {
  readonly version_no: number
  readonly source: string
  readonly label: string | null
  readonly size_bytes: number
  readonly created_at: string
  readonly via?: string | null
}

export interface DeckFile {
  readonly path: string
  readonly html: string
}

export interface FullVersion extends Version {
  readonly html?: string
  readonly files?: DeckFile[]
  readonly entry?: string
}

export interface Elided {
  readonly count: number
  readonly chars: number
}

export interface Html {
  readonly kind: string
  readonly html: string
  readonly entry: string
  readonly files: DeckFile[]
  readonly has_unpublished_changes: boolean
  readonly elided: Elided | null
}

export interface Edit {
  readonly find: string
  readonly replace: string
  readonly replace_all?: boolean
}

export interface Change {
  readonly before: string
  readonly after: string
  readonly before_truncated?: boolean
  readonly after_truncated?: boolean
  readonly count: number
}

export interface Edited {
  readonly data: Page
  readonly edits: { changes: Change[]; previous_version: number; version: number }
}

export interface PageList {
  readonly data: Page[]
  readonly next_offset: number | null
}

export interface Upload {
  readonly id: string
  readonly sha256: string
  readonly size_bytes: number
  readonly expires_at: string
}

export type Fields = Record<string, unknown>
export type Sent = Record<string, string>

export const api = `${server.url}/api/v1`

/** Sends one request. The path is relative to the server's address, or a complete URL. */
export async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const url = path.startsWith('/') ? server.url + path : path
  const response = await fetch(url, { redirect: 'manual', ...init })
  return answerOf(response.status, response.headers, new Uint8Array(await response.arrayBuffer()))
}

export function answerOf(status: number, headers: Headers, bytes: Uint8Array): Answer {
  return {
    status,
    headers,
    bytes,
    get text() {
      return new TextDecoder().decode(bytes)
    },
    get json(): unknown {
      return JSON.parse(this.text)
    },
  }
}

/** The `data` of an answer. Throws unless it has the expected status. */
export function dataOf<T>(answer: Answer, status = 200): T {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`)
  }
  return (answer.json as { data: T }).data
}

export type Owner = ReturnType<typeof ownerOf>

/**
 * The holder of an API key. Functions that return an `Answer` do not check it; the others throw
 * unless the request succeeds.
 *
 * @param url of a server that a test has started itself
 */
export function ownerOf(key: string, url = server.url) {
  const authorization = { authorization: `Bearer ${key}` }

  function call(method: string, path: string, body?: unknown, headers: Sent = {}) {
    if (body === undefined) {
      return send(`${url}/api/v1${path}`, { method, headers: { ...authorization, ...headers } })
    }
    return send(`${url}/api/v1${path}`, {
      method,
      headers: { ...authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  return {
    key,
    call,
    ...pageCalls(call),
    ...listCalls(call),
    ...versionCalls(call),
    ...uploadCalls(url, authorization),
  }
}

type Call = (method: string, path: string, body?: unknown, headers?: Sent) => Promise<Answer>

function pageCalls(call: Call) {
  return {
    create: (fields: unknown, headers?: Sent) => call('POST', '/pages', fields, headers),
    patch: (id: string, fields: unknown, headers?: Sent) =>
      call('PATCH', `/pages/${id}`, fields, headers),
    patchHtml: (id: string, body: unknown, headers?: Sent) =>
      call('PATCH', `/pages/${id}/html`, body, headers),
    remove: (id: string) => call('DELETE', `/pages/${id}`),

    publish: async (fields: Fields) => dataOf<Page>(await call('POST', '/pages', fields), 201),
    page: async (id: string) => dataOf<Page>(await call('GET', `/pages/${id}`)),
    update: async (id: string, fields: Fields) =>
      dataOf<Page>(await call('PATCH', `/pages/${id}`, fields)),
    html: async (id: string, query = '') =>
      dataOf<Html>(await call('GET', `/pages/${id}/html${query}`)),
    /** The complete draft of a single page. */
    draft: async (id: string) =>
      dataOf<Html>(await call('GET', `/pages/${id}/html?full=true`)).html,
    edit: async (id: string, edits: Edit[], more: Fields = {}) => {
      const answer = await call('PATCH', `/pages/${id}/html`, { edits, ...more })
      dataOf<Page>(answer)
      return answer.json as Edited
    },
    goLive: async (id: string) => dataOf<Fields>(await call('POST', `/pages/${id}/publish`)),
    unpublish: async (id: string) => dataOf<Fields>(await call('DELETE', `/pages/${id}/publish`)),
  }
}

function listCalls(call: Call) {
  return {
    list: async (query = '') => {
      const answer = await call('GET', `/pages${query}`)
      dataOf<Page[]>(answer)
      return answer.json as PageList
    },
    /** Reads the whole list by following `next_offset`. */
    everyPage: async () => {
      const pages: Page[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const answer: Answer = await call('GET', `/pages?limit=200&offset=${offset}`)
        const list = answer.json as PageList
        pages.push(...list.data)
        offset = list.next_offset
      }
      return pages
    },
  }
}

function versionCalls(call: Call) {
  return {
    versions: async (id: string, query = '') =>
      dataOf<Version[]>(await call('GET', `/pages/${id}/versions${query}`)),
    version: async (id: string, no: number) =>
      dataOf<FullVersion>(await call('GET', `/pages/${id}/versions/${no}`)),
    restore: async (id: string, no: number, body: Fields = {}) =>
      dataOf<Page>(await call('POST', `/pages/${id}/versions/${no}/restore`, body)),
    label: (id: string, no: number, body: unknown) =>
      call('PATCH', `/pages/${id}/versions/${no}`, body),
  }
}

function uploadCalls(url: string, authorization: Sent) {
  const sendUpload = (body: BodyInit, headers: Sent = {}) =>
    send(`${url}/api/v1/uploads`, {
      method: 'POST',
      headers: { ...authorization, ...headers },
      body,
    })
  return {
    sendUpload,
    upload: async (bytes: Uint8Array | string) => {
      const body = new Blob([bytes as BlobPart])
      const answer = await sendUpload(body, { 'content-type': 'application/octet-stream' })
      if (answer.status !== 200 && answer.status !== 201) {
        throw new Error(`upload got ${answer.status}: ${answer.text.slice(0, 500)}`)
      }
      return (answer.json as { data: Upload }).data
    },
  }
}

export const pro = ownerOf(server.keys.pro)
export const free = ownerOf(server.keys.free)
export const team = ownerOf(server.keys.team)
export const other = ownerOf(server.keys.other)

/** Requests without a key and without cookies. */
export const visitor = {
  open: (slug: string, headers: Sent = {}) => send(`/p/${slug}`, { headers }),
  head: (slug: string, headers: Sent = {}) => send(`/p/${slug}`, { method: 'HEAD', headers }),
  /** Opens the page and follows redirects. */
  follow: (slug: string, headers: Sent = {}) => send(`/p/${slug}`, { headers, redirect: 'follow' }),
}

/** The headers of a browser's top-level navigation. */
export const browser = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
}

/** A program that stores cookies, as `curl -b jar -c jar` does. */
export function programWithCookies() {
  const jar = new Map<string, string>()
  return {
    jar,
    open: async (path: string, headers: Sent = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await send(path, { headers: cookie ? { ...headers, cookie } : headers })
      for (const line of answer.headers.getSetCookie()) {
        const pair = line.split(';')[0]!
        const at = pair.indexOf('=')
        jar.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
      }
      return answer
    },
  }
}
