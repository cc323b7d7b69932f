import { createServer, connect as open, type Socket } from 'node:net'

/** The effect of a line on each connection. */
export interface LineProfile {
  /** Of a round trip. */
  rttMs: number
  /** For all connections together, from the server to the browser. */
  bytesPerSecond: number
}

export interface Line extends AsyncDisposable {
  /** Null passes everything on at once. It counts for connections that are opened from then on. */
  use(profile: LineProfile | null): void
}

/** The bytes that a sender may send before the first acknowledgement: ten segments (RFC 6928). */
const INITIAL_WINDOW_BYTES = 10 * 1460
const CHUNK_BYTES = 2 * 1460

/**
 * A line to a server on this host. It behaves as TCP does over a distance: a connection takes one
 * round trip to open, and what the server sends first has to fit into a window of ten segments,
 * which grows with each acknowledgement. A browser's own emulation delays whole responses.
 */
export async function startLine(port: number, serverPort: number): Promise<Line> {
  let profile: LineProfile | null = null
  const sockets = new Set<Socket>()
  const wire = { freeAt: 0 }
  const listener = createServer((client) => {
    const server = open(serverPort, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    if (profile === null) {
      client.pipe(server)
      server.pipe(client)
    } else {
      delayRequests(client, server, profile)
      shapeResponses(server, client, { profile, wire })
    }
  })
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
  return {
    use(next) {
      profile = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

function delayRequests(client: Socket, server: Socket, { rttMs }: LineProfile): void {
  const openAt = performance.now() + rttMs
  const deliver = deliveryTo(server)
  client.on('data', (bytes) => {
    deliver(bytes as Buffer, Math.max(0, openAt - performance.now()) + rttMs / 2)
  })
}

/** Timers of almost the same time may run in another order: the bytes keep theirs. */
function deliveryTo(socket: Socket) {
  const underWay: Uint8Array[] = []
  return (bytes: Uint8Array, waitMs: number): void => {
    underWay.push(bytes)
    setTimeout(() => void socket.write(underWay.shift()!), waitMs)
  }
}

function shapeResponses(
  server: Socket,
  client: Socket,
  { profile, wire }: { profile: LineProfile; wire: { freeAt: number } },
): void {
  const { rttMs, bytesPerSecond } = profile
  const deliver = deliveryTo(client)
  let waiting = Buffer.alloc(0)
  let inFlight = 0
  let window = INITIAL_WINDOW_BYTES

  function send(): void {
    while (waiting.byteLength > 0 && inFlight < window) {
      const chunk = waiting.subarray(0, Math.min(CHUNK_BYTES, window - inFlight))
      waiting = waiting.subarray(chunk.byteLength)
      inFlight += chunk.byteLength
      const now = performance.now()
      wire.freeAt = Math.max(now, wire.freeAt) + (chunk.byteLength / bytesPerSecond) * 1000
      const sent = wire.freeAt - now
      deliver(chunk, sent + rttMs / 2)
      setTimeout(() => {
        inFlight -= chunk.byteLength
        window += chunk.byteLength
        send()
      }, sent + rttMs)
    }
  }
  server.on('data', (bytes) => {
    waiting = Buffer.concat([waiting, bytes as Buffer])
    send()
  })
}
