/** Clients that hold connections or send malformed HTTP, beside normal load. */
import { connect, type Socket } from 'node:net'
import type { Fault } from '../fault.ts'
import { runWithOutages } from '../outage-run.ts'

const CONNECTIONS = 10_000
const SLOW_REQUEST = 'POST /api/v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'
const BYTE_MS = 1000

/** (h) Ten thousand connections: half of them idle, half of them with a body byte by byte. */
export const heldConnections: Fault = {
  letter: 'h',
  about: '10,000 idle and slow connections, under mixed load',
  run(tools) {
    const sockets = new Set<Socket>()
    let timer: Timer | undefined
    const hold = {
      name: 'held',
      begin(port: number): void {
        for (let at = 0; at < CONNECTIONS; at += 1) {
          const socket = open(port, sockets)
          if (at % 2 === 0) socket.write(SLOW_REQUEST)
        }
        timer = setInterval(() => {
          for (const socket of sockets) if (socket.bytesWritten > 0) socket.write('x')
        }, BYTE_MS)
      },
      end(): void {
        clearInterval(timer)
        for (const socket of sockets) socket.destroy()
      },
    }
    const folder = tools.folder()
    return runWithOutages(tools, { fault: 'connections', folder, settings: {}, outages: [hold] })
  },
}

const MALFORMED = [
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET /%ff%00 HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5000)}\r\n`,
  'POST /~/responses HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /~/responses HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  'POST /~/responses HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /~/responses HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  '\0\0\0\0\x16\x03\x01\r\n\r\n',
]
const EACH = 100

/** (i) Malformed requests. */
export const malformed: Fault = {
  letter: 'i',
  about: 'malformed HTTP, under mixed load',
  run(tools) {
    const sockets = new Set<Socket>()
    const send = {
      name: 'malformed',
      begin(port: number): void {
        for (let at = 0; at < EACH * MALFORMED.length; at += 1) {
          open(port, sockets).write(MALFORMED[at % MALFORMED.length]!, 'latin1')
        }
      },
      end(): void {
        for (const socket of sockets) socket.destroy()
      },
    }
    const folder = tools.folder()
    return runWithOutages(tools, { fault: 'malformed HTTP', folder, settings: {}, outages: [send] })
  },
}

function open(port: number, among: Set<Socket>): Socket {
  const socket = connect(port, '127.0.0.1')
  among.add(socket)
  // The server is allowed to close it.
  socket.on('error', () => {})
  socket.on('close', () => among.delete(socket))
  return socket
}
