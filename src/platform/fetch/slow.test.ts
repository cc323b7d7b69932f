import { describe, expect, test } from 'bun:test'
import type { Fetched } from './index.ts'
import { AMPLE, expectFailed, fetching, SHORT } from './testing/fetching.ts'
import { plainServer, reply } from './testing/raw-server.ts'
import { scripted, text } from './testing/scripted.ts'

/** Fails at the limit and not before, with room above it for a busy machine. */
async function expectFailedAfter(limitMs: number, get: () => Promise<Fetched>): Promise<void> {
  const started = performance.now()
  await expectFailed(get())
  const tookMs = performance.now() - started
  expect(tookMs).toBeGreaterThan(limitMs - 20)
  expect(tookMs).toBeLessThan(limitMs + 2000)
}

const server = scripted(SHORT)
/** Only the limit of the headers can be reached within a test. */
const HEADERS = { dnsMs: 5000, headersMs: 200, totalMs: 10_000 }
const get = () => fetching({ allowedHosts: [server.host()], timeouts: HEADERS })(server.url())
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('a server is left at the limit of the headers', () => {
  test('that accepts and says nothing', async () => {
    server.answer(() => {})
    await expectFailedAfter(HEADERS.headersMs, get)
  })

  test('that drips its headers', async () => {
    server.endless('HTTP/1.1 200 OK\r\nX: ', 'a', 20)
    await expectFailedAfter(HEADERS.headersMs, get)
  })

  test('that never finishes TLS', async () => {
    const plain = await plainServer(() => {})
    const get = fetching({ allowedHosts: [plain.host], timeouts: HEADERS })
    await expectFailedAfter(HEADERS.headersMs, () => get(`https://${plain.host}/`))
    await plain.close()
  })
})

describe('a limit that was kept does not come back later', () => {
  test('neither that of the look-up nor that of the headers', async () => {
    const name = `a.test:${server.host().split(':')[1]}`
    const timeouts = { dnsMs: 100, headersMs: 400, totalMs: 8000 }
    const resolve = async () => [{ address: '127.0.0.1' }]
    server.answer((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
      setTimeout(() => socket.write(head), 200)
      setTimeout(() => socket.end('hello'), 600)
    })
    const get = fetching({ allowedHosts: [name], resolve, timeouts })
    expect(await text(get(`https://${name}/`))).toBe('hello')
  })
})

describe('a server is left at the limit of the whole', () => {
  test('that drips its body', async () => {
    server.endless('HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n', 'a', 20)
    await expectFailedAfter(SHORT.totalMs, server.get)
  })

  test('that never ends the size of a chunk', async () => {
    server.endless(CHUNKED, '0'.repeat(4000))
    await expectFailedAfter(SHORT.totalMs, server.get)
  })

  test('that redirects slowly, each time in time', async () => {
    server.answer((socket) => {
      setTimeout(() => reply(socket, '302 Found', ['Location: /']), SHORT.headersMs - 100)
    })
    await expectFailedAfter(SHORT.totalMs, server.get)
  })
})

describe('sixteen fetches run at once', () => {
  test('and no more; the rest wait and are served', async () => {
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
    const get = fetching({ allowedHosts: [server.host()], timeouts: AMPLE })
    const all = await Promise.all(Array.from({ length: 50 }, () => text(get(server.url()))))
    expect(all).toEqual(Array.from({ length: 50 }, () => 'hello'))
    expect(most).toBe(16)
  })

  test('and the wait counts: who waits too long fails without having been sent', async () => {
    server.answer(() => {})
    const timeouts = { headersMs: SHORT.totalMs * 2, totalMs: SHORT.totalMs }
    const get = fetching({ allowedHosts: [server.host()], timeouts })
    await Promise.all(Array.from({ length: 20 }, () => expectFailed(get(server.url()))))
    expect(server.requests()).toBe(16)
  })

  test('and a failure of any kind gives its turn back', async () => {
    server.answer((socket, path) => {
      if (path === '/reset') socket.destroy()
      else reply(socket, path === '/bad' ? '500 X' : '200 OK', [], 'a'.repeat(2000))
    })
    const get = fetching({ allowedHosts: [server.host()], timeouts: AMPLE })
    const outcomes = ['/reset', '/large', '/bad'].flatMap((path) =>
      Array.from({ length: 20 }, () => get(server.url(path), 1000).catch((error) => error.code)),
    )
    const codes = new Set(await Promise.all(outcomes))
    expect([...codes].sort()).toEqual(['content_too_large', 'fetch_failed'])
    expect(await text(get(server.url('/whole')))).toHaveLength(2000)
  })
})
