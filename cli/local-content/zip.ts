import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { CommandFailed, oneLine } from '../output.ts'
import {
  type Bytes,
  createDeckBuilder,
  type DeckBuilder,
  type DeckFile,
  type LocalContent,
} from './deck-builder.ts'

const TYPE_MASK = 0o170000
const SYMLINK = 0o120000

/**
 * Reads a zip archive as a deck, in memory. The declared sizes are summed before an entry is
 * unpacked. yauzl checks each entry against its declared size, and refuses paths that leave the
 * archive.
 */
export async function readZip(name: string, bytes: Bytes): Promise<LocalContent> {
  const deck = createDeckBuilder(name)
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    for await (const entry of zip.eachEntry()) await addEntry(zip, entry, deck)
  } catch (err) {
    if (err instanceof CommandFailed) throw err
    const reason = oneLine((err as Error).message)
    throw new CommandFailed(`${oneLine(name)} is not a zip that can be read: ${reason}.`)
  }
  return withoutOuterFolder(deck.build())
}

async function addEntry(zip: ZipFile, entry: Entry, deck: DeckBuilder): Promise<void> {
  const path = entry.fileName
  if (path.endsWith('/') || !deck.accepts(path)) return
  if (((entry.externalFileAttributes >>> 16) & TYPE_MASK) === SYMLINK) {
    return deck.skip(path, 'it is a link')
  }
  if (entry.isEncrypted()) return deck.skip(path, 'it is encrypted')
  deck.reserve(entry.uncompressedSize)
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
  deck.add({ path, bytes: Buffer.concat(pieces) as Bytes })
}

/** Removes the outer folder that zipping a folder adds: it is not part of the addresses. */
function withoutOuterFolder(content: LocalContent): LocalContent {
  if (content.kind !== 'deck') return content
  const outer = /^[^/]+\//.exec(content.pages[0]!.path)?.[0]
  const all = [...content.pages, ...content.assets]
  if (outer === undefined || !all.every(({ path }) => path.startsWith(outer))) return content
  const inner = ({ path, bytes }: DeckFile) => ({ path: path.slice(outer.length), bytes })
  return { ...content, pages: content.pages.map(inner), assets: content.assets.map(inner) }
}
