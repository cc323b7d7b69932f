import { createDeckBuilder, type DeckBuilder } from './deck-builder.ts'
import { type Bytes, ContentProblem, type DeckFile, type LocalContent } from './local-content.ts'
import { readZipEntries, type ZipEntry } from './zip-entries.ts'

const TYPE_MASK = 0o170000
const SYMLINK = 0o120000

/**
 * Reads a zip archive as a deck, in memory. The declared sizes are summed before an entry is
 * unpacked, and an entry that is larger than declared is refused.
 */
export async function readZip(name: string, bytes: Bytes): Promise<LocalContent> {
  const deck = createDeckBuilder(name)
  try {
    for (const entry of readZipEntries(bytes)) await addEntry(entry, deck)
  } catch (err) {
    if (err instanceof ContentProblem) throw err
    throw new ContentProblem(`${name} is not a zip that can be read: ${(err as Error).message}.`)
  }
  return withoutOuterFolder(await deck.build())
}

async function addEntry(entry: ZipEntry, deck: DeckBuilder): Promise<void> {
  const { path } = entry
  if (path.endsWith('/') || !deck.accepts(path)) return
  if ((entry.mode & TYPE_MASK) === SYMLINK) return deck.skip(path, 'it is a link')
  if (entry.isEncrypted) return deck.skip(path, 'it is encrypted')
  deck.reserve(entry.sizeBytes)
  deck.add({ path, bytes: await entry.unpack() })
}

/** Removes the outer folder that zipping a folder adds: it is not part of the addresses. */
function withoutOuterFolder(content: LocalContent): LocalContent {
  if (content.kind !== 'deck') return content
  const outer = /^[^/]+\//.exec(content.pages[0]!.path)?.[0]
  const all = [...content.pages, ...content.assets]
  if (outer === undefined || !all.every(({ path }) => path.startsWith(outer))) return content
  const inner = ({ path, bytes }: DeckFile) => ({ path: path.slice(outer.length), bytes })
  const skipped = content.skipped.map((file) =>
    file.path.startsWith(outer) ? { ...file, path: file.path.slice(outer.length) } : file,
  )
  const { pages, assets } = content
  return { ...content, pages: pages.map(inner), assets: assets.map(inner), skipped }
}
