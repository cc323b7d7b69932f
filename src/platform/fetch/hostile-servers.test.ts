import { describe, expect, test } from 'bun:test'
import {
  AMPLE,
  createFetch,
  expectFailed,
  expectTooLarge,
  MAX_BYTES,
} from './testing/create-fetch.ts'
import { plainServer, reply } from './testing/raw-server.ts'
import { scripted, text } from './testing/scripted.ts'

const server = scripted()

describe('a body', () => {
  test.each([
    ['of declared length', 'HTTP/1.1 200 OK\r\nContent-Length: 5', 'hello'],
    [
      'chunked',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked',
      '3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
    ],
    ['that ends with the connection', 'HTTP/1.1 200 OK\r\nConnection: close', 'hello'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK', 'hello'],
    ['encoded as identity', 'HTTP/1.1 200 OK\r\nContent-Encoding: Identity', 'hello'],
    ['after a 103', 'HTTP/1.1 103 Hint\r\nLink: a\r\n\r\nHTTP/1.1 200 OK', 'hello'],
    ['with another status of success', 'HTTP/1.1 203 OK\r\nContent-Length: 5', 'hello'],
  ])('%s is read whole', async (_case, head, body) => {
    expect(await text(server.fetched(head, body))).toBe('hello')
  })

  test('that is empty has no bytes and no type', async () => {
    const { bytes, contentType } = await server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 0')
    expect([bytes.length, contentType]).toEqual([0, null])
  })

  test('has a buffer of exactly its size', async () => {
    const { bytes } = await server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 5', 'hello')
    expect(bytes.buffer.byteLength).toBe(5)
  })
})

describe('a body that is larger than a piece of memory', () => {
  const MB = 1024 * 1024
  const body = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
    .toString('hex')
    .repeat(25)

  test.each([
    ['of declared length', `Content-Length: ${body.length}`, body],
    ['chunked', 'Transfer-Encoding: chunked', chunked(body, 50_001)],
    ['in one chunk', 'Transfer-Encoding: chunked', chunked(body, body.length)],
  ])('%s is read whole', async (_case, line, sent) => {
    const { bytes, sizeBytes } = await server.fetched(`HTTP/1.1 200 OK\r\n${line}`, sent, 4 * MB)
    expect(sizeBytes).toBe(body.length)
    expect(Buffer.from(bytes).toString() === body).toBe(true)
  })

  test('is a failure where it is cut short', async () => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length + 1}`
    await expectFailed(server.fetched(head, body, 4 * MB))
  })
})

function chunked(body: string, size: number): string {
  const count = Math.ceil(body.length / size)
  const chunks = Array.from({ length: count }, (_, n) => body.slice(n * size, (n + 1) * size))
  return `${chunks.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')}0\r\n\r\n`
}

describe('an encoded body is refused', () => {
  test.each([
    'Content-Encoding: gzip',
    'Content-Encoding: GZip',
    'Content-Encoding: gzip, gzip',
    'Content-Encoding: identity, gzip',
    'Content-Encoding: identity\r\nContent-Encoding: br',
    'Content-Encoding: zstd',
    'Content-Encoding: nonsense',
  ])('%j', async (line) => {
    const gzipped = Buffer.from(Bun.gzipSync(Buffer.alloc(10_000_000))).toString('latin1')
    await expectFailed(server.fetched(`HTTP/1.1 200 OK\r\n${line}`, gzipped))
  })
})

test('a transfer encoding other than chunked is refused', async () => {
  const chunks = '5\r\nhello\r\n0\r\n\r\n'
  expect(await text(server.fetched('HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked', chunks))).toBe(
    'hello',
  )
  await expectFailed(server.fetched('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked', chunks))
})

describe('a status other than success is a failure', () => {
  test.each([100, 101, 199, 206, 300, 304, 400, 401, 403, 404, 407, 421, 429, 500, 503, 999])(
    '%d',
    async (status) => {
      await expectFailed(server.fetched(`HTTP/1.1 ${status} X\r\nContent-Length: 5`, 'hello'))
    },
  )

  test('a redirect without a location', async () => {
    await expectFailed(server.fetched('HTTP/1.1 302 Found\r\nContent-Length: 0'))
  })
})

describe('a wrong length', () => {
  test('that is more than the body is a failure', async () => {
    await expectFailed(server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 50', 'hello'))
  })

  test('that is less than the body never adds the rest to it', async () => {
    const outcome = await text(
      server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 2', 'hello'),
    ).catch((error) => error.code)
    expect(['he', 'fetch_failed']).toContain(outcome)
  })

  test.each([
    ['twice', 'Content-Length: 2\r\nContent-Length: 5'],
    ['beside chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['with a sign', 'Content-Length: -5'],
    ['with letters', 'Content-Length: 5x'],
    ['without end', `Content-Length: ${'9'.repeat(40)}`],
  ])('given %s is a failure', async (_case, lines) => {
    await expectFailed(server.fetched(`HTTP/1.1 200 OK\r\n${lines}`, '5\r\nhello\r\n0\r\n\r\n'))
  })

  test.each([
    ['cut short', '5\r\nhello\r\n'],
    ['of no size', 'ZZ\r\nhello\r\n0\r\n\r\n'],
    ['of more than any size', `${'f'.repeat(20)}\r\nhello`],
  ])('in a chunk %s is a failure', async (_case, body) => {
    await expectFailed(server.fetched('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', body))
  })
})

describe('the size limit', () => {
  test('accepts exactly so many bytes', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000'
    expect(await text(server.fetched(head, 'a'.repeat(1000), 1000))).toHaveLength(1000)
    await expectTooLarge(server.fetched(head, 'a'.repeat(1000), 999), 999)
  })

  test('is checked against the declared length before any byte of the body', async () => {
    server.answer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\n')
    })
    const started = performance.now()
    await expectTooLarge(server.get(), MAX_BYTES)
    expect(performance.now() - started).toBeLessThan(AMPLE.headersMs)
  })

  test.each([
    ['chunks', 'Transfer-Encoding: chunked', `400\r\n${'a'.repeat(1024)}\r\n`],
    ['bytes of no declared length', 'Connection: close', 'a'.repeat(1024)],
  ])('ends an endless stream of %s', async (_case, line, piece) => {
    const sent = server.endless(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`, piece.repeat(16))
    await expectTooLarge(server.get(), MAX_BYTES)
    await server.allClosed()
    expect(sent.written()).toBeLessThan(MAX_BYTES * 5)
  })

  test('also limits the work: chunks of one byte fail long before the limit', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    const sent = server.endless(head, '1\r\na\r\n'.repeat(5000))
    await expectFailed(server.get('/', 10_000_000))
    await server.allClosed()
    expect(sent.written()).toBeLessThan(6_000_000)
  })

  test('accepts a body in many chunks of a line each', async () => {
    const body = `10\r\n${'a'.repeat(16)}\r\n`.repeat(20_000)
    const whole = server.fetched(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked',
      `${body}0\r\n\r\n`,
      1e6,
    )
    expect(await text(whole)).toHaveLength(320_000)
  })

  test.each([
    ['a chunk’s extension', '5;', 'a'],
    ['trailers', '5\r\nhello\r\n0\r\n', 'X: a\r\n'],
  ])('is not bypassed by %s without end', async (_case, start, more) => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    const sent = server.endless(head + start, more.repeat(4000 / more.length))
    await expectFailed(server.get())
    await server.allClosed()
    expect(sent.written()).toBeLessThan(1_000_000)
  })

  test('is not reported for a response that fails anyway', async () => {
    const big = `Content-Length: ${MAX_BYTES * 2}`
    await expectFailed(server.fetched(`HTTP/1.1 404 Not Found\r\n${big}`))
    await expectFailed(server.fetched(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n${big}`))
  })
})

test('the connection of a redirect closes before the next request', async () => {
  let openThen = 0
  server.answer((socket, path) => {
    if (path === '/') {
      socket.write('HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 50000\r\n\r\nhello')
    } else {
      setTimeout(() => {
        openThen = server.open()
        reply(socket, '200 OK', [], 'hello')
      }, 50)
    }
  })
  expect(await text(server.get())).toBe('hello')
  expect(openThen).toBe(1)
})

describe('headers', () => {
  test('of 10 KB are accepted', async () => {
    const head = `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(10_000)}\r\nContent-Length: 5`
    expect(await text(server.fetched(head, 'hello'))).toBe('hello')
  })

  test.each([
    ['one of 20 KB', `X: ${'a'.repeat(20_480)}`],
    ['many of 20 KB', Array.from({ length: 2000 }, (_, i) => `X${i}: abcd`).join('\r\n')],
  ])('%s are refused', async (_case, lines) => {
    await expectFailed(server.fetched(`HTTP/1.1 200 OK\r\n${lines}\r\nContent-Length: 5`, 'hello'))
  })

  test.each([
    ['no HTTP', 'hello'],
    ['a status line without end', `HTTP/1.1 200 ${'a'.repeat(50_000)}`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2'],
    ['a switch of protocols', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade'],
  ])('that are %s are a failure', async (_case, head) => {
    await expectFailed(server.fetched(head))
  })

  test('without end are a failure', async () => {
    server.endless('HTTP/1.1 200 OK\r\n', `X: ${'a'.repeat(1000)}\r\n`)
    await expectFailed(server.get())
  })
})

describe('every failure gives the same refusal', () => {
  test('for a closed port and for a port without TLS', async () => {
    const plain = await plainServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'))
    const get = createFetch({ allowedHosts: [plain.host] })
    await expectFailed(get(`https://${plain.host}/`))
    expect(plain.connections()).toBe(1)
    await plain.close()
    await expectFailed(get(`https://${plain.host}/`))
  })

  test('for a connection that is reset before the headers and in the body', async () => {
    server.answer((socket) => socket.destroy())
    await expectFailed(server.get())
    server.answer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello')
      setTimeout(() => socket.destroy(), 20)
    })
    await expectFailed(server.get())
  })
})
