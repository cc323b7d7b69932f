import { connect, type Socket } from 'node:net'

const TIMEOUT_MS = 10_000

export interface RawResponse {
  /** Null where the connection was closed without a response. */
  status: number | null
  headers: Map<string, string>
  body: string
  /** All bytes received, further responses included. */
  text: string
}

/** A piece of a request; a function delays the next one until its promise resolves. */
export type Piece = string | Uint8Array | (() => Promise<unknown>)

/**
 * Sends the pieces, and reads until the server closes or one complete response has arrived.
 *
 * @param endsInput closes the sending side after the last piece
 * @throws Error when neither happens in time
 */
export async function exchange(
  port: number,
  pieces: Piece[],
  endsInput = true,
): Promise<RawResponse> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  const { promise: finished, resolve: finish, reject } = Promise.withResolvers<void>()
  const text = () => Buffer.concat(received).toString('latin1')
  const timer = setTimeout(() => reject(new Error(`no response after: ${text()}`)), TIMEOUT_MS)
  socket.on('data', (data: Buffer) => {
    received.push(data)
    if (isComplete(text())) finish()
  })
  // A server that has already responded may reset the connection while we send.
  socket.on('error', () => finish()).on('close', () => finish())
  socket.on('end', () => finish())
  try {
    await send(socket, pieces)
    if (endsInput) socket.end()
    await finished
    return parse(text())
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

/** Waits until the socket accepts more, responds or closes. */
function drained(socket: Socket): Promise<void> {
  const events = ['drain', 'close', 'error', 'data']
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) socket.off(event, done)
      resolve()
    }
    for (const event of events) socket.on(event, done)
  })
}

function isComplete(text: string): boolean {
  const { status, headers, body } = parse(text)
  if (status === null || !text.includes('\r\n\r\n')) return false
  const length = headers.get('content-length')
  if (length !== undefined) return body.length >= Number(length)
  return headers.get('transfer-encoding') === 'chunked' ? body.endsWith('0\r\n\r\n') : true
}

function parse(text: string): RawResponse {
  // Interim responses (1xx) are skipped.
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
