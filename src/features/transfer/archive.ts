import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import type { Account } from '../../model/account.ts'
import type { ArchivedManifest } from '../../model/archive.ts'
import { refuse } from '../../model/errors.ts'
import { newSha256 } from '../../platform/secrets.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { takeTurn } from '../../platform/turns.ts'
import type { ArchivedContent } from '../pages/index.ts'

/** Each takes some 300 bytes of memory. */
const MAX_ENTRIES = 300_000
const READ_BYTES = 256 * 1024
/** The bytes that are unpacked, checked and hashed in one turn of the event loop. */
const TURN_BYTES = 1024 * 1024
/** Nothing else is in an archive: no path leads out of it. */
const NAME =
  /^(handbill\.json|files\/[0-9a-f]{64}|pages\/[\w-]{1,80}\/[a-z_-]{1,40}\.(json|ndjson|jws))$/

export type Archive = Awaited<ReturnType<typeof openArchive>>

interface LineLimits {
  maxBytes: number
  maxLineBytes: number
}

/** An entry of the archive is invalid, so the page that needs it is not imported. */
export class BadEntry extends Error {}

/**
 * Opens an archive whose bytes are in a file.
 *
 * @throws Refusal `not_an_archive`, `archive_too_large`
 */
export async function openArchive(file: TemporaryFile, sizeBytes: number) {
  const reader = new FileReader(file)
  let zip: ZipFile
  try {
    zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { autoClose: false })
  } catch (err) {
    throw notAnArchive(`it is no complete zip (${(err as Error).message})`)
  }
  if (zip.entryCount > MAX_ENTRIES) throw tooManyEntries()
  const entries = await readEntries(zip)

  assertSeparate(entries, sizeBytes)

  function entryOf(name: string, maxBytes: number): Entry {
    const entry = entries.get(name)
    if (entry === undefined) throw new BadEntry(`The archive lacks ${name}.`)
    if (entry.uncompressedSize > maxBytes) throw new BadEntry(`${name} is too large.`)
    return entry
  }

  async function* piecesOf(name: string, entry: Entry): AsyncGenerator<Buffer> {
    let sum = 0
    // yauzl ends with an error where there are more or fewer bytes than the entry says.
    for await (const piece of damagedAt(name, zip.openReadStreamPromise(entry))) {
      await takeTurn(piece.byteLength / TURN_BYTES)
      sum = crc32(piece, sum)
      yield piece
    }
    if (sum !== entry.crc32) throw damaged(name)
  }

  return {
    names: [...entries.keys()],
    /** How many bytes it says it has; undefined where there is no such entry. */
    sizeOf: (name: string) => entries.get(name)?.uncompressedSize,
    /** @throws BadEntry where it is missing, damaged or larger than `maxBytes` */
    read: async (name: string, maxBytes: number) =>
      Buffer.concat(await Array.fromAsync(piecesOf(name, entryOf(name, maxBytes)))),
    /** Reads the file with this SHA-256. @throws BadEntry as `read` does */
    async readFile(hash: string, maxBytes: number) {
      const name = `files/${hash}`
      const entry = entryOf(name, maxBytes)
      const bytes = new Uint8Array(entry.uncompressedSize)
      const hasher = newSha256()
      let at = 0
      for await (const piece of piecesOf(name, entry)) {
        bytes.set(piece, at)
        at += piece.byteLength
        hasher.update(piece)
      }
      if (hasher.digest('hex') !== hash) throw damaged(name)
      return bytes
    },
    /** Reads it line by line. @throws BadEntry, also where a line is longer than `maxLineBytes` */
    async *lines(name: string, { maxBytes, maxLineBytes }: LineLimits) {
      let rest = Buffer.alloc(0)
      for await (const piece of piecesOf(name, entryOf(name, maxBytes))) {
        const bytes = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece])
        const end = bytes.lastIndexOf(LINE_FEED) + 1
        if (bytes.byteLength - end > maxLineBytes) throw new BadEntry(`${name} has a long line.`)
        for (const line of textIn(name, bytes.subarray(0, end)).split('\n')) if (line) yield line
        rest = Buffer.from(bytes.subarray(end))
      }
      if (rest.byteLength > 0) yield textIn(name, rest)
    },
  }
}

const LINE_FEED = 0x0a

function textIn(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw damaged(name)
  }
}

async function* damagedAt(name: string, opened: Promise<Readable>): AsyncGenerator<Buffer> {
  try {
    for await (const piece of await opened) yield piece as Buffer
  } catch {
    throw damaged(name)
  }
}

function damaged(name: string): BadEntry {
  return new BadEntry(`${name} is damaged.`)
}

/** Entries that share their bytes would let a small archive be unpacked without end. */
function assertSeparate(entries: ReadonlyMap<string, Entry>, sizeBytes: number): void {
  let packed = 0
  for (const { compressedSize } of entries.values()) packed += compressedSize
  if (packed > sizeBytes) throw notAnArchive('its entries overlap')
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry
      if (!NAME.test(fileName) || entries.has(fileName) || entry.isEncrypted()) {
        throw notAnArchive('it has an entry that no export has')
      }
      entries.set(fileName, withoutRawBytes(entry))
      if (entries.size > MAX_ENTRIES) throw tooManyEntries()
    }
  } catch (err) {
    if (err instanceof Error && 'code' in err && 'kind' in err) throw err
    throw notAnArchive('its table of contents is damaged')
  }
  return entries
}

/** Nothing reads them again, and they are most of an entry. */
function withoutRawBytes(entry: Entry): Entry {
  const none = Buffer.alloc(0)
  const raw = { fileNameRaw: none, extraFieldRaw: none, fileCommentRaw: none, extraFields: [] }
  return Object.assign(entry, raw)
}

class FileReader extends RandomAccessReader {
  readonly #file: TemporaryFile

  constructor(file: TemporaryFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const file = this.#file
    async function* chunks() {
      for (let at = start; at < end; at += READ_BYTES) {
        const bytes = Buffer.alloc(Math.min(READ_BYTES, end - at))
        await file.readAt(bytes, at)
        yield bytes
      }
    }
    return Readable.from(chunks())
  }
}

export function notAnArchive(why: string) {
  const message = `This is no export of Handbill: ${why}.`
  return refuse.invalid('not_an_archive', message, { param: 'body' })
}

function tooManyEntries() {
  const message = `An archive has at most ${MAX_ENTRIES.toLocaleString('en')} files.`
  return refuse.tooLarge('archive_too_large', message, { limit: MAX_ENTRIES })
}

/** The content of an archive that one of its manifests describes. @throws BadEntry */
export function contentIn(
  archive: Archive,
  { limits }: Account,
  manifest: ArchivedManifest | undefined,
): ArchivedContent {
  if (manifest === undefined) throw new BadEntry('A version names content that is not there.')
  const { kind, files } = manifest
  const sizes = files.map(({ hash }) => archive.sizeOf(`files/${hash}`) ?? 0)
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  if (kind === 'bundle' && sizeBytes > limits.deck_bytes) {
    throw new BadEntry('The deck is larger than your plan allows.')
  }
  const maxBytes = kind === 'bundle' ? limits.deck_bytes : limits.file_bytes
  const readFile = (hash: string) => archive.readFile(hash, maxBytes)
  return { input: inputOf(manifest), sizeBytes, readFile }
}

function inputOf({ kind, entry, files, file_name: filename }: ArchivedManifest) {
  if (kind === 'single') {
    const { hash } = files[0]!
    return filename === null ? { html_upload: hash } : { file_upload: hash, filename }
  }
  const isHtml = ({ mime }: { mime: string }) => mime.startsWith('text/html')
  const byHash = ({ path, hash }: { path: string; hash: string }) => ({ path, upload: hash })
  return {
    files: files.filter(isHtml).map(byHash),
    assets: files.filter((file) => !isHtml(file)).map(byHash),
    entry,
  }
}
