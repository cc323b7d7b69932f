import { outerFolder } from '../../model/deck-folder.ts'
import { inMegabytes } from '../../model/plan.ts'
import { DeckBuilder } from './deck-builder.ts'
import { type Bytes, ContentProblem, type LocalDeck, MAX_BYTES } from './local-content.ts'

const TYPE_MASK = 0o170000
const SYMLINK = 0o120000

/**
 * Reads a zip archive as a deck, in memory. The declared sizes are summed before an entry is
 * unpacked, and an entry that is larger than declared is refused.
 */
export async function readZip(name: string, bytes: Bytes): Promise<LocalDeck> {
  const deck = new DeckBuilder(name)
  let sizeBytes = 0
  try {
    for (const entry of readZipEntries(bytes)) {
      if (!isFile(entry, deck)) continue
      sizeBytes += entry.sizeBytes
      if (sizeBytes > MAX_BYTES) {
        const most = inMegabytes(MAX_BYTES)
        throw new ContentProblem(`${name} holds more than ${most}: make it smaller.`)
      }
      deck.add({ path: entry.path, blob: new Blob([await entry.unpack()]) })
    }
  } catch (err) {
    if (err instanceof ContentProblem) throw err
    throw new ContentProblem(`${name} is not a zip that can be read: ${(err as Error).message}.`)
  }
  return withoutOuterFolder(await deck.build())
}

function isFile({ path, mode, isEncrypted }: ZipEntry, deck: DeckBuilder): boolean {
  if (path.endsWith('/') || !deck.accepts(path)) return false
  const isLink = (mode & TYPE_MASK) === SYMLINK
  if (isLink || isEncrypted) deck.skip(path, isLink ? 'it is a link' : 'it is encrypted')
  return !isLink && !isEncrypted
}

/** Removes the outer folder that zipping a folder adds: it is not part of the addresses. */
function withoutOuterFolder(content: LocalDeck): LocalDeck {
  const { pages, assets, skipped } = content
  const outer = outerFolder([...pages, ...assets].map(({ path }) => path))
  const inner = <F extends { path: string }>(file: F): F =>
    file.path.startsWith(outer) ? { ...file, path: file.path.slice(outer.length) } : file
  return {
    ...content,
    pages: pages.map(inner),
    assets: assets.map(inner),
    skipped: skipped.map(inner),
  }
}

export interface ZipEntry {
  path: string
  /** As the archive declares it. `unpack` refuses any other size. */
  sizeBytes: number
  /** The file mode of Unix; 0 where the archive has none. */
  mode: number
  isEncrypted: boolean
  unpack(): Promise<Bytes>
}

const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAG = 1
const UTF8_FLAG = 0x800

/**
 * Reads the directory of a zip archive (APPNOTE 6.3, without zip64: what can be published is
 * smaller). It runs in browsers and in Bun. Sizes, offsets and names are those of a stranger:
 * each is checked before it is used.
 *
 * @throws Error that says what is wrong with the archive
 */
export function* readZipEntries(bytes: Bytes): Generator<ZipEntry, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count === 0xffff || at === 0xffffffff) throw new Error('it is in the zip64 format')
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > end || view.getUint32(at, true) !== ENTRY_SIGNATURE) {
      throw new Error('its directory is damaged')
    }
    const nameBytes = view.getUint16(at + 28, true)
    const nextAt =
      at + ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (nextAt > end) throw new Error('its directory is damaged')
    yield entryAt(view, at)
    at = nextAt
  }
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue
    // The comment goes up to the end: a signature inside of a comment does not count.
    if (at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at
  }
  throw new Error('its end is missing')
}

function entryAt(view: DataView, at: number): ZipEntry {
  const flags = view.getUint16(at + 8, true)
  const name = bytesIn(view, at + ENTRY_BYTES, view.getUint16(at + 28, true))
  const declared: Declared = {
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    sizeBytes: view.getUint32(at + 24, true),
    localAt: view.getUint32(at + 42, true),
  }
  return {
    path: checkedPath(decodeName(name, (flags & UTF8_FLAG) !== 0)),
    sizeBytes: declared.sizeBytes,
    mode: view.getUint32(at + 38, true) >>> 16,
    isEncrypted: (flags & ENCRYPTED_FLAG) !== 0,
    unpack: () => unpack(view, declared),
  }
}

/** The upper half of code page 437, in which older programs write names. */
const UPPER_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** Programs that write UTF-8 do not always say so. */
function decodeName(bytes: Bytes, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(bytes)
  } catch {
    const charOf = (byte: number) => UPPER_437[byte - 128] ?? String.fromCharCode(byte)
    return Array.from(bytes, charOf).join('')
  }
}

function checkedPath(name: string): string {
  const path = name.replaceAll('\\', '/')
  if (/^(\/|[a-z]:)/i.test(path)) throw new Error(`absolute path: ${name}`)
  if (path.split('/').includes('..')) throw new Error(`invalid relative path: ${name}`)
  return path
}

interface Declared {
  method: number
  crc: number
  packedBytes: number
  sizeBytes: number
  /** Where the entry's own header starts, before its bytes. */
  localAt: number
}

async function unpack(view: DataView, declared: Declared): Promise<Bytes> {
  const { method, crc, packedBytes, sizeBytes, localAt } = declared
  if (
    localAt + LOCAL_BYTES > view.byteLength ||
    view.getUint32(localAt, true) !== LOCAL_SIGNATURE
  ) {
    throw new Error('an entry is damaged')
  }
  const start =
    localAt + LOCAL_BYTES + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true)
  const packed = bytesIn(view, start, packedBytes)
  if (method !== STORED && method !== DEFLATED) {
    throw new Error('an entry is compressed in a way that is not supported')
  }
  const bytes = method === STORED ? packed.slice() : await inflate(packed, sizeBytes)
  if (bytes.byteLength !== sizeBytes) throw new Error('an entry has another size than declared')
  if (crc32(bytes) !== crc) throw new Error('the checksum of an entry is wrong')
  return bytes
}

function bytesIn(view: DataView, start: number, length: number): Bytes {
  if (start + length > view.byteLength) throw new Error('it is cut off')
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + start, length)
}

/** Stops as soon as there is more than declared, so that a small archive cannot fill the memory. */
async function inflate(packed: Bytes, sizeBytes: number): Promise<Bytes> {
  const bytes = new Uint8Array(sizeBytes)
  let filled = 0
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  for await (const chunk of chunksOf(stream)) {
    if (filled + chunk.byteLength > sizeBytes) throw new Error('an entry is larger than declared')
    bytes.set(chunk, filled)
    filled += chunk.byteLength
  }
  return bytes.subarray(0, filled)
}

/** Safari cannot iterate a stream. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let crc = start
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

function crc32(bytes: Bytes): number {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at += 1) {
    crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ bytes[at]!) & 0xff]!
  }
  return (crc ^ 0xffffffff) >>> 0
}
