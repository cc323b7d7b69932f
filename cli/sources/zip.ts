import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { CommandFailed, oneLine } from '../output.ts'
import {
  type Bytes,
  createDeckBuilder,
  type DeckBuilder,
  type Item,
  type Source,
} from './source.ts'

const TYPE_MASK = 0o170000
const SYMLINK = 0o120000

/**
 * A zip as a deck. Nothing is written to the disk, and the sizes that entries declare are summed
 * before one is unpacked; the reader holds each entry to its own, and refuses paths that climb out.
 */
export async function readZip(name: string, bytes: Bytes): Promise<Source> {
  const deck = createDeckBuilder(name)
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    for await (const entry of zip.eachEntry()) await take(zip, entry, deck)
  } catch (err) {
    if (err instanceof CommandFailed) throw err
    const why = oneLine((err as Error).message)
    throw new CommandFailed(`${oneLine(name)} is not a zip that can be read: ${why}.`)
  }
  return withoutOuterFolder(deck.done())
}

async function take(zip: ZipFile, entry: Entry, deck: DeckBuilder): Promise<void> {
  const path = entry.fileName
  if (path.endsWith('/') || !deck.wants(path)) return
  if (((entry.externalFileAttributes >>> 16) & TYPE_MASK) === SYMLINK) {
    return deck.leaveOut(path, 'it is a link')
  }
  if (entry.isEncrypted()) return deck.leaveOut(path, 'it is encrypted')
  deck.reserve(entry.uncompressedSize)
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
  deck.add({ path, bytes: Buffer.concat(pieces) as Bytes })
}

/** Who zips a folder gets all in one folder, which nobody wants in the address. */
function withoutOuterFolder(source: Source): Source {
  if (source.kind !== 'deck') return source
  const outer = /^[^/]+\//.exec(source.pages[0]!.path)?.[0]
  const all = [...source.pages, ...source.assets]
  if (outer === undefined || !all.every(({ path }) => path.startsWith(outer))) return source
  const inner = ({ path, bytes }: Item) => ({ path: path.slice(outer.length), bytes })
  return { ...source, pages: source.pages.map(inner), assets: source.assets.map(inner) }
}
