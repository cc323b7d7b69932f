/** Zips as they are made, and as nobody should make them. */
import { deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  path: string
  content: string | Uint8Array
  /** What it says of its size, where that is not true. */
  declaredBytes?: number
  /** Of Unix, such as 0o120777 of a symbolic link. */
  mode?: number
}

export function zipOf(...entries: ZipEntry[]): Uint8Array {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content, declaredBytes, mode = 0o100644 } of entries) {
    const plain = Buffer.from(content as string)
    const packed = deflateRawSync(plain)
    const name = Buffer.from(path)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(Bun.hash.crc32(plain), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(declaredBytes ?? plain.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const start = Buffer.alloc(4)
    start.writeUInt32LE(offset)
    const attributes = Buffer.alloc(4)
    attributes.writeUInt32LE((mode << 16) >>> 0)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed])
    const madeBy = Buffer.from([20, 3])
    const rest = Buffer.concat([Buffer.alloc(6), attributes, start])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, facts, rest, name]))
    bodies.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...bodies, central, end]))
}
