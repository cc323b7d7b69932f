import { BlobReader, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js'
import { filesOfZip, pathInZip } from '../../model/deck-folder.ts'
import { inMegabytes } from '../../model/plan.ts'
import { DeckBuilder } from './deck-builder.ts'
import { type Bytes, ContentProblem, type LocalDeck, MAX_BYTES } from './local-content.ts'

/**
 * Reads a zip archive as a deck, in memory. The declared sizes are summed before an entry is
 * unpacked, and an entry that is larger than declared is refused.
 */
export async function readZip(name: string, blob: Blob): Promise<LocalDeck> {
  const deck = new DeckBuilder(name)
  const entries: { path: string; entry: FileEntry; checksum: number }[] = []
  const zip = new ZipReader(new BlobReader(blob), {
    checkSignature: true,
    // Names and sizes are checked below, with errors that name them.
    strictness: 'tolerant',
    // The policy of our documents allows no workers.
    useWebWorkers: false,
  })
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      const path = checkedPath(entry.filename)
      if (entry.directory || path.endsWith('/') || !isFile(path, entry, deck)) continue
      entries.push({ path, entry, checksum: entry.signature! })
    }
    const { files, inner } = filesOfZip(entries)
    let sizeBytes = 0
    for (const { path, entry } of files) {
      sizeBytes += entry.uncompressedSize
      if (sizeBytes > MAX_BYTES) {
        const most = inMegabytes(MAX_BYTES)
        throw new ContentProblem(`${name} holds more than ${most}: make it smaller.`)
      }
      deck.add({ path, blob: new Blob([await unpack(entry)]) })
    }
    const content = await deck.build()
    return { ...content, skipped: content.skipped.map(inner) }
  } catch (err) {
    if (err instanceof ContentProblem) throw err
    throw new ContentProblem(`${name} is not a zip that can be read: ${(err as Error).message}.`)
  }
}

function isFile(path: string, entry: FileEntry, deck: DeckBuilder): boolean {
  if (!deck.accepts(path)) return false
  const { symlink: isLink, encrypted: isEncrypted } = entry
  if (isLink || isEncrypted) deck.skip(path, isLink ? 'it is a link' : 'it is encrypted')
  return !isLink && !isEncrypted
}

function checkedPath(name: string): string {
  const path = name.replaceAll('\\', '/')
  if (/^(\/|[a-z]:)/i.test(path)) throw new Error(`absolute path: ${name}`)
  if (path.split('/').includes('..')) throw new Error(`invalid relative path: ${name}`)
  return pathInZip(path)
}

/** Stops as soon as there is more than declared, so that a small archive cannot fill the memory. */
async function unpack(entry: FileEntry): Promise<Bytes> {
  const bytes = new Uint8Array(entry.uncompressedSize)
  let filled = 0
  const write = (chunk: Uint8Array) => {
    if (filled + chunk.byteLength > bytes.length) throw new Error('an entry is too large')
    bytes.set(chunk, filled)
    filled += chunk.byteLength
  }
  await entry.getData(new WritableStream({ write }))
  if (filled < bytes.length) throw new Error('an entry has another size than declared')
  return bytes
}
