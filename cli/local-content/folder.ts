import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { createDeckBuilder, type DeckBuilder } from '../../src/client/content/deck-builder.ts'
import {
  type Bytes,
  ContentProblem,
  type LocalContent,
} from '../../src/client/content/local-content.ts'
import { describeFileError } from '../json-files.ts'
import { CommandFailed } from '../output.ts'

/** Reads a folder as a deck. Symbolic links out of the folder are never followed. */
export function readFolder(folder: string): Promise<LocalContent> {
  const root = realpathSync(folder)
  const deck = createDeckBuilder(folder)
  walk({ root, deck }, '')
  return deck.build()
}

interface Walk {
  root: string
  deck: DeckBuilder
}

function walk(context: Walk, path: string): void {
  const { root, deck } = context
  for (const entry of sortedEntries(join(root, path), path, deck)) {
    const child = path === '' ? entry.name : `${path}/${entry.name}`
    const isFolder = entry.isDirectory()
    if (!deck.accepts(isFolder ? `${child}/` : child)) continue
    if (isFolder) walk(context, child)
    else addFile(context, child)
  }
}

/** Sorts by name, so that the same folder gives the same deck on every file system. */
function sortedEntries(folder: string, path: string, deck: DeckBuilder): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (err) {
    if (path === '') throw new CommandFailed(`Cannot read ${folder}: ${describeFileError(err)}.`)
    deck.skip(`${path}/`, `cannot be read: ${describeFileError(err)}`)
    return []
  }
}

function addFile({ root, deck }: Walk, path: string): void {
  const read = readInside(root, path, (sizeBytes) => deck.reserve(sizeBytes))
  if (typeof read === 'string') deck.skip(path, read)
  else deck.add({ path, bytes: read })
}

/** Reads a file whose real path is in the folder. Returns the reason if it is skipped. */
function readInside(
  root: string,
  path: string,
  reserve: (sizeBytes: number) => void,
): Bytes | string {
  try {
    const real = realpathSync(join(root, path))
    if (!real.startsWith(root + sep)) return 'it links out of the folder'
    const isHidden = real
      .slice(root.length)
      .split(sep)
      .some((part) => part.startsWith('.'))
    if (isHidden) return 'it links to a file whose name starts with a dot'
    const stats = statSync(real)
    if (!stats.isFile()) return 'it is not a file'
    reserve(stats.size)
    return readFileSync(real) as Bytes
  } catch (err) {
    if (err instanceof ContentProblem) throw err
    return `cannot be read: ${describeFileError(err)}`
  }
}
