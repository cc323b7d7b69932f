import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readBody } from './body.ts'
import { certificate } from './testing/index.ts'
import {
  type PlainServer,
  plainServer,
  type RawServer,
  rawServer,
  reply,
} from './testing/raw-server.ts'
import { createHttpsTransport } from './transport.ts'

/** A whole request of the real transport to a name, pinned to `addresses`. */
async function dial(host: string, port: number, addresses: readonly string[], ca?: string) {
  const controller = new AbortController()
  const transport = createHttpsTransport(ca ?? certificate().ca)
  const url = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}/path`)
  try {
    const message = await transport({ url, host, port, addresses, signal: controller.signal })
    return new TextDecoder().decode(await readBody(message, 1000))
  } finally {
    controller.abort()
  }
}

let server: RawServer
beforeAll(async () => {
  // Asks to keep the connection, so that a runtime that pools would have something to pool.
  server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\none')
  })
})
afterAll(() => server.close())

describe('the pin is real on this runtime', () => {
  test('a name that no resolver knows reaches the pinned address', async () => {
    expect(await dial('nowhere.handbill.test', server.port, ['127.0.0.1'])).toBe('one')
  })

  test('a name that resolves to a listener here does not reach it past another pin', async () => {
    const before = server.connections()
    for (const elsewhere of ['127.0.0.3', '::1']) {
      await expect(dial('localhost', server.port, [elsewhere])).rejects.toThrow()
    }
    expect(server.connections()).toBe(before)
  })

  test('a literal reaches the judged address too', async () => {
    expect(await dial('127.0.0.1', server.port, ['127.0.0.1'])).toBe('one')
    await expect(dial('127.0.0.1', server.port, ['127.0.0.3'])).rejects.toThrow()
  })

  test('a dead address is passed over for the next pinned one', async () => {
    expect(await dial('a.test', server.port, ['127.0.0.3', '127.0.0.1'])).toBe('one')
  })

  test('a connection that ended elsewhere is cut before any TLS', async () => {
    let heard = 0
    const plain = await plainServer((socket) => {
      socket.on('data', ({ length }) => {
        heard += length
      })
    })
    // The pin says one thing and `includes` another: what a runtime that ignores the pin would do.
    const lying = Object.assign(['127.0.0.1'], { includes: () => false })
    await expect(dial('a.test', plain.port, lying)).rejects.toThrow('not judged')
    await plain.close()
    expect([plain.connections(), heard]).toEqual([1, 0])
  })

  test('a kept connection is not used again: each request asks for its own pin', async () => {
    const before = server.connections()
    expect(await dial('localhost', server.port, ['127.0.0.1'])).toBe('one')
    await expect(dial('localhost', server.port, ['127.0.0.3'])).rejects.toThrow()
    expect(await dial('localhost', server.port, ['127.0.0.1'])).toBe('one')
    expect(server.connections()).toBe(before + 2)
  })

  test('without an address nothing is dialled', async () => {
    await expect(dial('localhost', server.port, [])).rejects.toThrow()
  })
})

test('the server is told the name, and no name when there is none', async () => {
  const names: unknown[] = []
  const told = await rawServer((socket) => {
    names.push(socket.servername)
    reply(socket, '200 OK', [], 'told')
  })
  await dial('a.test', told.port, ['127.0.0.1'])
  await dial('127.0.0.1', told.port, ['127.0.0.1'])
  expect(names).toEqual(['a.test', false])
  await told.close()
})

describe('the certificate must be right', () => {
  test('for the name that was asked, wherever it is dialled', async () => {
    await expect(dial('evil.test', server.port, ['127.0.0.1'])).rejects.toThrow('altnames')
  })

  test('and from an authority that is trusted', async () => {
    const transport = createHttpsTransport()
    const url = new URL(`https://localhost:${server.port}/`)
    const { signal } = new AbortController()
    const pinned = { url, host: 'localhost', port: server.port, addresses: ['127.0.0.1'], signal }
    await expect(transport(pinned)).rejects.toThrow()
  })
})

describe('the environment is not asked', () => {
  const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy']
  const MORE = ['NODE_USE_ENV_PROXY', 'NO_PROXY', 'no_proxy', 'NODE_TLS_REJECT_UNAUTHORIZED']
  const saved = Object.fromEntries([...NAMES, ...MORE].map((name) => [name, process.env[name]]))
  let proxy: PlainServer

  beforeAll(async () => {
    proxy = await plainServer((socket) => socket.destroy())
    for (const name of NAMES) process.env[name] = `http://${proxy.host}`
    for (const name of MORE) delete process.env[name]
    process.env.NODE_USE_ENV_PROXY = '1'
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  })
  afterAll(async () => {
    for (const [name, value] of Object.entries(saved)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await proxy.close()
  })

  test('for a proxy', async () => {
    expect(await dial('a.test', server.port, ['127.0.0.1'])).toBe('one')
    expect(proxy.connections()).toBe(0)
  })

  test('for leave to accept any certificate', async () => {
    await expect(dial('evil.test', server.port, ['127.0.0.1'])).rejects.toThrow('altnames')
  })
})

test('a server that switches protocols is not waited for', async () => {
  const odd = await rawServer((socket) => {
    socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  })
  await expect(dial('a.test', odd.port, ['127.0.0.1'])).rejects.toThrow('without an answer')
  await odd.close()
})

test('a server that announces its answer for ever is not waited for', async () => {
  const odd = await rawServer((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n'.repeat(20))
  })
  await expect(dial('a.test', odd.port, ['127.0.0.1'])).rejects.toThrow('1xx')
  await odd.close()
})
