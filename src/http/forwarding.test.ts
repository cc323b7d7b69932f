/** A worker's server forwards to a main server, both in this process, over a socket. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createForward, createForwardedRequests, type RouteClass } from './forwarding.ts'
import { listen } from './listen.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-forwarding-'))
const socket = join(folder, 'main.sock')
const aborted = Promise.withResolvers<void>()

interface Seen {
  route: RouteClass
  method: string
  url: string
  peer: string | null
  headers: Record<string, string>
  body: string
}

async function seen(request: Request, route: RouteClass): Promise<Response> {
  const { method, url, headers } = request
  const { pathname } = new URL(url)
  if (pathname === '/p/answer') return answer()
  if (pathname === '/p/endless') return endless(request)
  if (pathname === '/p/refused') return new Response('too large', { status: 413 })
  const peer = forwarded.peerOf(request)
  const body = await request.text()
  const content: Seen = { route, method, url, peer, headers: headers.toJSON(), body }
  return Response.json(content)
}

function answer(): Response {
  const headers = new Headers({ 'content-encoding': 'gzip', location: '/elsewhere', etag: '"e"' })
  for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie)
  return new Response(Bun.gzipSync('words'), { status: 302, headers })
}

function endless({ signal }: Request): Response {
  signal.addEventListener('abort', () => aborted.resolve())
  return new Response(
    new ReadableStream({
      async pull(controller) {
        controller.enqueue('more ')
        await Bun.sleep(10)
      },
    }),
  )
}

const forwarded = createForwardedRequests({
  fetch: (request) => seen(request, 'any'),
  fetchPage: (request) => seen(request, 'page'),
})
let main: ReturnType<typeof forwarded.listen>
let worker: ReturnType<typeof listen>
beforeAll(() => {
  main = forwarded.listen(socket)
  const forward = createForward(socket, () => '203.0.113.9')
  worker = listen(
    {
      fetch: (request) => forward(request, 'any'),
      fetchPage: (request) => forward(request, 'page'),
      clientAddresses: { attach() {}, of: () => '', peerOf: () => null },
      health: { markStopping() {} },
    },
    { port: 0, host: '127.0.0.1' },
  )
})
afterAll(async () => {
  await worker.stop()
  await main.close()
  rmSync(folder, { recursive: true })
})

/** Sends bytes as they are, and reads until the connection is closed. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const connection = connect(worker.port, '127.0.0.1', () => connection.write(bytes))
    connection.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    connection.once('error', reject).once('close', () => resolve(text))
  })
}

async function seenOf(lines: string[], body = ''): Promise<Seen> {
  const answered = await send([...lines, 'Connection: close', '', body].join('\r\n'))
  return JSON.parse(answered.slice(answered.indexOf('{'), answered.lastIndexOf('}') + 1)) as Seen
}

test('a request arrives as it was sent, with nothing added', async () => {
  const seen = await seenOf(['GET /p/a%20b?q=%41 HTTP/1.1', 'Host: pages.example:81', 'X-One: 1'])
  expect(seen).toEqual({
    route: 'page',
    method: 'GET',
    url: 'http://pages.example:81/p/a%20b?q=%41',
    peer: '203.0.113.9',
    headers: { host: 'pages.example:81', 'x-one': '1' },
    body: '',
  })
})

test('headers that fetch would add are those of the client', async () => {
  const given = ['User-Agent: me', 'Accept: text/html', 'Accept-Encoding: br', 'Cookie: a=1; a=2']
  const { headers } = await seenOf(['GET /x HTTP/1.1', 'Host: a', ...given])
  expect(headers).toEqual({
    ...{ host: 'a', 'user-agent': 'me', accept: 'text/html', 'accept-encoding': 'br' },
    ...{ cookie: 'a=1; a=2' },
  })
})

test('nobody outside says who the client is, or by which way a request came', async () => {
  const forged = ['Handbill-Peer: 127.0.0.1', 'Handbill-Route: any', 'Handbill-Absent: cookie']
  const seen = await seenOf(['GET /p/x HTTP/1.1', 'Host: a', 'Cookie: c=1', ...forged])
  expect(seen.peer).toBe('203.0.113.9')
  expect(seen.route).toBe('page')
  expect(seen.headers).toEqual({ host: 'a', cookie: 'c=1' })
  expect(forwarded.peerOf(new Request('http://a/'))).toBeNull()
})

test('dot segments lead to no other route', async () => {
  const seen = await seenOf(['GET /p/../api/v1/pages HTTP/1.1', 'Host: a'])
  expect(seen).toMatchObject({ route: 'page', url: 'http://a/api/v1/pages' })
})

test('a body is forwarded with its length, and in chunks without one', async () => {
  const post = ['POST /x HTTP/1.1', 'Host: a']
  const whole = await seenOf([...post, 'Content-Length: 5'], 'words')
  expect(whole).toMatchObject({ route: 'any', method: 'POST', body: 'words' })
  expect(whole.headers['content-length']).toBe('5')
  const chunks = await seenOf([...post, 'Transfer-Encoding: chunked'], '5\r\nwords\r\n0\r\n\r\n')
  expect(chunks.body).toBe('words')
  expect(chunks.headers['content-length']).toBeUndefined()
})

test('a large body that is refused gets its answer', async () => {
  const body = new Uint8Array(3_000_000)
  const { status } = await fetch(`http://127.0.0.1:${worker.port}/p/refused`, {
    method: 'POST',
    body,
  })
  expect(status).toBe(413)
})

test('an answer comes back as it was given: status, cookies, location and encoding', async () => {
  const answered = await fetch(`http://127.0.0.1:${worker.port}/p/answer`, { redirect: 'manual' })
  expect(answered.status).toBe(302)
  expect(answered.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(answered.headers.get('location')).toBe('/elsewhere')
  expect(answered.headers.get('content-encoding')).toBe('gzip')
  expect(answered.headers.get('etag')).toBe('"e"')
  expect(answered.headers.get('connection')).not.toBe('close')
  expect(await answered.text()).toBe('words')
})

test('an answer arrives while it is made, and ends for the main process with the client', async () => {
  const ending = new AbortController()
  const { signal } = ending
  const answered = await fetch(`http://127.0.0.1:${worker.port}/p/endless`, { signal })
  const { value } = await answered.body!.getReader().read()
  expect(new TextDecoder().decode(value)).toStartWith('more')
  ending.abort()
  await aborted.promise
})

test('only the user of the server may open the socket', () => {
  expect(statSync(socket).mode & 0o777).toBe(0o600)
})
