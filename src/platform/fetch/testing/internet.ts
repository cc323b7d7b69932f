import type { Resolve } from '../address.ts'
import { createHttpsTransport, type Transport } from '../transport.ts'
import { certificate } from './index.ts'
import { type RawServer, rawServer, reply } from './raw-server.ts'

/** Addresses that are certainly public. */
export const PUBLIC_V4 = '93.184.215.14'
export const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'

export interface Internet {
  resolve: Resolve
  transport: Transport
  /** Receives the connections to public addresses. */
  server: RawServer
  /** Receives all other connections: there must be none. */
  trap: RawServer
  /** Every resolved name, in order. */
  lookups: string[]
  /** Every address that was connected to, in order. */
  dialled: string[]
  close(): Promise<void>
}

type Answers = readonly string[]

/**
 * Simulates the internet on loopback, with real sockets and real TLS. Connections to public
 * addresses reach one local server, and all others reach a trap.
 *
 * @param names the answers to the first query for a name, to the second…; the last one is repeated
 */
export async function internet(
  answer: Parameters<typeof rawServer>[0],
  names: Record<string, readonly Answers[]> = {},
): Promise<Internet> {
  const server = await rawServer(answer)
  const trap = await rawServer((socket) => reply(socket, '200 OK', [], 'a secret'))
  const lookups: string[] = []
  const dialled: string[] = []
  const dial = createHttpsTransport(certificate().ca)
  return {
    server,
    trap,
    lookups,
    dialled,
    async resolve(hostname) {
      const lookupCount = lookups.filter((name) => name === hostname).length
      lookups.push(hostname)
      const answers = names[hostname] ?? [[PUBLIC_V4]]
      return (answers[lookupCount] ?? answers.at(-1) ?? []).map((address) => ({ address }))
    },
    transport(request) {
      dialled.push(...request.addresses)
      const isPublic = request.addresses.every((one) => /^(93\.184\.|2606:2800:)/.test(one))
      const { port } = isPublic ? server : trap
      return dial({ ...request, port, addresses: ['127.0.0.1'] })
    },
    async close() {
      await Promise.all([server.close(), trap.close()])
    },
  }
}
