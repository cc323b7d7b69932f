import { connect, type Socket } from 'node:net'

/** How long an exchange may take before it counts as one that hangs. */
const PATIENCE_MS = 10_000

export interface RawAnswer {
  /** Null where the connection was closed without a word. */
  status: number | null
  headers: Map<string, string>
  body: string
  /** All that came, further answers included. */
  text: string
}

/** Pieces of a request; a function waits for something before the next is sent. */
export type Piece = string | Uint8Array | (() => Promise<unknown>)

/**
 * Sends the pieces, and reads until the server closes or one whole answer is there.
 *
 * @param ends whether to say at the end that nothing more will come
 * @throws Error when the server does neither
 */
export async function exchange(port: number, pieces: Piece[], ends = true): Promise<RawAnswer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  const { promise: over, resolve: finish, reject } = Promise.withResolvers<void>()
  const said = () => Buffer.concat(received).toString('latin1')
  const timer = setTimeout(() => reject(new Error(`It hangs, after: ${said()}`)), PATIENCE_MS)
  socket.on('data', (data: Buffer) => {
    received.push(data)
    if (isWhole(said())) finish()
  })
  // A server that has refused may reset what is still being sent.
  socket.on('error', () => finish()).on('close', () => finish())
  socket.on('end', () => finish())
  try {
    await send(socket, pieces)
    if (ends) socket.end()
    await over
    return parse(said())
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function send(socket: Socket, pieces: Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return
    if (typeof piece === 'function') await piece()
    else if (!socket.write(piece)) await drained(socket)
  }
}

/** Until it takes more, or is over. */
function drained(socket: Socket): Promise<void> {
  const events = ['drain', 'close', 'error', 'data']
  return new Promise((resolve) => {
    const go = () => {
      for (const event of events) socket.off(event, go)
      resolve()
    }
    for (const event of events) socket.on(event, go)
  })
}

function isWhole(text: string): boolean {
  const { status, headers, body } = parse(text)
  if (status === null || !text.includes('\r\n\r\n')) return false
  const length = headers.get('content-length')
  if (length !== undefined) return body.length >= Number(length)
  return headers.get('transfer-encoding') === 'chunked' ? body.endsWith('0\r\n\r\n') : true
}

function parse(text: string): RawAnswer {
  // An interim answer is no answer.
  const rest = text.replace(/^(HTTP\/1\.1 1\d\d[^\r\n]*\r\n\r\n)+/, '')
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(rest) ?? []
  const split = rest.indexOf('\r\n\r\n')
  const lines = split < 0 ? [] : rest.slice(0, split).split('\r\n').slice(1)
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const body = split < 0 ? '' : rest.slice(split + 4)
  return { status: status === undefined ? null : Number(status), headers, body, text }
}
