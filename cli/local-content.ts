import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { createDeckBuilder, type DeckBuilder } from '../src/client/content/deck-builder.ts'
import { filePage } from '../src/client/content/file-page.ts'
import {
  type Bytes,
  ContentProblem,
  formatOf,
  type LocalContent,
  MAX_BYTES,
} from '../src/client/content/local-content.ts'
import { markdownPage } from '../src/client/content/markdown.ts'
import { readZip } from '../src/client/content/zip.ts'
import { besideLimit } from '../src/model/plan.ts'
import { describeFileError } from './json-files.ts'
import { CommandFailed, oneLine } from './output.ts'

export type { LocalContent, SkippedFile } from '../src/client/content/local-content.ts'

export const STDIN = '-'

/**
 * Reads a file, a folder or an archive; `-` is standard input.
 *
 * @throws CommandFailed or ContentProblem
 */
export async function readLocalContent(path: string): Promise<LocalContent> {
  if (path === STDIN) return detectContent(await readStdin())
  const stats = statOf(path)
  if (stats.isDirectory()) return readFolder(path)
  if (!stats.isFile()) throw new CommandFailed(`${oneLine(path)} is neither a file nor a folder.`)
  assertNotTooLarge(path, stats.size)
  const name = basename(path)
  switch (formatOf(name)) {
    case 'html':
      return { kind: 'html', bytes: readFile(path) }
    case 'markdown':
      return { kind: 'html', bytes: await markdownPage(readFile(path).toString(), name) }
    case 'file':
      return { kind: 'file', name, bytes: readFile(path) }
    case 'zip':
      return readZip(path, readFile(path))
    default:
      return filePage(name, readFile(path))
  }
}

/** @throws CommandFailed if the path does not exist or cannot be read */
export function isFolder(path: string): boolean {
  return path !== STDIN && statOf(path).isDirectory()
}

function statOf(path: string): Stats {
  try {
    return statSync(path)
  } catch (err) {
    throw new CommandFailed(`Cannot read ${oneLine(path)}: ${describeFileError(err)}.`)
  }
}

function readFile(path: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path)
  } catch (err) {
    throw new CommandFailed(`Cannot read ${oneLine(path)}: ${describeFileError(err)}.`)
  }
}

function assertNotTooLarge(path: string, sizeBytes: number): void {
  if (sizeBytes <= MAX_BYTES) return
  const { size, limit } = besideLimit(sizeBytes, MAX_BYTES)
  throw new CommandFailed(`${oneLine(path)} is ${size}; the most is ${limit}.`)
}

async function readStdin(): Promise<Bytes> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    sizeBytes += piece.byteLength
    assertNotTooLarge('Standard input', sizeBytes)
    pieces.push(piece)
  }
  if (sizeBytes === 0) throw new CommandFailed('Standard input is empty: nothing to publish.')
  return Buffer.concat(pieces) as Bytes
}

const SIGNATURES: [extension: string, bytes: string, offset?: number][] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG'],
  ['jpg', '\xff\xd8\xff'],
  ['gif', 'GIF8'],
  ['webp', 'WEBP', 8],
  ['zip', 'PK\x03\x04'],
]

/** Detects the type of unnamed content by its first bytes. Anything unknown is HTML. */
async function detectContent(bytes: Bytes): Promise<LocalContent> {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const extension = SIGNATURES.find(([, start, offset = 0]) => head.startsWith(start, offset))?.[0]
  if (extension === undefined) return { kind: 'html', bytes }
  if (extension === 'zip') return readZip('Standard input', bytes)
  return { kind: 'file', name: `stdin.${extension}`, bytes }
}

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
