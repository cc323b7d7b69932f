import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { reasonOf } from '../files.ts'
import { CommandFailed } from '../output.ts'
import { type Bytes, createDeckBuilder, type DeckBuilder, type Source } from './source.ts'

/** A folder as a deck. What lies outside of it is never read, whatever links say. */
export function readFolder(folder: string): Source {
  const root = realpathSync(folder)
  const deck = createDeckBuilder(folder)
  walk({ root, deck }, '')
  return deck.done()
}

interface Walk {
  root: string
  deck: DeckBuilder
}

function walk(given: Walk, path: string): void {
  const { root, deck } = given
  for (const entry of listed(join(root, path), path, deck)) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    const isFolder = entry.isDirectory()
    if (!deck.wants(isFolder ? `${below}/` : below)) continue
    if (isFolder) walk(given, below)
    else take(given, below)
  }
}

/** In the order of names, so that the same folder is the same deck wherever it lies. */
function listed(folder: string, path: string, deck: DeckBuilder): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (err) {
    if (path === '') throw new CommandFailed(`Cannot read ${folder}: ${reasonOf(err)}.`)
    deck.leaveOut(`${path}/`, `cannot be read: ${reasonOf(err)}`)
    return []
  }
}

function take({ root, deck }: Walk, path: string): void {
  const read = readInside(root, path, (sizeBytes) => deck.reserve(sizeBytes))
  if (typeof read === 'string') deck.leaveOut(path, read)
  else deck.add({ path, bytes: read })
}

/** The bytes of a file that truly lies in the folder, or why there are none. */
function readInside(
  root: string,
  path: string,
  reserve: (sizeBytes: number) => void,
): Bytes | string {
  try {
    const real = realpathSync(join(root, path))
    if (!real.startsWith(root + sep)) return 'it links out of the folder'
    const hidden = real
      .slice(root.length)
      .split(sep)
      .some((part) => part.startsWith('.'))
    if (hidden) return 'it links to a file whose name starts with a dot'
    const facts = statSync(real)
    if (!facts.isFile()) return 'it is not a file'
    reserve(facts.size)
    return readFileSync(real) as Bytes
  } catch (err) {
    if (err instanceof CommandFailed) throw err
    return `cannot be read: ${reasonOf(err)}`
  }
}
