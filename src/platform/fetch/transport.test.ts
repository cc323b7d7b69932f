import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readBody } from './body.ts'
import { certificate, newTemporaryFiles } from './testing/index.ts'
import {
  type PlainServer,
  plainServer,
  type RawServer,
  rawServer,
  reply,
} from './testing/raw-server.ts'
import { createHttpsTransport } from './transport.ts'

/** Sends a request through the real transport, pinned to `addresses`. */
async function dial(host: string, port: number, addresses: readonly string[], ca?: string) {
  const controller = new AbortController()
  const transport = createHttpsTransport(ca ?? certificate().ca)
  const url = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}/path`)
  try {
    const message = await transport({ url, host, port, addresses, signal: controller.signal })
    const body = await readBody(message, { maxBytes: 1000, temporaryFiles: newTemporaryFiles() })
    return new TextDecoder().decode(await body.read())
  } finally {
    controller.abort()
  }
}

let server: RawServer
beforeAll(async () => {
  // Offers to keep the connection, so that a runtime that pools would reuse it.
  server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\none')
  })
})
afterAll(() => server.close())

describe('a pinned request', () => {
  test('reaches the pinned address for a name that does not exist', async () => {
    expect(await dial('nowhere.handbill.test', server.port, ['127.0.0.1'])).toBe('one')
  })

  test('does not reach the address of its name when another is pinned', async () => {
    const before = server.connections()
    for (const elsewhere of ['127.0.0.3', '::1']) {
      await expect(dial('localhost', server.port, [elsewhere])).rejects.toThrow()
    }
    expect(server.connections()).toBe(before)
  })

  test('reaches the pinned address for a literal host', async () => {
    expect(await dial('127.0.0.1', server.port, ['127.0.0.1'])).toBe('one')
    await expect(dial('127.0.0.1', server.port, ['127.0.0.3'])).rejects.toThrow()
  })

  test('tries the next pinned address when one is dead', async () => {
    expect(await dial('a.test', server.port, ['127.0.0.3', '127.0.0.1'])).toBe('one')
  })

  test('disconnects before TLS when the connection went elsewhere', async () => {
    let received = 0
    const plain = await plainServer((socket) => {
      socket.on('data', ({ length }) => {
        received += length
      })
    })
    // The list and its `includes` disagree, which simulates a runtime that ignores `lookup`.
    const dishonest = Object.assign(['127.0.0.1'], { includes: () => false })
    await expect(dial('a.test', plain.port, dishonest)).rejects.toThrow('not checked')
    await plain.close()
    expect([plain.connections(), received]).toEqual([1, 0])
  })

  test('never reuses a connection', async () => {
    const before = server.connections()
    expect(await dial('localhost', server.port, ['127.0.0.1'])).toBe('one')
    await expect(dial('localhost', server.port, ['127.0.0.3'])).rejects.toThrow()
    expect(await dial('localhost', server.port, ['127.0.0.1'])).toBe('one')
    expect(server.connections()).toBe(before + 2)
  })

  test('fails without any address', async () => {
    await expect(dial('localhost', server.port, [])).rejects.toThrow()
  })
})

test('SNI carries the name of the host, and nothing for a literal address', async () => {
  const names: unknown[] = []
  const server = await rawServer((socket) => {
    names.push(socket.servername)
    reply(socket, '200 OK', [], 'body')
  })
  await dial('a.test', server.port, ['127.0.0.1'])
  await dial('127.0.0.1', server.port, ['127.0.0.1'])
  expect(names).toEqual(['a.test', false])
  await server.close()
})

describe('the certificate', () => {
  test('must be for the requested name, whatever the address', async () => {
    await expect(dial('evil.test', server.port, ['127.0.0.1'])).rejects.toThrow('altnames')
  })

  test('must be from a trusted authority', async () => {
    const transport = createHttpsTransport()
    const url = new URL(`https://localhost:${server.port}/`)
    const { signal } = new AbortController()
    const pinned = { url, host: 'localhost', port: server.port, addresses: ['127.0.0.1'], signal }
    await expect(transport(pinned)).rejects.toThrow()
  })
})

describe('the environment is ignored', () => {
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

  test('when it names a proxy', async () => {
    expect(await dial('a.test', server.port, ['127.0.0.1'])).toBe('one')
    expect(proxy.connections()).toBe(0)
  })

  test('when it allows every certificate', async () => {
    await expect(dial('evil.test', server.port, ['127.0.0.1'])).rejects.toThrow('altnames')
  })
})

test('a request fails when the server switches protocols', async () => {
  const odd = await rawServer((socket) => {
    socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  })
  await expect(dial('a.test', odd.port, ['127.0.0.1'])).rejects.toThrow('without a response')
  await odd.close()
})

test('a request fails when the server sends 1xx responses without end', async () => {
  const odd = await rawServer((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n'.repeat(20))
  })
  await expect(dial('a.test', odd.port, ['127.0.0.1'])).rejects.toThrow('1xx')
  await odd.close()
})
