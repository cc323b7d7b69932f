import { describe, expect, test } from 'bun:test'
import { NON_PUBLIC_ADDRESSES } from './testing/corpus.ts'
import {
  AMPLE,
  expectFailed,
  expectInvalid,
  newGuardedFetch,
  SHORT,
} from './testing/create-fetch.ts'
import { localHttpsServer } from './testing/index.ts'
import { scripted } from './testing/scripted.ts'

const server = scripted()
const MESSAGE = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
  body: '“1”',
}
const post = (url = server.url(), timeouts = AMPLE) =>
  newGuardedFetch({ allowedHosts: [server.host()], timeouts }).post(url, MESSAGE)

describe('a message', () => {
  test('arrives whole, and its answer is read', async () => {
    const received: unknown[] = []
    const receiver = await localHttpsServer(async (request, response) => {
      const { method, headers, url } = request
      const { 'webhook-id': id, 'content-type': type, 'content-length': length } = headers
      const body = await Array.fromAsync(request)
      received.push({ method, url, id, type, length, body: Buffer.concat(body).toString() })
      response.writeHead(201).end('taken')
    })
    const fetch = newGuardedFetch({ allowedHosts: [receiver.host] })
    expect(await fetch.post(`${receiver.url}/x?a=1`, MESSAGE)).toEqual({
      status: 201,
      text: 'taken',
    })
    await receiver.close()
    const sent = { id: 'msg_1', type: 'application/json', length: '7', body: '“1”' }
    expect(received).toEqual([{ method: 'POST', url: '/x?a=1', ...sent }])
  })

  test('is sent to no private address, whatever its name says', async () => {
    for (const [address] of NON_PUBLIC_ADDRESSES) {
      const fetch = newGuardedFetch({ resolve: async () => [{ address }] })
      await expectFailed(fetch.post('https://receiver.example/', MESSAGE))
    }
    await expectInvalid(post('http://receiver.example/'))
    const fetch = newGuardedFetch()
    const urls = ['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'https://a.local/']
    for (const url of [...urls, 'https://handbill.example/', 'https://a.example:8443/', 'a']) {
      expect([url, await fetch.mayPost(url)]).toEqual([url, false])
    }
    expect(await fetch.mayPost('https://receiver.example/x')).toBe(true)
  })

  test.each([301, 302, 303, 307, 308])('follows no redirect (%d)', async (status) => {
    server.answer((socket) =>
      socket.end(`HTTP/1.1 ${status} Go\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(await post()).toEqual({ status, text: '' })
    expect(server.requests()).toBe(1)
  })

  test('reads the first 2 KB of an endless answer, and disconnects', async () => {
    server.endless('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(500))
    expect(await post()).toEqual({ status: 200, text: 'x'.repeat(2048) })
    await server.allClosed()
  })

  test('takes the status of an answer whose body comes too slowly', async () => {
    server.endless('HTTP/1.1 200 OK\r\n\r\n', 'x', 100)
    const { status, text } = await post(server.url(), SHORT)
    expect([status, /^x{1,5}$/.test(text)]).toEqual([200, true])
  })

  test('waits for an answer as long as for all of it', async () => {
    server.answer((socket) => setTimeout(() => socket.end('HTTP/1.1 200 OK\r\n\r\n'), 300))
    expect((await post(server.url(), { ...AMPLE, headersMs: 100 })).status).toBe(200)
  })

  test('fails where the headers come too slowly, or none do', async () => {
    server.endless('HTTP/1.1 200 OK\r\nA: ', 'x', 50)
    await expectFailed(post(server.url(), SHORT))
    server.answer(() => {})
    await expectFailed(post(server.url(), SHORT))
    server.answer((socket) => socket.destroy())
    await expectFailed(post())
  })
})
