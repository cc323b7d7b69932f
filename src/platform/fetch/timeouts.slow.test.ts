import { describe, expect, test } from 'bun:test'
import { createFetch, expectFailed, SHORT } from './testing/create-fetch.ts'
import { scripted, text } from './testing/scripted.ts'

const server = scripted(SHORT)

describe('a limit that was met does not apply later', () => {
  test('neither the one for DNS nor the one for headers', async () => {
    const name = `a.test:${server.host().split(':')[1]}`
    const timeouts = { dnsMs: 1000, headersMs: 1000, totalMs: 8000 }
    const resolve = async () => [{ address: '127.0.0.1' }]
    server.answer((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
      setTimeout(() => socket.write(head), 200)
      setTimeout(() => socket.end('hello'), 1300)
    })
    const get = createFetch({ allowedHosts: [name], resolve, timeouts })
    expect(await text(get(`https://${name}/`))).toBe('hello')
  })
})

describe('the limit of sixteen concurrent fetches', () => {
  test('counts the wait: a fetch that waits too long fails without a request', async () => {
    server.answer(() => {})
    const timeouts = { headersMs: 4000, totalMs: 2000 }
    const get = createFetch({ allowedHosts: [server.host()], timeouts })
    await Promise.all(Array.from({ length: 20 }, () => expectFailed(get(server.url()))))
    expect(server.requests()).toBe(16)
  })
})
