import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { takeTurn } from './promises.ts'
import { piecesOf, type TemporaryFile } from './temporary-files.ts'

/** The bytes that are unpacked and checked in one turn of the event loop. */
const TURN_BYTES = 1024 * 1024
/** Of the names together, for each entry that there may be: all of them are in memory. */
const NAME_BYTES = 200

export type ZipEntry = Entry

/** The message says what is wrong with the zip. */
export class BadZip extends Error {
  override readonly name = 'BadZip'
}

/** The zip has more entries than its reader takes. */
export class TooManyEntries extends Error {
  override readonly name = 'TooManyEntries'
}

export type Zip = Awaited<ReturnType<typeof openZip>>

/**
 * Opens a stranger's zip. No name leads out of it, and no entry shares its bytes with another.
 *
 * @throws BadZip, TooManyEntries
 */
export async function openZip(
  file: TemporaryFile,
  { sizeBytes, maxEntries }: { sizeBytes: number; maxEntries: number },
) {
  const zip = await fromRandomAccessReaderPromise(new FileReader(file), sizeBytes, {
    autoClose: false,
  }).catch((err: Error) => {
    throw new BadZip(`it is no complete zip (${err.message})`)
  })
  const entries = await readEntries(zip, maxEntries)
  const packedBytes = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0)
  // A small zip whose entries share their bytes could be unpacked without end.
  if (packedBytes > sizeBytes) throw new BadZip('its entries overlap')

  /** Reads an entry piece by piece. @throws BadZip where its size or its checksum is wrong */
  async function* unpack(entry: ZipEntry): AsyncGenerator<Buffer> {
    let sum = 0
    // yauzl ends with an error where there are more or fewer bytes than the entry says.
    for await (const piece of damagedAt(entry, zip.openReadStreamPromise(entry))) {
      await takeTurn(piece.byteLength / TURN_BYTES)
      sum = crc32(piece, sum)
      yield piece
    }
    if (sum !== entry.crc32) throw damaged(entry)
  }

  /** The same, whole, in memory of its own. */
  async function read(entry: ZipEntry): Promise<Buffer> {
    const bytes = Buffer.alloc(entry.uncompressedSize)
    let at = 0
    for await (const piece of unpack(entry)) {
      bytes.set(piece, at)
      at += piece.byteLength
    }
    return bytes
  }
  return { entries, unpack, read }
}

async function readEntries(zip: ZipFile, maxEntries: number): Promise<ZipEntry[]> {
  if (zip.entryCount > maxEntries) throw new TooManyEntries()
  const entries: ZipEntry[] = []
  let nameBytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      nameBytes += entry.fileNameRaw.length
      if (nameBytes > NAME_BYTES * maxEntries) throw new Error('the names are too long')
      entry.fileName = nameOf(entry)
      entries.push(withoutRawBytes(entry))
    }
  } catch (err) {
    throw new BadZip(`its table of contents is damaged (${(err as Error).message})`)
  }
  return entries
}

const UTF8_FLAG = 0x800
const UNICODE_PATH = 0x7075

/** Programs that write UTF-8 do not always say so. */
function nameOf(entry: Entry): string {
  const { fileName, fileNameRaw, generalPurposeBitFlag: flags, extraFields } = entry
  const saysIt = (flags & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)
  return saysIt || !isUtf8(fileNameRaw) ? fileName : fileNameRaw.toString().replaceAll('\\', '/')
}

/** Nothing reads them again, and they are most of an entry. */
function withoutRawBytes(entry: Entry): Entry {
  const none = Buffer.alloc(0)
  const raw = { fileNameRaw: none, extraFieldRaw: none, fileCommentRaw: none, extraFields: [] }
  return Object.assign(entry, raw)
}

async function* damagedAt(entry: ZipEntry, content: Promise<Readable>): AsyncGenerator<Buffer> {
  try {
    for await (const piece of await content) yield piece as Buffer
  } catch {
    throw damaged(entry)
  }
}

function damaged({ fileName }: ZipEntry): BadZip {
  return new BadZip(`${fileName} is damaged`)
}

class FileReader extends RandomAccessReader {
  readonly #file: TemporaryFile

  constructor(file: TemporaryFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(piecesOf(this.#file, { start, end }))
  }
}
