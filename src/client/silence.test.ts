import { afterEach, expect, test } from 'bun:test'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ApiError, createClient } from './index.ts'

const SILENCE_MS = 300
const MB = 1024 * 1024

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A program that takes connections, and answers nothing, or the first with no more than this. */
async function startMute(answer = '') {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (sockets.size === 1) socket.once('data', () => socket.write(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, count: () => sockets.size }
}

/** A server that takes its time for everything except the question whether it runs. */
function startSlow(waitMs: number) {
  let probes = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.url.endsWith('/healthz')) {
        probes += 1
        return new Response('ok')
      }
      await request.arrayBuffer()
      await Bun.sleep(waitMs)
      return Response.json({ data: { id: 'x', items: [] } })
    },
  })
  stops.push(() => server.stop(true))
  return { baseUrl: `http://127.0.0.1:${server.port}`, count: () => probes }
}

const clientOf = ({ baseUrl }: { baseUrl: string }) =>
  createClient({ baseUrl, key: 'sm_key', silenceMs: SILENCE_MS, backoffMs: 1 })

async function failureOf(call: Promise<unknown>) {
  const startMs = performance.now()
  const err = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(err).toBeInstanceOf(ApiError)
  return { err: err as ApiError, tookMs: performance.now() - startMs }
}

const HALF = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"da'

for (const [what, answer] of [
  ['says nothing', ''],
  ['stops in the middle of its answer', HALF],
] as const) {
  test(`a server that ${what} is told of once, by its address, after the silence`, async () => {
    const server = await startMute(answer)
    const { err, tookMs } = await failureOf(clientOf(server).getPage({ id: 'pg_1' }))
    expect(err).toMatchObject({ status: null, code: 'unreachable' })
    expect(err.message).toStartWith(`Cannot reach ${server.baseUrl} (no answer for 0 s)`)
    expect(tookMs).toBeGreaterThanOrEqual(SILENCE_MS * 0.6)
    expect(tookMs).toBeLessThan(SILENCE_MS * 20)
    expect(server.count(), 'the call, and whether it runs').toBe(2)
  })
}

test('an upload to a mute server fails as well, small or large', async () => {
  for (const bytes of [10, 20 * MB]) {
    const server = await startMute()
    const { err } = await failureOf(
      clientOf(server).createUpload(new Blob([new Uint8Array(bytes)])),
    )
    expect(err.message).toContain('no answer for')
  }
})

test('a wait and a slow upload go on for as long as the server says that it runs', async () => {
  const [waiting, uploading] = [startSlow(SILENCE_MS * 3), startSlow(SILENCE_MS * 3)]
  await Promise.all([
    clientOf(waiting).getFeedback({ wait_s: 50 }),
    clientOf(uploading).createUpload(new Blob([new Uint8Array(MB)])),
  ])
  for (const server of [waiting, uploading]) expect(server.count()).toBeGreaterThanOrEqual(2)
})

test('nobody is asked by a call that is answered in time, nor after it', async () => {
  const server = startSlow(0)
  await clientOf(server).getPage({ id: 'pg_1' })
  await Bun.sleep(SILENCE_MS * 2)
  expect(server.count()).toBe(0)
})
