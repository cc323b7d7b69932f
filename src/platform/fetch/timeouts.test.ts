import { describe, expect, test } from 'bun:test'
import { AMPLE, createFetch, expectFailed, SHORT } from './testing/create-fetch.ts'
import { plainServer, reply } from './testing/raw-server.ts'
import { scripted, text } from './testing/scripted.ts'

/** Expects a failure at the limit and not before, with tolerance for a busy host. */
async function expectFailedAfter(limitMs: number, get: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await expectFailed(get())
  const tookMs = performance.now() - started
  expect(tookMs).toBeGreaterThan(limitMs - 20)
  expect(tookMs).toBeLessThan(limitMs + 2000)
}

const server = scripted(SHORT)
/** Limits of which a test reaches only the one for headers. */
const HEADERS = { dnsMs: 5000, headersMs: 200, totalMs: 10_000 }
const get = () => createFetch({ allowedHosts: [server.host()], timeouts: HEADERS })(server.url())
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('the fetch fails at the limit for headers when a server', () => {
  test('accepts the connection and sends nothing', async () => {
    server.answer(() => {})
    await expectFailedAfter(HEADERS.headersMs, get)
  })

  test('sends its headers byte by byte', async () => {
    server.endless('HTTP/1.1 200 OK\r\nX: ', 'a', 20)
    await expectFailedAfter(HEADERS.headersMs, get)
  })

  test('never finishes the TLS handshake', async () => {
    const plain = await plainServer(() => {})
    const get = createFetch({ allowedHosts: [plain.host], timeouts: HEADERS })
    await expectFailedAfter(HEADERS.headersMs, () => get(`https://${plain.host}/`))
    await plain.close()
  })
})

/** Limits of which a test reaches only the total, also on a busy host. */
const TOTAL = { dnsMs: 5000, headersMs: 5000, totalMs: 500 }

describe('the fetch fails at the total limit when a server', () => {
  const get = () => createFetch({ allowedHosts: [server.host()], timeouts: TOTAL })(server.url())

  test('sends its body byte by byte', async () => {
    server.endless('HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n', 'a', 20)
    await expectFailedAfter(TOTAL.totalMs, get)
  })

  test('never finishes the size of a chunk', async () => {
    server.endless(CHUNKED, '0'.repeat(4000))
    await expectFailedAfter(TOTAL.totalMs, get)
  })

  test('redirects slowly, but each time within the limit for headers', async () => {
    server.answer((socket) => {
      setTimeout(() => reply(socket, '302 Found', ['Location: /']), 100)
    })
    await expectFailedAfter(TOTAL.totalMs, get)
  })
})

describe('the limit of sixteen concurrent fetches', () => {
  test('lets the others wait, and serves them', async () => {
    let now = 0
    let most = 0
    server.answer((socket) => {
      now += 1
      most = Math.max(most, now)
      setTimeout(() => {
        now -= 1
        reply(socket, '200 OK', [], 'hello')
      }, 30)
    })
    const get = createFetch({ allowedHosts: [server.host()], timeouts: AMPLE })
    const all = await Promise.all(Array.from({ length: 50 }, () => text(get(server.url()))))
    expect(all).toEqual(Array.from({ length: 50 }, () => 'hello'))
    expect(most).toBe(16)
  })

  test('frees a place after every kind of failure', async () => {
    server.answer((socket, path) => {
      if (path === '/reset') socket.destroy()
      else reply(socket, path === '/bad' ? '500 X' : '200 OK', [], 'a'.repeat(2000))
    })
    const get = createFetch({ allowedHosts: [server.host()], timeouts: AMPLE })
    const outcomes = ['/reset', '/large', '/bad'].flatMap((path) =>
      Array.from({ length: 20 }, () => get(server.url(path), 1000).catch((error) => error.code)),
    )
    const codes = new Set(await Promise.all(outcomes))
    expect([...codes].sort()).toEqual(['content_too_large', 'fetch_failed'])
    expect(await text(get(server.url('/whole')))).toHaveLength(2000)
  })
})
