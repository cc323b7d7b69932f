import { describe, expect, test } from 'bun:test'
import { AMPLE, expectFailed, expectTooLarge, fetching, MAX_BYTES } from './testing/fetching.ts'
import { plainServer, reply } from './testing/raw-server.ts'
import { scripted, text } from './testing/scripted.ts'

const server = scripted()

describe('what is a body', () => {
  test.each([
    ['of declared length', 'HTTP/1.1 200 OK\r\nContent-Length: 5', 'hello'],
    [
      'chunked',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked',
      '3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
    ],
    ['that ends with the connection', 'HTTP/1.1 200 OK\r\nConnection: close', 'hello'],
    ['of an old server', 'HTTP/1.0 200 OK', 'hello'],
    ['said to be identity', 'HTTP/1.1 200 OK\r\nContent-Encoding: Identity', 'hello'],
    ['after a hint', 'HTTP/1.1 103 Hint\r\nLink: a\r\n\r\nHTTP/1.1 200 OK', 'hello'],
    ['with another success', 'HTTP/1.1 203 OK\r\nContent-Length: 5', 'hello'],
  ])('one %s is read whole', async (_case, head, body) => {
    expect(await text(server.fetched(head, body))).toBe('hello')
  })

  test('an empty one is empty, and without a type', async () => {
    const { bytes, contentType } = await server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 0')
    expect([bytes.length, contentType]).toEqual([0, null])
  })

  test('the bytes stand in a buffer of their own', async () => {
    const { bytes } = await server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 5', 'hello')
    expect(bytes.buffer.byteLength).toBe(5)
  })
})

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

test('a transfer encoding that is more than chunks is refused', async () => {
  const chunks = '5\r\nhello\r\n0\r\n\r\n'
  expect(await text(server.fetched('HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked', chunks))).toBe(
    'hello',
  )
  await expectFailed(server.fetched('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked', chunks))
})

describe('a status that is no success is a failure', () => {
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

describe('a length that lies', () => {
  test('by promising more than comes is no body', async () => {
    await expectFailed(server.fetched('HTTP/1.1 200 OK\r\nContent-Length: 50', 'hello'))
  })

  test('by promising less never lets the rest in', async () => {
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
  ])('given %s is no length', async (_case, lines) => {
    await expectFailed(server.fetched(`HTTP/1.1 200 OK\r\n${lines}`, '5\r\nhello\r\n0\r\n\r\n'))
  })

  test.each([
    ['cut short', '5\r\nhello\r\n'],
    ['of no size', 'ZZ\r\nhello\r\n0\r\n\r\n'],
    ['of more than any size', `${'f'.repeat(20)}\r\nhello`],
  ])('in a chunk %s is no body', async (_case, body) => {
    await expectFailed(server.fetched('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', body))
  })
})

describe('the size cap', () => {
  test('lets exactly so many bytes through', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000'
    expect(await text(server.fetched(head, 'a'.repeat(1000), 1000))).toHaveLength(1000)
    await expectTooLarge(server.fetched(head, 'a'.repeat(1000), 999), 999)
  })

  test('is decided from the declared length before a byte comes', async () => {
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

  test('bounds the work too: chunks of one byte are refused long before the cap', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    const sent = server.endless(head, '1\r\na\r\n'.repeat(5000))
    await expectFailed(server.get('/', 10_000_000))
    await server.allClosed()
    expect(sent.written()).toBeLessThan(6_000_000)
  })

  test('leaves a page alone that is written line by line', async () => {
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
  ])('is not got round by %s without end', async (_case, start, more) => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    const sent = server.endless(head + start, more.repeat(4000 / more.length))
    await expectFailed(server.get())
    await server.allClosed()
    expect(sent.written()).toBeLessThan(1_000_000)
  })

  test('is not asked about a body that fails anyway', async () => {
    const big = `Content-Length: ${MAX_BYTES * 2}`
    await expectFailed(server.fetched(`HTTP/1.1 404 Not Found\r\n${big}`))
    await expectFailed(server.fetched(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n${big}`))
  })
})

test('the body of a redirect is dropped before the next hop', async () => {
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
  test('of 10 KB are read', async () => {
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
  ])('%s instead are a failure', async (_case, head) => {
    await expectFailed(server.fetched(head))
  })

  test('without end are cut off', async () => {
    server.endless('HTTP/1.1 200 OK\r\n', `X: ${'a'.repeat(1000)}\r\n`)
    await expectFailed(server.get())
  })
})

describe('every failure is the same failure', () => {
  test('a port that is closed, and one that speaks no TLS', async () => {
    const plain = await plainServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'))
    const get = fetching({ allowedHosts: [plain.host] })
    await expectFailed(get(`https://${plain.host}/`))
    expect(plain.connections()).toBe(1)
    await plain.close()
    await expectFailed(get(`https://${plain.host}/`))
  })

  test('a connection that is reset, before the headers and in the body', async () => {
    server.answer((socket) => socket.destroy())
    await expectFailed(server.get())
    server.answer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello')
      setTimeout(() => socket.destroy(), 20)
    })
    await expectFailed(server.get())
  })
})
