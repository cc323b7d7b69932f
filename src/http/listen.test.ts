import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestApp, testApp } from '../testing/app.ts'
import { rowCounts } from '../testing/dump.ts'
import { FORM, RAW, readTokens } from '../testing/form-page.ts'
import { htmlOf } from '../testing/material.ts'

import type { Owner } from '../testing/people.ts'
import { fc, runs } from '../testing/property.ts'
import { exchange, type Piece, type RawResponse } from '../testing/raw-http.ts'
import type { RunningServer } from './listen.ts'

const BODY = '{"html":"<p>x"}'
const TURN = () => new Promise((resolve) => setImmediate(resolve))

let app: TestApp
let owner: Owner
let server: RunningServer
beforeAll(async () => {
  app = await testApp('sqlite')
  owner = await app.owner()
  server = app.listen()
})
afterAll(async () => {
  await server.stop()
  await app[Symbol.asyncDispose]()
})

function head(line: string, ...headers: string[]): string {
  const authorization = `Authorization: Bearer ${owner.key}`
  return [`${line} HTTP/1.1`, 'Host: handbill.test', authorization, ...headers, '', ''].join('\r\n')
}
const post = (...headers: string[]) =>
  head('POST /api/v1/pages', 'Content-Type: application/json', ...headers)
const declared = (body: string, length: number | string = body.length) =>
  post(`Content-Length: ${length}`) + body
const CHUNKED = 'Transfer-Encoding: chunked'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunks = (texts: Iterable<string>) => `${[...texts].map(chunk).join('')}0\r\n\r\n`

/** Checks that the server answers, has logged no error, and has this many pages. */
async function expectWell(pages?: number): Promise<void> {
  const answer = await exchange(server.port, [head('GET /api/v1/pages')], false)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  if (pages !== undefined) expect(await app.rows('pages')).toHaveLength(pages)
  expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
}
const madeIn = ({ text }: RawResponse) => text.split('HTTP/1.1 201 ').length - 1
const pagesNow = async () => (await app.rows('pages')).length

it('answers load balancers that ask in HTTP/1.0, without a host', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await exchange(server.port, [`GET ${path} HTTP/1.0\r\n\r\n`], false)
    expect([path, answer.status]).toEqual([path, 200])
  }
  const other = await exchange(server.port, ['GET /app HTTP/1.0\r\n\r\n'], false)
  expect(other.status).toBe(400)
})

describe('a body over a socket', () => {
  it('is received whole, whether chunked, slow or byte by byte', async () => {
    const before = await pagesNow()
    const large = JSON.stringify({ html: htmlOf(300_000) })
    const slowly = (text: string): Piece[] => [...text].flatMap((one) => [one, TURN])
    const pieces = large.match(/.{1,7000}/gs)!
    const bodies: Piece[][] = [
      [declared(BODY)],
      [post('Content-Length: 15'), ...slowly(BODY)],
      [post(CHUNKED), chunks([BODY])],
      [post(CHUNKED), chunks(BODY)],
      [post(CHUNKED), ...slowly(chunks(['{"html":', '"<p>', 'x"}']))],
      [post(CHUNKED), ...pieces.flatMap((piece) => [chunk(piece), TURN]), '0\r\n\r\n'],
      [...slowly(declared(BODY))],
      [declared(large)],
      [post('Content-Length: 15', 'Expect: 100-continue'), TURN, BODY],
    ]
    for (const [at, body] of bodies.entries()) {
      const answer = await exchange(server.port, body, false)
      expect([at, answer.status]).toEqual([at, 201])
    }
    await expectWell(before + bodies.length)
  })

  it('over 4 MiB is refused by its declared length, or as soon as it is over the limit', async () => {
    const before = await rowCounts(app)
    const mebibyte = 'x'.repeat(1024 * 1024)
    const over: Piece[][] = [
      [post('Content-Length: 4194305')],
      [post('Content-Length: 200000000')],
      [post('Content-Length: 9007199254740991')],
      [post('Content-Length: 5000000'), mebibyte],
      [post(CHUNKED), ...Array<Piece>(5).fill(chunk(mebibyte))],
      [post(CHUNKED), ...Array<Piece>(40).fill(chunk(mebibyte))],
    ]
    for (const pieces of over) {
      const answer = await exchange(server.port, pieces, false)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/plain'])
      expect(answer.body).toBe('Request Entity Too Large')
    }
    await app.quiet()
    expect(await rowCounts(app)).toEqual(before)
  })

  it('that is refused is read, where the connection ends with the answer', async () => {
    for (const [key, size, status] of [
      [owner.key, 5_000_000, 413],
      ['sm_unknown', 3_000_000, 401],
    ] as const) {
      const socket = connect({ port: server.port, host: '127.0.0.1' })
      const ended = text(socket)
      socket.write(
        `POST /api/v1/pages HTTP/1.1\r\nHost: handbill.test\r\nAuthorization: Bearer ${key}\r\n` +
          `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`,
      )
      // In pieces, as most clients send: the connection may end between two of them.
      for (let sent = 0; sent < size; sent += 50_000) {
        socket.write('x'.repeat(50_000))
        await TURN()
      }
      expect(await ended).toStartWith(`HTTP/1.1 ${status} `)
      expect(socket.bytesWritten).toBeGreaterThan(size)
    }
  })

  it('that ends before its declared length creates nothing', async () => {
    const before = await pagesNow()
    const broken: Piece[][] = [
      [declared(BODY, 100)],
      [post('Content-Length: 15'), '{"html":', TURN],
      [post(CHUNKED), chunk('{"html":"<p>x"')],
      [post(CHUNKED), 'f\r\n{"ht'],
      [post(CHUNKED), chunk(BODY)],
      [head('POST /api/v1/uploads', 'Content-Length: 1000'), 'half of it'],
      [head('POST /api/v1/uploads', CHUNKED), chunk('half of it')],
    ]
    for (const pieces of broken) expect((await exchange(server.port, pieces)).status).toBeNull()
    await app.quiet()
    await expectWell(before)
    expect(await app.rows('uploads')).toEqual([])
  })

  it('with an invalid length, two lengths, or a length and chunks is 400', async () => {
    const before = await pagesNow()
    const lengths = ['-5', '+15', '0xf', '15, 15', '1e1', '', 'abc', '9'.repeat(30), '15 15']
    const broken = [
      ...lengths.map((length) => declared(BODY, length)),
      post('Content-Length: 15', 'Content-Length: 5') + BODY,
      post('Content-Length: 4', CHUNKED) + chunks([BODY]),
      post(CHUNKED, 'Content-Length: 999') + chunks([BODY]),
      post('Transfer-Encoding: gzip, chunked') + chunks([BODY]),
      post('Transfer-Encoding: chunked, identity') + chunks([BODY]),
      post('Transfer-Encoding: xchunked') + chunks([BODY]),
      post('Transfer-Encoding : chunked') + chunks([BODY]),
    ]
    for (const request of broken) {
      const answer = await exchange(server.port, [request])
      expect([request.slice(-90), answer.status]).toEqual([request.slice(-90), 400])
      expect(madeIn(answer)).toBe(0)
    }
    await expectWell(before)
  })

  it('of malformed chunks is 400', async () => {
    const before = await pagesNow()
    const sizes = ['zz', '-1', '', 'f'.repeat(18), '0x3', '3 3', ' 3', '3\0', '\u00b2']
    const broken = [
      ...sizes.map((size) => `${size}\r\nabc\r\n0\r\n\r\n`),
      '5\r\nabcdefghi\r\n0\r\n\r\n',
      '3\r\nabc0\r\n\r\n',
      '3\nabc\n0\n\n',
    ]
    for (const body of broken) {
      const answer = await exchange(server.port, [post(CHUNKED) + body])
      expect([body, answer.status]).toEqual([body, 400])
    }
    await expectWell(before)
  })

  it('longer than its length is one request, and the rest is another', async () => {
    const before = await pagesNow()
    const answer = await exchange(server.port, [`${declared(BODY, 5)}`])
    expect([answer.status, madeIn(answer)]).toEqual([400, 0])
    await expectWell(before)
  })
})

describe('a request that another follows before its answer', () => {
  const FOLLOWING = 'GET /docs HTTP/1.1\r\nHost: handbill.test\r\n\r\n'
  const tool = (name: string, options: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: options },
    })
  const sent = (line: string, body: string, ...headers: string[]) =>
    head(line, 'Content-Type: application/json', `Content-Length: ${body.length}`, ...headers) +
    body
  const large = JSON.stringify({ html: htmlOf(300_000) })
  const MCP = 'Accept: application/json, text/event-stream'

  /** Requests that write, in one piece with what follows. */
  const WRITES: [what: string, request: (page: { id: string }) => Promise<string>][] = [
    ['a small body', async () => declared(BODY)],
    ['a large body', async () => declared(large)],
    ['chunks', async () => post(CHUNKED) + chunks(['{"html":', '"<p>x"}'])],
    ['a body as it is', async () => sent('POST /api/v1/uploads', 'bytes')],
    ['chunks as they are', async () => head('POST /api/v1/uploads', CHUNKED) + chunks(['a', 'b'])],
    ['no body', async ({ id }) => head(`DELETE /api/v1/pages/${id}`)],
    ['a tool', async () => sent('POST /mcp', tool('publish_page', { html: '<p>x' }), MCP)],
    [
      'what a visitor sends',
      async ({ id }) => {
        const { slug } = await owner.page(id)
        const tokens = readTokens(await (await app.open(`/p/${slug}`, RAW)).text())
        return sent(
          'POST /~/responses',
          JSON.stringify({ ...tokens, id: 'submission-1', data: '{"a":1}' }),
        )
      },
    ],
  ]
  it.each(WRITES)('is answered, or it does nothing: with %s', async (_what, request) => {
    const atFirst = await rowCounts(app)
    const alone = await exchange(server.port, [await request(await owner.publish(FORM))], false)
    expect(alone.status).toBeWithin(200, 300)
    expect(await rowCounts(app)).not.toEqual(atFirst)
    const text = await request(await owner.publish(FORM))
    const before = await rowCounts(app)
    const { text: answers } = await exchange(server.port, [text + FOLLOWING], false)
    expect(answers).toBe('')
    // It would have begun before these.
    for (let n = 0; n < 10; n++) await expectWell()
    await app.quiet()
    expect(await rowCounts(app)).toEqual(before)
  })
})

describe('a request over a socket', () => {
  it('with headers that are too large is 431, before they are read to their end', async () => {
    const heads = [
      head('GET /healthz', `X-Long: ${'x'.repeat(100_000)}`),
      head('GET /healthz', ...Array<string>(3000).fill('X-Many: x')),
      head(`GET /p/${'x'.repeat(1_000_000)}`),
      head(`GET /healthz?${'x'.repeat(100_000)}`),
    ]
    for (const request of heads) {
      expect((await exchange(server.port, [request])).status).toBe(431)
    }
    const most = head('GET /api/v1/pages', `X-Long: ${'x'.repeat(10_000)}`)
    expect((await exchange(server.port, [most], false)).status).toBe(200)
    await expectWell(await pagesNow())
  })

  it('that is not HTTP is refused or closed', async () => {
    const before = await pagesNow()
    const nonsense: Piece[] = [
      '\0\0\0\0\r\n\r\n',
      'GET /healthz\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      new Uint8Array([0x16, 3, 1, 0, 0x50, 1, 0, 0, 0x4c, 3, 3]),
      'FOO{} /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n folded\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n',
      'GET /healthz HTTP/1.1\nHost: a\n\n',
      'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    ]
    for (const piece of nonsense) {
      const { status } = await exchange(server.port, [piece])
      expect([piece, status === null || (status >= 400 && status !== 500)]).toEqual([piece, true])
    }
    await expectWell(before)
  })

  it('names a page by its path, whatever its host', async () => {
    const { slug } = await owner.publish('<p>words')
    const targets = [`http://evil.example/p/${slug}`, `//evil.example/p/${slug}`, `/x/../p/${slug}`]
    for (const target of targets) {
      const request = `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`
      const { status, headers } = await exchange(server.port, [request], false)
      expect([200, 400, 404]).toContain(status!)
      expect(headers.get('x-content-type-options')).toBe(status === 400 ? undefined : 'nosniff')
    }
  })

  it('that begins with /p/ reaches nothing but pages, wherever its dot segments lead', async () => {
    const before = await pagesNow()
    const statuses = { GET: 404, HEAD: 404, POST: 405, PUT: 405, DELETE: 405, OPTIONS: 204 }
    for (const [method, expected] of Object.entries(statuses)) {
      for (const path of ['/p/../readyz', '/p/%2e%2e/readyz', '/p/x/../../api/v1/pages']) {
        const { status } = await exchange(server.port, [
          head(`${method} ${path}`, 'Connection: close'),
        ])
        expect([method, path, status]).toEqual([method, path, expected])
      }
    }
    await expectWell(before)
  })

  it('with a malformed host is 400, whatever its path', async () => {
    const before = await pagesNow()
    const { slug } = await owner.publish('<p>words')
    const hosts = ['a b', 'a:99999', '[::1', 'a%zz', 'a/b', 'a@b', '', '<script>', '\xe4', '\x7f']
    for (const host of hosts) {
      for (const request of [declared(BODY), head('GET /api/v1/pages?limit=1'), head('GET /')]) {
        const answer = await exchange(server.port, [request.replace('handbill.test', host)])
        expect([host, answer.status, answer.body]).toEqual([host, 400, 'Bad Request\n'])
      }
      const page = head(`GET /p/${slug}`).replace('handbill.test', host)
      const { status, text } = await exchange(server.port, [page])
      expect([200, 400, 404]).toContain(status!)
      expect(text).not.toContain(host === '<script>' ? host : '\0')
    }
    await expectWell(before + 1)
  })

  it('with two hosts is 400, whatever its path', async () => {
    const { slug } = await owner.publish('<p>words')
    for (const path of [`/p/${slug}`, '/', '/api/v1/pages', '/app/sign-in', '/healthz']) {
      for (const second of ['handbill.test', 'evil.example']) {
        const request = head(`GET ${path}`, `Host: ${second}`, 'Connection: close')
        const { status, body } = await exchange(server.port, [request])
        expect([path, status, body]).toEqual([path, 400, 'Bad Request\n'])
      }
    }
  })

  it('with HEAD names the length that GET has, or none', async () => {
    const { slug } = await owner.publish('<p>words')
    const paths = ['/', '/robots.txt', '/healthz', '/~/runtime.js', '/api/v1/pages', '/nothing']
    for (const path of [...paths, `/p/${slug}`, '/p/nothing-here', '/app', '/docs']) {
      for (const encoding of ['identity', 'gzip']) {
        const init = {
          redirect: 'manual' as const,
          headers: { authorization: `Bearer ${owner.key}`, 'accept-encoding': encoding },
        }
        const url = `http://127.0.0.1:${server.port}${path}`
        const [got, named] = await Promise.all([
          fetch(url, init),
          fetch(url, { ...init, method: 'HEAD' }),
        ])
        const length = named.headers.get('content-length')
        expect([path, encoding, named.status]).toEqual([path, encoding, got.status])
        if (length !== null) {
          expect([path, encoding, length]).toEqual([
            path,
            encoding,
            got.headers.get('content-length')!,
          ])
        }
      }
    }
  })

  it('with any bytes changed is answered or closed, and the next request is served', async () => {
    let made = 0
    const valid = [declared(BODY), post(CHUNKED) + chunks(['{"html":', '"<p>x"}'])]
    const changes = fc.array(
      fc.tuple(fc.nat(), fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 10, 13, 32, 58, 255))),
      { minLength: 1, maxLength: 4 },
    )
    const property = fc.asyncProperty(fc.constantFrom(...valid), changes, async (text, list) => {
      const bytes = Buffer.from(text, 'latin1')
      for (const [at, value] of list) bytes[at % bytes.length] = value
      const answer = await exchange(server.port, [new Uint8Array(bytes)])
      expect(answer.status).not.toBe(500)
      made += madeIn(answer)
    })
    await fc.assert(property, runs(300))
    await expectWell()
    // A page may have been created without an answer: the client had closed its side.
    expect(await pagesNow()).toBeGreaterThanOrEqual(made)
    for (const { id } of await app.rows('pages')) {
      expect((await owner.html(id)).length).toBeGreaterThan(0)
    }
  })

  it('that breaks off at any byte creates nothing, and the next request is served', async () => {
    const before = await pagesNow()
    const request = declared(BODY)
    for (let length = 0; length < request.length; length += 3) {
      expect((await exchange(server.port, [request.slice(0, length)])).status).toBeNull()
    }
    await app.quiet()
    await expectWell(before)
  })
})

describe('a server that stops', () => {
  it('finishes the requests under way, and accepts no new ones', async () => {
    await using other = await testApp('sqlite')
    const { key } = await other.owner()
    const stopping = other.listen()
    const hold = other.holdWrite()
    const request = declared(BODY).replace(owner.key, key)
    const underWay = exchange(stopping.port, [request], false)
    await hold.reached
    const stopped = stopping.stop()
    const late = exchange(stopping.port, [request], false)
    expect((await late).status).toBeNull()
    hold.release()
    expect((await underWay).status).toBe(201)
    await stopped
    expect(await other.rows('pages')).toHaveLength(1)
  })

  it('waits for a body that does not arrive no longer than its limit', async () => {
    const stopping = app.listen({ drainMs: 200 })
    const underWay = exchange(stopping.port, [post('Content-Length: 99999'), '{'], false)
    while (stopping.requestsInProgress() === 0) await Bun.sleep(5)
    await stopping.stop()
    expect((await underWay).status).not.toBe(201)
    expect(stopping.requestsInProgress()).toBe(0)
  })
})
