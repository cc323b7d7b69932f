import { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { refuse } from '../../model/errors.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'

const MAX_ENTRIES = 100_000
const READ_BYTES = 256 * 1024
/** Nothing else is in an archive: no path leads out of it. */
const NAME =
  /^(handbill\.json|files\/[0-9a-f]{64}|pages\/[\w-]{1,80}\/[a-z_-]{1,40}\.(json|ndjson|jws))$/

/** The entries of an archive by name. */
export interface Archive {
  names: readonly string[]
  /** How many bytes it says it has; undefined where there is no such entry. */
  sizeOf(name: string): number | undefined
  /** @throws BadEntry where it is missing, damaged or larger than `maxBytes` */
  read(name: string, maxBytes: number): Promise<Buffer>
}

/** Something in the archive is not as it must be: the page that needs it is not imported. */
export class BadEntry extends Error {}

/**
 * Opens an archive whose bytes are in a file.
 *
 * @throws Refusal `not_an_archive`, `archive_too_large`
 */
export async function openArchive(file: TemporaryFile, sizeBytes: number): Promise<Archive> {
  const reader = new FileReader(file)
  let zip: ZipFile
  try {
    zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { autoClose: false })
  } catch (err) {
    throw notAnArchive(`it is no complete zip (${(err as Error).message})`)
  }
  if (zip.entryCount > MAX_ENTRIES) throw tooManyEntries()
  const entries = await readEntries(zip)

  return {
    names: [...entries.keys()],
    sizeOf: (name) => entries.get(name)?.uncompressedSize,
    async read(name, maxBytes) {
      const entry = entries.get(name)
      if (entry === undefined) throw new BadEntry(`The archive lacks ${name}.`)
      if (entry.uncompressedSize > maxBytes) throw new BadEntry(`${name} is too large.`)
      const pieces: Buffer[] = []
      try {
        // yauzl ends with an error where there are more bytes than the entry says.
        for await (const piece of await zip.openReadStreamPromise(entry)) {
          pieces.push(piece as Buffer)
        }
      } catch {
        throw new BadEntry(`${name} is damaged.`)
      }
      return Buffer.concat(pieces)
    },
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry
      if (!NAME.test(fileName) || entries.has(fileName) || entry.isEncrypted()) {
        throw notAnArchive('it has an entry that no export has')
      }
      entries.set(fileName, entry)
      if (entries.size > MAX_ENTRIES) throw tooManyEntries()
    }
  } catch (err) {
    if (err instanceof Error && 'code' in err && 'kind' in err) throw err
    throw notAnArchive('its table of contents is damaged')
  }
  return entries
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
  return refuse.invalid('not_an_archive', `This is no export of Handbill: ${why}.`)
}

function tooManyEntries() {
  const message = `An archive has at most ${MAX_ENTRIES.toLocaleString('en')} files.`
  return refuse.tooLarge('archive_too_large', message, { limit: MAX_ENTRIES })
}
