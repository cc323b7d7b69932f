import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const CERTIFICATES = join(import.meta.dir, 'certificates')

export interface Certificate {
  /** PEM of the authority; trust it in tests only, its leaf's key is public. */
  ca: string
  /** The same as a file, for a started server: `NODE_EXTRA_CA_CERTS=${ca_file}`. */
  caFile: string
  cert: string
  key: string
}

/** For localhost, 127.0.0.1, 127.0.0.2, ::1, a.test, b.test and *.handbill.test. */
export function certificate(): Certificate {
  const read = (name: string) => readFileSync(join(CERTIFICATES, name), 'utf8')
  return {
    ca: read('ca.pem'),
    caFile: join(CERTIFICATES, 'ca.pem'),
    cert: read('leaf.pem'),
    key: read('leaf.key.pem'),
  }
}

export interface LocalHttpsServer {
  /** `https://127.0.0.1:49152`, which needs no name server. */
  url: string
  /** `127.0.0.1:49152`, as `allowed_hosts` and FETCH_ALLOWED_HOSTS want it. */
  host: string
  ca: string
  caFile: string
  /** Sockets that reached it so far, TLS or not. */
  connections(): number
  close(): Promise<void>
}

/** An https server on loopback for any room's test of `html_url` and `file_url`. */
export async function localHttpsServer(handler: RequestListener): Promise<LocalHttpsServer> {
  const { ca, caFile, cert, key } = certificate()
  const server = createServer({ cert, key }, handler)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `https://${host}`,
    host,
    ca,
    caFile,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
