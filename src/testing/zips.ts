/** Makes zip files, valid or hostile. */
import { deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  path: string
  content: string | Uint8Array
  /** The size in its header, if that is to be wrong. */
  declaredBytes?: number
  /** The Unix mode; 0o120777 is a symbolic link. */
  mode?: number
  isEncrypted?: boolean
  /** The compression method, if that is to be another than Deflate. */
  method?: number
  crc?: number
  /** It has the bytes of the entry before it, and none of its own. */
  overlaps?: boolean
}

export function zipOf(...entries: ZipEntry[]): Uint8Array {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let last = 0
  for (const entry of entries) {
    const { path, content, declaredBytes, mode = 0o100644, method = 8 } = entry
    const uncompressed = Buffer.from(content as string)
    const compressed = deflateRawSync(uncompressed)
    const name = Buffer.from(path)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(entry.isEncrypted ? 0x801 : 0x800, 2)
    header.writeUInt16LE(method, 4)
    header.writeUInt32LE(entry.crc ?? Bun.hash.crc32(uncompressed), 10)
    header.writeUInt32LE(compressed.length, 14)
    header.writeUInt32LE(declaredBytes ?? uncompressed.length, 18)
    header.writeUInt16LE(name.length, 22)
    const localOffset = Buffer.alloc(4)
    localOffset.writeUInt32LE(entry.overlaps ? last : offset)
    const attributes = Buffer.alloc(4)
    attributes.writeUInt32LE((mode << 16) >>> 0)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, name, compressed])
    const version = Buffer.from([20, 3])
    const rest = Buffer.concat([Buffer.alloc(6), attributes, localOffset])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), version, header, rest, name]))
    if (entry.overlaps) continue
    last = offset
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
