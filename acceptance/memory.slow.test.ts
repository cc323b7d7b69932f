/** What bodies that never end may cost: bounded memory, and nobody else's place. */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

const MIB = 1024 * 1024

interface SlowPost {
  path: string
  declaredBytes: number
  sentBytes: number
  headers?: string[]
}

/** Declares a body, sends most of it, and waits. */
function slowPost(
  port: number,
  { path, declaredBytes, sentBytes, headers = [] }: SlowPost,
): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  const lines = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers]
  socket.on('error', () => {})
  socket.write(`${[...lines, `Content-Length: ${declaredBytes}`].join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(sentBytes, ' '))
  return socket
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}

/** A whole request from another address of this computer: its status. */
async function postFrom(address: string, port: number, path: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address })
  const body = '{}'
  const head = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close']
  socket.end(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
  let text = ''
  for await (const chunk of socket) text += chunk
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text
}

/** Opens them all, and tells how the memory of the server grew and how they were answered. */
async function holdOpen(server: { pid: number }, count: number, open: () => Socket) {
  const before = residentBytes(server.pid)
  const sockets = Array.from({ length: count }, open)
  const outcomes = sockets.map(outcome)
  await Bun.sleep(3000)
  // What arriving left behind is collected some time after it. The bodies are given up at 10 s.
  let grownMib = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look++) {
    grownMib = Math.min(grownMib, (residentBytes(server.pid) - before) / MIB)
    await Bun.sleep(500)
  }
  return {
    grownMib,
    async ended(): Promise<string[]> {
      const all = new Set(await Promise.all(outcomes))
      for (const socket of sockets) socket.destroy()
      return [...all].sort()
    },
  }
}

test('bodies of strangers that stop arriving take little memory and keep nobody out', async () => {
  const env = freshEnvironment()
  const server = await start(env)
  const port = Number(env.PORT)
  const body = { path: '/~/responses', declaredBytes: 1_000_000, sentBytes: 900_000 }
  const held = await holdOpen(server, 300, () => slowPost(port, body))
  expect(held.grownMib).toBeLessThan(180)
  expect(await postFrom('127.0.0.2', port, '/~/responses')).toBe('400')
  const ended = await held.ended()
  expect(ended).toContain('503')
  expect(ended.filter((each) => !['408', '503', 'closed'].includes(each))).toEqual([])
  expect(await postFrom('127.0.0.1', port, '/~/responses')).toBe('400')
  expect(await server.stop()).toBe(0)
}, 240_000)

test('bodies sent with a key take a bounded part of the memory, too', async () => {
  const env = freshEnvironment()
  const server = await start(env)
  const port = Number(env.PORT)
  const headers = [`Authorization: Bearer ${await newKey(env, 'pro')}`]
  const body = { path: '/api/v1/pages', declaredBytes: 4_000_000, sentBytes: 3_900_000, headers }
  const held = await holdOpen(server, 150, () => slowPost(port, body))
  expect(held.grownMib).toBeLessThan(300)
  const ended = await held.ended()
  expect(ended).toContain('503')
  expect(ended.filter((each) => !['408', '503', 'closed'].includes(each))).toEqual([])
  expect(await server.stop()).toBe(0)
}, 240_000)

test('large bodies that have arrived take turns: none is refused, and small requests do not wait', async () => {
  const env = freshEnvironment()
  const server = await start(env)
  const key = await newKey(env, 'pro')
  const create = async (title: string, bytes: number) => {
    const { status } = await fetch(`${env.BASE_URL}/api/v1/pages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title, html: 'x'.repeat(bytes) }),
    })
    return status
  }
  const large = Array.from({ length: 50 }, (_, n) => create(`Large ${n}`, 4_000_000))
  const small = Array.from({ length: 10 }, (_, n) => create(`Small ${n}`, 10_000))
  expect(await Promise.race([Promise.all(small), Promise.all(large)])).toHaveLength(10)
  expect(new Set(await Promise.all([...large, ...small]))).toEqual(new Set([201]))
  expect(await server.stop()).toBe(0)
}, 240_000)

test('large pages that many read slowly are not in memory', async () => {
  const env = freshEnvironment()
  const server = await start(env)
  const authorization = `Bearer ${await newKey(env, 'pro')}`
  const made = await fetch(`${env.BASE_URL}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ html: 'A line that says "something".\n'.repeat(100_000) }),
  })
  const { id } = ((await made.json()) as { data: { id: string } }).data
  const open = (path: string) =>
    slowReader(Number(env.PORT), [
      `GET /api/v1/pages/${id}/${path} HTTP/1.1`,
      `Host: 127.0.0.1:${env.PORT}`,
      ...[`Authorization: ${authorization}`, 'Connection: close', '', ''],
    ])
  const paths = ['html', 'versions/1']
  for (const path of paths) expect((await open(path).read()).length).toBeGreaterThan(3_000_000)
  const before = residentBytes(server.pid)
  const readers = Array.from({ length: 180 }, (_, n) => open(paths[n % paths.length]!))
  await Promise.all(readers.map(({ begun }) => begun))
  // What the work on all of them left behind is collected some time after it.
  const deadline = Date.now() + 20_000
  const grownMib = () => (residentBytes(server.pid) - before) / MIB
  while (grownMib() > 200 && Date.now() < deadline) {
    await fetch(`${env.BASE_URL}/readyz`)
    await Bun.sleep(100)
  }
  expect(grownMib()).toBeLessThan(200)
  for (const each of readers) {
    const text = await readWhole(each)
    expect(text.split('A line that says').length).toBeGreaterThan(99_000)
  }
  expect(await server.stop()).toBe(0)
}, 240_000)

test('large pages that many view slowly are not in memory', async () => {
  const env = freshEnvironment()
  const server = await start(env)
  const authorization = `Bearer ${await newKey(env, 'pro')}`
  const html = `<form data-service><input name=a></form>${'<p>A line\n'.repeat(600_000)}`
  const uploaded = await fetch(`${env.BASE_URL}/api/v1/uploads`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: html,
  })
  const upload = ((await uploaded.json()) as { data: { id: string } }).data.id
  const made = await fetch(`${env.BASE_URL}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ html_upload: upload }),
  })
  const { slug } = ((await made.json()) as { data: { slug: string } }).data
  const view = () =>
    slowReader(Number(env.PORT), [
      ...[`GET /p/${slug} HTTP/1.1`, `Host: 127.0.0.1:${env.PORT}`, 'Connection: close', '', ''],
    ])
  await view().read()
  const before = residentBytes(server.pid)
  const viewers = Array.from({ length: 120 }, view)
  await Promise.all(viewers.map(({ begun }) => begun))
  await Bun.sleep(1000)
  // All of them have asked for 720 MB.
  expect((residentBytes(server.pid) - before) / MIB).toBeLessThan(200)
  for (const each of viewers) {
    const text = await readWhole(each)
    expect(text.split('<p>A line').length).toBeGreaterThan(599_000)
  }
  expect(await server.stop()).toBe(0)
}, 240_000)

/** The answer, which is complete. */
async function readWhole(reader: ReturnType<typeof slowReader>): Promise<string> {
  const text = await reader.read()
  expect(text.startsWith('HTTP/1.1 200 ')).toBe(true)
  expect(text.endsWith('\r\n0\r\n\r\n')).toBe(true)
  return text
}

/** Reads nothing of the answer but its beginning, until it is told to. */
function slowReader(port: number, lines: readonly string[]) {
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(lines.join('\r\n')))
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    if (chunks.push(chunk) > 1) return
    socket.pause()
    begun.resolve()
  })
  socket.on('error', ended.reject)
  socket.on('close', () => ended.resolve(Buffer.concat(chunks).toString()))
  return {
    begun: begun.promise,
    async read(): Promise<string> {
      await begun.promise
      socket.resume()
      return ended.promise
    },
  }
}

/** The status of the answer. A connection that is closed with unread bytes may lose it. */
function outcome(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data).split(' ')[1]!))
    socket.once('close', () => resolve('closed'))
  })
}
