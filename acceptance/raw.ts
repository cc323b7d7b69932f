/** Sends HTTP/1.1 over a socket, for requests that `fetch` cannot send. */
import { connect } from 'node:net'
import { type Answer, answerOf } from './client.ts'
import { server } from './server.ts'

/**
 * Sends the pieces in order without ending the request, and reads until one complete response has
 * arrived, for at most `waitMs`.
 */
export function exchange(pieces: Iterable<string | Uint8Array>, waitMs = 5000): Promise<Answer> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const socket = connect(Number(port) || 80, hostname)
    const timer = setTimeout(() => {
      socket.destroy()
      const excerpt = received.toString('latin1', 0, 200)
      reject(new Error(`no complete response within ${waitMs} ms; got: ${excerpt}`))
    }, waitMs)
    function finish(ended: boolean): void {
      const answer = parse(received, ended)
      if (answer) {
        clearTimeout(timer)
        socket.destroy()
        resolve(answer)
      } else if (ended) {
        clearTimeout(timer)
        reject(new Error(`connection closed; got: ${received.toString('latin1', 0, 200)}`))
      }
    }
    socket.on('data', (data) => {
      received = Buffer.concat([received, typeof data === 'string' ? Buffer.from(data) : data])
      finish(false)
    })
    socket.on('close', () => finish(true))
    socket.on('error', () => finish(true))
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed || received.length > 0) break
        if (!socket.write(piece)) await drained(socket)
      }
    })
  })
}

function drained(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', () => resolve())
  })
}

/** The head of a request: request line, `Host`, and these headers. */
export function head(line: string, headers: Record<string, string>): string {
  const lines = [`${line} HTTP/1.1`, `Host: ${new URL(server.url).host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

export function chunk(bytes: Uint8Array): Uint8Array {
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1')
  return Buffer.concat([size, bytes, Buffer.from('\r\n', 'latin1')])
}

export const lastChunk = '0\r\n\r\n'

function parse(received: Buffer, ended: boolean): Answer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line, ...rest] = received.toString('latin1', 0, end).split('\r\n')
  const status = Number(line!.split(' ')[1])
  const headers = new Headers()
  for (const header of rest) {
    const colon = header.indexOf(':')
    headers.append(header.slice(0, colon), header.slice(colon + 1).trim())
  }
  if (status === 100) return parse(received.subarray(end + 4), ended)
  const body = received.subarray(end + 4)
  const length = headers.get('content-length')
  const whole = length === null ? ended : body.length >= Number(length)
  return whole ? answerOf(status, headers, new Uint8Array(body)) : undefined
}
