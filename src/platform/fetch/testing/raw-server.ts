import {
  type AddressInfo,
  createServer as createPlainServer,
  type Server,
  type Socket,
} from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { certificate } from './index.ts'

export interface RawServer {
  port: number
  /** The path of every request, in order. */
  requests: string[]
  /** The header lines of every request, in order. */
  heads: string[]
  connections(): number
  open(): number
  close(): Promise<void>
}

/** Starts a TLS server whose tests write every byte of the response themselves. */
export async function rawServer(
  answer: (socket: TLSSocket, path: string) => void,
): Promise<RawServer> {
  const { cert, key } = certificate()
  const requests: string[] = []
  const heads: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer({ cert, key }, (socket) => {
    let head = ''
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      const path = head.split(' ')[1] ?? ''
      requests.push(path)
      heads.push(head)
      head = ''
      answer(socket, path)
    })
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await listening(server)
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    heads,
    connections: () => connections,
    open: () => sockets.size,
    close: () => closed(server, sockets),
  }
}

export interface PlainServer {
  /** `127.0.0.1:port` */
  host: string
  port: number
  connections(): number
  close(): Promise<void>
}

/** Starts a TCP server without TLS. */
export async function plainServer(answer: (socket: Socket) => void): Promise<PlainServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createPlainServer((socket) => {
    connections += 1
    sockets.add(socket.on('error', () => {}))
    answer(socket)
  })
  await listening(server)
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    port,
    connections: () => connections,
    close: () => closed(server, sockets),
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
}

function closed(server: Server, sockets: Iterable<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}

/** Sends a complete response with its correct length. */
export function reply(socket: TLSSocket, status: string, headers: string[], body = ''): void {
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${body.length}`, '', body]
  socket.end(lines.join('\r\n'))
}
