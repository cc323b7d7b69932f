import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The records of each name; `silent` means no answer at all. */
export type Zone = Record<string, { A?: Answer; AAAA?: Answer }>
type Answer = readonly string[] | 'servfail' | 'silent'

export interface NameServer {
  /** `127.0.0.1:port` */
  address: string
  /** Every query in order, such as `A example.com`. */
  questions: string[]
  close(): void
}

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }

/** Serves a zone by DNS over UDP. Names that are not in the zone do not exist. */
export async function nameServer(zone: Zone): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    questions.push(`${type} ${name}`)
    const answer = zone[name]?.[type] ?? []
    if (answer === 'silent') return
    const code = answer === 'servfail' ? 2 : zone[name] === undefined ? 3 : 0
    const records = answer === 'servfail' ? [] : answer.map(recordOf)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    const reply = Buffer.concat([header, query.subarray(12, end), ...records])
    socket.send(reply, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => socket.close(),
  }
}

function questionOf(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: TYPES[query.readUInt16BE(at + 1)] ?? 'A', end: at + 5 }
}

function recordOf(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  const head = Buffer.from([
    0xc0,
    12,
    0,
    isIPv4(address) ? 1 : 28,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    bytes.length,
  ])
  return Buffer.concat([head, bytes])
}
