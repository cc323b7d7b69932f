/** Requests of the fault tests: an answer, or the reason why there is none. */

/** A node as its users see it. */
export interface Node {
  /** Without a slash at the end. */
  readonly url: string
  /** The API key of the first account. */
  readonly key: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** There was no complete answer: the server may or may not have carried out the request. */
export class NoAnswer extends Error {}

/** The server refused the request, and said why. */
export class Refused extends Error {
  readonly status: number
  constructor(what: string, { status, text }: Answer) {
    super(`${what} was answered ${status}: ${text.slice(0, 300)}`)
    this.status = status
  }
}

/** Longer than any request waits for the server's database. */
const TIMEOUT_MS = 15_000

/** @throws NoAnswer */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // On a connection that was used before, `fetch` sends a request again by itself.
    const once = { redirect: 'manual', keepalive: false } as const
    const answer = await fetch(url, { ...once, signal, ...init })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (cause) {
    throw new NoAnswer(url, { cause })
  }
}

/**
 * Calls the API.
 *
 * @param endpoint method and path, such as `POST /pages`
 * @returns the answer's `data`
 * @throws NoAnswer or Refused
 */
export async function call<T>(
  { url, key }: Node,
  endpoint: string,
  { body, headers }: { body?: object | string; headers?: Record<string, string> } = {},
): Promise<T> {
  const [method = '', path = ''] = endpoint.split(' ')
  const type = typeof body === 'object' ? 'application/json' : 'application/octet-stream'
  const answer = await ask(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  if (answer.status >= 300) throw new Refused(endpoint, answer)
  return answer.text === '' ? (undefined as T) : (JSON.parse(answer.text) as { data: T }).data
}

/** Reads a list to its end. */
export async function listAll<T>(
  node: Node,
  path: string,
  itemsOf: (data: never) => T[],
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const items = itemsOf(await call<never>(node, `GET ${path}offset=${all.length}&limit=200`))
    all.push(...items)
    if (items.length < 200) return all
  }
}
