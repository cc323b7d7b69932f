import type { Account } from '../../model/account.ts'
import type { ArchivedManifest } from '../../model/archive.ts'
import { refuse } from '../../model/errors.ts'
import { isMarkdownSource, markdownSources } from '../../model/manifest.ts'
import { sha256Of } from '../../platform/ids.ts'
import { splitLines } from '../../platform/lines.ts'
import { slicesInTurns } from '../../platform/promises.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { BadZip, openZip, TooManyEntries, type ZipEntry } from '../../platform/unzip.ts'
import type { ArchivedContent } from '../pages/index.ts'

/** Each takes some 300 bytes of memory. */
const MAX_ENTRIES = 300_000
/** Nothing else is in an archive. */
const NAME =
  /^(handbill\.json|files\/[0-9a-f]{64}|pages\/[\w-]{1,80}\/[a-z_-]{1,40}\.(json|ndjson|jws))$/

export type Archive = Awaited<ReturnType<typeof openArchive>>

interface LineLimits {
  maxBytes: number
  maxLineChars: number
}

/** An entry of the archive is invalid, so the page that needs it is not imported. */
export class BadEntry extends Error {}

/**
 * Opens an archive whose bytes are in a file.
 *
 * @throws Refusal `not_an_archive`, `archive_too_large`
 */
export async function openArchive(file: TemporaryFile, sizeBytes: number) {
  const zip = await openZip(file, { sizeBytes, maxEntries: MAX_ENTRIES }).catch((err) => {
    if (err instanceof TooManyEntries) {
      const message = `An archive has at most ${MAX_ENTRIES.toLocaleString('en')} files.`
      throw refuse.tooLarge('archive_too_large', message, { limit: MAX_ENTRIES })
    }
    throw err instanceof BadZip ? notAnArchive(err.message) : err
  })
  const entries = new Map<string, ZipEntry>()
  for (const entry of zip.entries) {
    const { fileName } = entry
    if (!NAME.test(fileName) || entries.has(fileName) || entry.isEncrypted()) {
      throw notAnArchive('it has an entry that no export has')
    }
    entries.set(fileName, entry)
  }

  function entryOf(name: string, maxBytes: number): ZipEntry {
    const entry = entries.get(name)
    if (entry === undefined) throw new BadEntry(`The archive lacks ${name}.`)
    if (entry.uncompressedSize > maxBytes) throw new BadEntry(`${name} is too large.`)
    return entry
  }

  /** @throws BadEntry where it is missing, damaged or larger than `maxBytes` */
  async function read(name: string, maxBytes: number): Promise<Buffer> {
    return zip.read(entryOf(name, maxBytes)).catch(() => {
      throw damaged(name)
    })
  }

  return {
    names: [...entries.keys()],
    /** How many bytes it says it has; undefined where there is no such entry. */
    sizeOf: (name: string) => entries.get(name)?.uncompressedSize,
    read,
    /** Reads the file with this SHA-256. @throws BadEntry as `read` does */
    async readFile(hash: string, maxBytes: number) {
      const name = `files/${hash}`
      const bytes = await read(name, maxBytes)
      if ((await sha256Of(slicesInTurns(bytes))) !== hash) throw damaged(name)
      return bytes
    },
    /** Reads it line by line. @throws BadEntry, also where a line is longer than `maxLineChars` */
    async *lines(name: string, { maxBytes, maxLineChars }: LineLimits) {
      const pieces = zip.unpack(entryOf(name, maxBytes))
      try {
        for await (const line of splitLines(pieces, maxLineChars)) if (line) yield line
      } catch (err) {
        throw err instanceof RangeError ? new BadEntry(`${name} has a long line.`) : damaged(name)
      }
    },
  }
}

function damaged(name: string): BadEntry {
  return new BadEntry(`${name} is damaged.`)
}

export function notAnArchive(why: string) {
  const message = `This is no export of Handbill: ${why}.`
  return refuse.invalid('not_an_archive', message, { param: 'body' })
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
    const source = files.find(isMarkdownSource)
    if (source !== undefined) return { markdown_upload: source.hash, filename: source.path }
    return filename === null ? { html_upload: hash } : { file_upload: hash, filename }
  }
  const sources = markdownSources({ kind, entry, files })
  const isPage = ({ mime }: { mime: string }) => mime.startsWith('text/html')
  const byHash = ({ path, hash }: { path: string; hash: string }) => ({ path, upload: hash })
  return {
    files: files.filter(isPage).map((file) => byHash(sources.get(file.path) ?? file)),
    assets: files.filter((file) => !isPage(file) && !isMarkdownSource(file)).map(byHash),
    entry,
  }
}
