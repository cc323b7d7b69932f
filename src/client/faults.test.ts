import { afterEach, describe, expect, test } from 'bun:test'
import { type AddressInfo, createServer } from 'node:net'
import { ApiError, type Client, type ClientSettings, createClient } from './index.ts'

interface Received {
  method: string
  path: string
  headers: Headers
  body: string
}
type Reply = Response | 'no answer'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server that gives these answers in turn, and then the last one again and again. */
function startServer(...replies: (() => Reply)[]) {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { method, headers, url } = request
      const { pathname, search } = new URL(url)
      received.push({ method, path: pathname + search, headers, body: await request.text() })
      const reply = replies[Math.min(received.length, replies.length) - 1]!()
      return reply === 'no answer' ? new Promise<Response>(() => {}) : reply
    },
  })
  stops.push(() => server.stop(true))
  return { received, baseUrl: `http://127.0.0.1:${server.port}` }
}

/** A server that closes the connection in the middle of each answer. */
async function startTruncatingServer() {
  let count = 0
  const server = createServer((socket) => {
    socket.once('data', () => {
      count += 1
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"da',
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, count: () => count }
}

function clientOf(
  { baseUrl }: { baseUrl: string },
  settings: Partial<ClientSettings> = {},
): Client {
  return createClient({ baseUrl, key: 'sm_key', backoffMs: 1, ...settings })
}

const page = () => Response.json({ data: { id: 'pg_1' } })
const failing = (status: number, headers?: Record<string, string>) => () =>
  Response.json(
    { error: { code: 'made_up', message: 'Made up.' } },
    headers ? { status, headers } : { status },
  )

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const err = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(err).toBeInstanceOf(ApiError)
  return err as ApiError
}

describe('a temporary failure', () => {
  for (const status of [429, 500, 502, 503, 504]) {
    test(`with ${status} is retried`, async () => {
      const server = startServer(failing(status), failing(status), page)
      expect(await clientOf(server).getPage({ id: 'pg_1' })).toEqual({
        data: { id: 'pg_1' },
      } as never)
      expect(server.received).toHaveLength(3)
    })
  }

  test('is attempted four times at most', async () => {
    const server = startServer(failing(503))
    const err = await failureOf(clientOf(server).getPage({ id: 'pg_1' }))
    expect(err).toMatchObject({ status: 503, code: 'made_up', message: 'Made up.' })
    expect(server.received).toHaveLength(4)
  })

  for (const status of [400, 401, 402, 403, 404, 409, 412, 413, 415, 422, 501]) {
    test(`is not what ${status} means`, async () => {
      const server = startServer(failing(status))
      expect((await failureOf(clientOf(server).getPage({ id: 'pg_1' }))).status).toBe(status)
      expect(server.received).toHaveLength(1)
    })
  }

  test('is retried after the pause of Retry-After, and not at all if that is too long', async () => {
    const waits: number[] = []
    const onRetry = (waitMs: number) => void waits.push(waitMs)
    const server = startServer(failing(429, { 'retry-after': '1' }), page)
    await clientOf(server, { onRetry }).getPage({ id: 'pg_1' })
    expect(waits).toEqual([1000])
    const busy = startServer(failing(429, { 'retry-after': '3600' }))
    expect((await failureOf(clientOf(busy, { onRetry }).getPage({ id: 'pg_1' }))).status).toBe(429)
    expect(busy.received).toHaveLength(1)
    expect(waits).toHaveLength(1)
  })

  test('is retried after pauses that double, with jitter', async () => {
    const waits: number[] = []
    const server = startServer(failing(500))
    const settings = { backoffMs: 20, onRetry: (waitMs: number) => void waits.push(waitMs) }
    await failureOf(clientOf(server, settings).getPage({ id: 'pg_1' }))
    expect(waits).toHaveLength(3)
    for (const [at, waitMs] of waits.entries()) {
      expect(waitMs).toBeGreaterThanOrEqual(10 * 2 ** at)
      expect(waitMs).toBeLessThanOrEqual(20 * 2 ** at)
    }
    expect(new Set(waits.map((waitMs, at) => waitMs / 2 ** at)).size).toBeGreaterThan(1)
  })
})

describe('a write', () => {
  test('that creates a page is repeated with the same idempotency key; another call has another', async () => {
    const server = startServer(failing(500), failing(502), page)
    const client = clientOf(server)
    await client.createPage({ html: 'x' })
    await client.createPage({ html: 'x' })
    const keys = server.received.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys.slice(0, 3)).toEqual([keys[0]!, keys[0]!, keys[0]!])
    expect(keys[3]).not.toBe(keys[0])
  })

  test('that is safe to repeat is repeated', async () => {
    const calls: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.updatePage({ id: 'pg_1', title: 'x' }),
      (client) => client.publishPage({ id: 'pg_1' }),
      (client) => client.restoreVersion({ id: 'pg_1', version_no: 2 }),
      (client) => client.createUpload(new Blob(['bytes'])),
    ]
    for (const call of calls) {
      const server = startServer(failing(503), page)
      await call(clientOf(server))
      expect(server.received).toHaveLength(2)
      expect(server.received[1]!.body).toBe(server.received[0]!.body)
    }
  })

  test('that is not safe to repeat is sent once, unless it was answered with 429', async () => {
    const edit = (client: Client) =>
      client.editHtml({ id: 'pg_1', edits: [{ find: 'a', replace: 'aa' }] })
    const calls: ((client: Client) => Promise<unknown>)[] = [
      edit,
      (client) => client.decideAccessRequest({ id: 'pg_1', request_id: 'r', decision: 'deny' }),
      (client) => client.updatePage({ id: 'pg_1', title: 'x' }, { if_match: '"pg_1.1"' }),
      (client) => client.createUpload(new Blob(['x']).stream()),
    ]
    for (const call of calls) {
      const server = startServer(failing(500), page)
      await failureOf(call(clientOf(server)))
      expect(server.received).toHaveLength(1)
    }
    const limited = startServer(failing(429), page)
    await edit(clientOf(limited))
    expect(limited.received).toHaveLength(2)
  })

  test('that deletes succeeds if a repeated attempt gets 404', async () => {
    const server = startServer(failing(502), failing(404))
    expect(await clientOf(server).deletePage({ id: 'pg_1' })).toBeUndefined()
    const never = startServer(failing(404))
    expect((await failureOf(clientOf(never).deletePage({ id: 'pg_1' }))).status).toBe(404)
  })
})

describe('an error', () => {
  test('has every member of the answer', async () => {
    const error = {
      code: 'duplicate_title',
      message: 'Taken.',
      param: 'title',
      limit: 3,
      request_id: 'r',
    }
    const server = startServer(() => Response.json({ error }, { status: 409 }))
    const err = await failureOf(clientOf(server).createPage({ html: 'x' }))
    expect(err).toMatchObject({
      status: 409,
      code: 'duplicate_title',
      message: 'Taken.',
      param: 'title',
      request_id: 'r',
      details: { limit: 3 },
    })
    expect(err.details).not.toHaveProperty('code')
  })

  test('about an unreachable server names it and has the cause', async () => {
    const err = await failureOf(clientOf({ baseUrl: 'http://127.0.0.1:1' }).listPages())
    expect(err).toMatchObject({ status: null, code: 'unreachable' })
    expect(err.message).toStartWith('Cannot reach http://127.0.0.1:1')
    expect(err.cause).toBeInstanceOf(Error)
  })

  test('about a truncated answer has the code `unreachable`', async () => {
    const server = await startTruncatingServer()
    const client = clientOf(server)
    expect((await failureOf(client.getPage({ id: 'pg_1' }))).code).toBe('unreachable')
    expect(server.count()).toBe(4)
    const edit = client.editHtml({ id: 'pg_1', edits: [] })
    expect((await failureOf(edit)).code).toBe('unreachable')
    expect(server.count()).toBe(5)
  })

  test('about a timeout says so', async () => {
    const server = startServer(() => 'no answer')
    const client = clientOf(server, { timeoutMs: 50 })
    const err = await failureOf(client.editHtml({ id: 'pg_1', edits: [] }))
    expect(err.message).toContain('it took too long to answer')
  })

  test('about another program’s answer says so, and contains none of it', async () => {
    const replies: [Response, string][] = [
      [new Response('<h1>Welcome', { headers: { 'content-type': 'text/html' } }), 'not_handbill'],
      [new Response('<h1>Bad gateway', { status: 418 }), 'not_handbill'],
      [Response.json({ hello: 'world' }), 'not_handbill'],
      [Response.json(null), 'not_handbill'],
      [
        new Response(null, { status: 301, headers: { location: 'https://x.example/' } }),
        'redirected',
      ],
      [new Response('Request Entity Too Large', { status: 413 }), 'body_too_large'],
      [new Response('<h1>502 Bad Gateway</h1>', { status: 502 }), 'unreachable'],
    ]
    for (const [reply, code] of replies) {
      const server = startServer(() => reply)
      const edit = clientOf(server).editHtml({ id: 'pg_1', edits: [] })
      const err = await failureOf(edit)
      expect(err).toMatchObject({ code, status: reply.status })
      expect(err.message).not.toContain('<h1>')
      expect(server.received).toHaveLength(1)
    }
  })

  test('about content that is too large says what to do, for a request and for an upload', async () => {
    const tooLarge = () => new Response('Request Entity Too Large', { status: 413 })
    const client = clientOf(startServer(tooLarge))
    const page = await failureOf(client.createPage({ html: 'x' }))
    expect([page.code, page.status]).toEqual(['body_too_large', 413])
    expect(page.message).toContain('createUpload')
    const upload = await failureOf(client.createUpload(new Blob(['x'])))
    expect(upload.code).toBe('body_too_large')
    expect(upload.message).toContain('proxy')
  })
})

test('an aborted call rejects with the signal’s reason, and sends nothing more', async () => {
  const server = startServer(failing(503))
  const abort = new AbortController()
  const client = clientOf(server, { backoffMs: 60_000, onRetry: () => abort.abort('enough') })
  const reason = await client.getPage({ id: 'pg_1' }, { signal: abort.signal }).catch((err) => err)
  expect(reason).toBe('enough')
  expect(server.received).toHaveLength(1)
})

test('an id cannot change the path of the request', async () => {
  const server = startServer(page)
  const client = clientOf(server)
  for (const id of ['', '.', '..']) {
    await expect(client.deletePage({ id })).rejects.toThrow(TypeError)
  }
  await client.getPage({ id: 'a/../b?c=d#e' })
  expect(server.received.map(({ path }) => path)).toEqual(['/api/v1/pages/a%2F..%2Fb%3Fc%3Dd%23e'])
})

test('an invalid address or key is refused before anything is sent', () => {
  for (const baseUrl of ['', 'pages.example.com', 'ftp://x', 'http://me:pw@x', 'http://x?y']) {
    expect(() => createClient({ baseUrl, key: 'sm_key' })).toThrow(TypeError)
  }
  for (const key of [undefined, '', 'sm_a\nb', 'sm_ä']) {
    expect(() => createClient({ baseUrl: 'http://x', key })).toThrow('one starts with sm_')
  }
})

test('the reason that Node.js hides behind `fetch failed` is told', async () => {
  for (const [code, reason, message = 'why'] of [
    ['ECONNREFUSED', 'nothing listens there'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'it answers http, and not https'],
    ['ECONNRESET', 'the connection ended', 'pass `verbose: true` to fetch()'],
    ['OTHER', 'why'],
    ['ETIMEDOUT', 'ETIMEDOUT', ''],
    [undefined, 'fetch failed', ''],
  ]) {
    const cause = Object.assign(new Error(message), { code })
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    const client = clientOf({ baseUrl: 'http://127.0.0.1:1' }, { fetch: fetch as never })
    await expect(client.listPages()).rejects.toThrow(`127.0.0.1:1 (${reason}): check`)
  }
})
