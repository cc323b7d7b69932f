import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTemporaryFiles, type TemporaryFiles } from '../../temporary-files.ts'

const CERTIFICATES = join(import.meta.dir, 'certificates')

export interface Certificate {
  /** PEM of the authority. Trust it in tests only: the server certificate's key is public. */
  ca: string
  /** The path of the same, for a server process: `NODE_EXTRA_CA_CERTS=${caFile}`. */
  caFile: string
  cert: string
  key: string
}

/** A certificate for localhost, 127.0.0.1, 127.0.0.2, ::1, a.test, b.test and *.handbill.test. */
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
  /** Such as `https://127.0.0.1:49152`. */
  url: string
  /** Such as `127.0.0.1:49152`, the form of `allowedHosts` and FETCH_ALLOWED_HOSTS. */
  host: string
  ca: string
  caFile: string
  /** How many sockets connected so far, with TLS or without. */
  connections(): number
  close(): Promise<void>
}

/** Starts an https server on loopback, for tests of `html_url` and `file_url`. */
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

/** In folders that are removed at once: a file is deleted as soon as it is open. */
export function newTemporaryFiles(): TemporaryFiles {
  return {
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'handbill-fetch-'))
      try {
        return await createTemporaryFiles(folder).create()
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  }
}
