import { afterEach, describe, expect, test } from 'bun:test'
import { type AddressInfo, createServer } from 'node:net'
import { ApiError, type Client, type ClientSettings, createClient } from './index.ts'

interface Heard {
  method: string
  path: string
  headers: Headers
  body: string
}
type Reply = Response | 'say nothing'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server that answers these, one after the other, and the last one for ever. */
function scripted(...replies: (() => Reply)[]) {
  const heard: Heard[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { method, headers, url } = request
      const { pathname, search } = new URL(url)
      heard.push({ method, path: pathname + search, headers, body: await request.text() })
      const reply = replies[Math.min(heard.length, replies.length) - 1]!()
      return reply === 'say nothing' ? new Promise<Response>(() => {}) : reply
    },
  })
  stops.push(() => server.stop(true))
  return { heard, baseUrl: `http://127.0.0.1:${server.port}` }
}

/** Answers each request with the beginning of an answer. */
async function cuttingShort() {
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

function clientOf({ baseUrl }: { baseUrl: string }, more: Partial<ClientSettings> = {}): Client {
  return createClient({ baseUrl, key: 'sm_key', backoffMs: 1, ...more })
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

describe('a passing failure', () => {
  for (const status of [429, 500, 502, 503, 504]) {
    test(`of ${status} is tried again`, async () => {
      const server = scripted(failing(status), failing(status), page)
      expect(await clientOf(server).getPage({ id: 'pg_1' })).toEqual({
        data: { id: 'pg_1' },
      } as never)
      expect(server.heard).toHaveLength(3)
    })
  }

  test('is tried four times and no more', async () => {
    const server = scripted(failing(503))
    const err = await failureOf(clientOf(server).getPage({ id: 'pg_1' }))
    expect(err).toMatchObject({ status: 503, code: 'made_up', message: 'Made up.' })
    expect(server.heard).toHaveLength(4)
  })

  for (const status of [400, 401, 402, 403, 404, 409, 412, 413, 415, 422, 501]) {
    test(`is none of ${status}`, async () => {
      const server = scripted(failing(status))
      expect((await failureOf(clientOf(server).getPage({ id: 'pg_1' }))).status).toBe(status)
      expect(server.heard).toHaveLength(1)
    })
  }

  test('waits as long as Retry-After says, and not at all where that is too long', async () => {
    const waits: number[] = []
    const onRetry = (waitMs: number) => void waits.push(waitMs)
    const server = scripted(failing(429, { 'retry-after': '1' }), page)
    await clientOf(server, { onRetry }).getPage({ id: 'pg_1' })
    expect(waits).toEqual([1000])
    const busy = scripted(failing(429, { 'retry-after': '3600' }))
    expect((await failureOf(clientOf(busy, { onRetry }).getPage({ id: 'pg_1' }))).status).toBe(429)
    expect(busy.heard).toHaveLength(1)
    expect(waits).toHaveLength(1)
  })

  test('waits twice as long each time, and not always the same', async () => {
    const waits: number[] = []
    const server = scripted(failing(500))
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
  test('that makes a page is repeated under one key, another under another', async () => {
    const server = scripted(failing(500), failing(502), page)
    const client = clientOf(server)
    await client.createPage({ html: 'x' })
    await client.createPage({ html: 'x' })
    const keys = server.heard.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys.slice(0, 3)).toEqual([keys[0]!, keys[0]!, keys[0]!])
    expect(keys[3]).not.toBe(keys[0])
  })

  test('that does no harm twice is repeated', async () => {
    const calls: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.updatePage({ id: 'pg_1', title: 'x' }),
      (client) => client.publishPage({ id: 'pg_1' }),
      (client) => client.restoreVersion({ id: 'pg_1', version_no: 2 }),
      (client) => client.createUpload(new Blob(['bytes'])),
    ]
    for (const call of calls) {
      const server = scripted(failing(503), page)
      await call(clientOf(server))
      expect(server.heard).toHaveLength(2)
      expect(server.heard[1]!.body).toBe(server.heard[0]!.body)
    }
  })

  test('that may do harm twice is sent once, unless it was turned away', async () => {
    const edit = (client: Client) =>
      client.editHtml({ id: 'pg_1', edits: [{ find: 'a', replace: 'aa' }] })
    const calls: ((client: Client) => Promise<unknown>)[] = [
      edit,
      (client) => client.decideAccessRequest({ id: 'pg_1', request_id: 'r', decision: 'deny' }),
      (client) => client.updatePage({ id: 'pg_1', title: 'x' }, { if_match: '"pg_1.1"' }),
      (client) => client.createUpload(new Blob(['x']).stream()),
    ]
    for (const call of calls) {
      const server = scripted(failing(500), page)
      await failureOf(call(clientOf(server)))
      expect(server.heard).toHaveLength(1)
    }
    const limited = scripted(failing(429), page)
    await edit(clientOf(limited))
    expect(limited.heard).toHaveLength(2)
  })

  test('that deleted, and whose answer was lost, is done when nothing is there any more', async () => {
    const server = scripted(failing(502), failing(404))
    expect(await clientOf(server).deletePage({ id: 'pg_1' })).toBeUndefined()
    const never = scripted(failing(404))
    expect((await failureOf(clientOf(never).deletePage({ id: 'pg_1' }))).status).toBe(404)
  })
})

describe('an error', () => {
  test('tells all that the answer told', async () => {
    const error = {
      code: 'duplicate_title',
      message: 'Taken.',
      param: 'title',
      limit: 3,
      request_id: 'r',
    }
    const server = scripted(() => Response.json({ error }, { status: 409 }))
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

  test('of a server that is not there names it, and keeps the cause', async () => {
    const err = await failureOf(clientOf({ baseUrl: 'http://127.0.0.1:1' }).listPages())
    expect(err).toMatchObject({ status: null, code: 'unreachable' })
    expect(err.message).toStartWith('Cannot reach http://127.0.0.1:1')
    expect(err.cause).toBeInstanceOf(Error)
  })

  test('of an answer that is cut short is one of the way there', async () => {
    const server = await cuttingShort()
    const client = clientOf(server)
    expect((await failureOf(client.getPage({ id: 'pg_1' }))).code).toBe('unreachable')
    expect(server.count()).toBe(4)
    const edit = client.editHtml({ id: 'pg_1', edits: [] })
    expect((await failureOf(edit)).code).toBe('unreachable')
    expect(server.count()).toBe(5)
  })

  test('of an answer that never comes says so', async () => {
    const server = scripted(() => 'say nothing')
    const client = clientOf(server, { timeoutMs: 50 })
    const err = await failureOf(client.editHtml({ id: 'pg_1', edits: [] }))
    expect(err.message).toContain('it took too long to answer')
  })

  test('of what is not Handbill says so, and shows none of it', async () => {
    const replies: [Response, string][] = [
      [new Response('<h1>Welcome', { headers: { 'content-type': 'text/html' } }), 'not_handbill'],
      [new Response('<h1>Bad gateway', { status: 418 }), 'not_handbill'],
      [
        new Response(null, { status: 301, headers: { location: 'https://x.example/' } }),
        'redirected',
      ],
      [new Response('Request Entity Too Large', { status: 413 }), 'body_too_large'],
    ]
    for (const [reply, code] of replies) {
      const server = scripted(() => reply)
      const err = await failureOf(clientOf(server).getPage({ id: 'pg_1' }))
      expect(err.code).toBe(code)
      expect(err.message).not.toContain('<h1>')
      expect(server.heard).toHaveLength(1)
    }
  })
})

test('who stops a call gets their own reason, and nothing is sent after it', async () => {
  const server = scripted(failing(503))
  const stop = new AbortController()
  const client = clientOf(server, { backoffMs: 60_000, onRetry: () => stop.abort('enough') })
  const reason = await client.getPage({ id: 'pg_1' }, { signal: stop.signal }).catch((err) => err)
  expect(reason).toBe('enough')
  expect(server.heard).toHaveLength(1)
})

test('an id cannot lead the request elsewhere', async () => {
  const server = scripted(page)
  const client = clientOf(server)
  for (const id of ['', '.', '..']) {
    await expect(client.deletePage({ id })).rejects.toThrow(TypeError)
  }
  await client.getPage({ id: 'a/../b?c=d#e' })
  expect(server.heard.map(({ path }) => path)).toEqual(['/api/v1/pages/a%2F..%2Fb%3Fc%3Dd%23e'])
})

test('an address that is none, and a key that is none, are refused before anything is sent', () => {
  for (const baseUrl of ['', 'pages.example.com', 'ftp://x', 'http://me:pw@x', 'http://x?y']) {
    expect(() => createClient({ baseUrl, key: 'sm_key' })).toThrow(TypeError)
  }
  for (const key of ['', 'sm_a\nb', 'sm_ä']) {
    expect(() => createClient({ baseUrl: 'http://x', key })).toThrow(TypeError)
  }
})
