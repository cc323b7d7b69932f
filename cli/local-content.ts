import {
  accessSync,
  constants,
  type Dirent,
  openAsBlob,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, posix, sep } from 'node:path'
import { DeckBuilder } from '../src/client/content/deck-builder.ts'
import { isPage, referencesIn } from '../src/client/content/left-out.ts'
import { type DeckFile, type LocalContent, MAX_BYTES } from '../src/client/content/local-content.ts'
import { contentOfFile } from '../src/client/content/single-file.ts'
import { signatureOf } from '../src/model/file-types.ts'
import { isMarkdownName, pathInDeck } from '../src/model/markdown/source.ts'
import { besideLimit } from '../src/model/plan.ts'
import { piecesOf, sha256Of } from './content.ts'
import { describeFileError, unreadable } from './json-files.ts'
import { CommandFailed, oneLine } from './output.ts'

export const STDIN = '-'

/**
 * Reads a file, a folder or an archive; `-` is standard input. A page takes along what it uses of
 * its folder, unless it is to be alone.
 *
 * @throws CommandFailed or ContentProblem
 */
export async function readLocalContent(path: string, isAlone = false): Promise<LocalContent> {
  if (path === STDIN) return contentOfStdin(await readStdin())
  const stats = statOf(path)
  if (stats.isDirectory()) return readFolder(path)
  if (!stats.isFile()) throw new CommandFailed(`${oneLine(path)} is neither a file nor a folder.`)
  const content = await contentOfFile(basename(path), await readableFile(path))
  return content.kind === 'html' && !isAlone ? withFilesBeside(path, content) : content
}

/** @throws CommandFailed if the path does not exist or cannot be read */
export function isFolder(path: string): boolean {
  return path !== STDIN && statOf(path).isDirectory()
}

function statOf(path: string): Stats {
  try {
    return statSync(path)
  } catch (err) {
    throw unreadable(path, err)
  }
}

/** @throws CommandFailed */
export async function readableFile(path: string): Promise<Blob> {
  return fileAt(path).catch((err: unknown) => {
    throw unreadable(path, err)
  })
}

/** A file that is read when it is sent, so that a large folder does not fill the memory. */
async function fileAt(path: string): Promise<Blob> {
  accessSync(path, constants.R_OK)
  if (statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' })
  return openAsBlob(path)
}

/** @throws CommandFailed if standard input is empty or larger than anything that can be sent */
export async function readStdin(): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    sizeBytes += piece.byteLength
    if (sizeBytes > MAX_BYTES) {
      const { size, limit } = besideLimit(sizeBytes, MAX_BYTES)
      throw new CommandFailed(`Standard input is ${size}; the most is ${limit}.`)
    }
    pieces.push(piece)
  }
  if (sizeBytes === 0) throw new CommandFailed('Standard input is empty: there is nothing to send.')
  return Buffer.concat(pieces)
}

/** Detects the type of unnamed content by its first bytes. Anything unknown is HTML. */
async function contentOfStdin(bytes: Buffer<ArrayBuffer>): Promise<LocalContent> {
  const isZip = bytes.toString('latin1', 0, 4) === 'PK\x03\x04'
  const extension = isZip ? 'zip' : signatureOf(bytes)
  const blob = new Blob([bytes])
  return extension === null ? { kind: 'html', blob } : contentOfFile(`stdin.${extension}`, blob)
}

/** Reads a folder as a deck. Symbolic links out of the folder are never followed. */
async function readFolder(folder: string): Promise<LocalContent> {
  const deck = new DeckBuilder(folder)
  await walk({ root: realpathSync(folder), deck }, '')
  return deck.build()
}

interface Walk {
  root: string
  deck: DeckBuilder
}

async function walk(context: Walk, path: string): Promise<void> {
  const { root, deck } = context
  for (const entry of sortedEntries(join(root, path), path, deck)) {
    const child = path === '' ? entry.name : `${path}/${entry.name}`
    const isFolder = entry.isDirectory()
    if (!deck.accepts(isFolder ? `${child}/` : child)) continue
    const file = isFolder ? await walk(context, child) : await openFile(context, child)
    if (file) deck.add(file)
  }
}

/** Sorts by name, so that the same folder gives the same deck on every file system. */
function sortedEntries(folder: string, path: string, deck: DeckBuilder): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (err) {
    if (path === '') throw unreadable(folder, err)
    deck.skip(`${path}/`, `cannot be read: ${describeFileError(err)}`)
    return []
  }
}

/** Null for a file that is skipped. */
async function openFile({ root, deck }: Walk, path: string): Promise<DeckFile | null> {
  try {
    const real = realpathSync(join(root, path))
    const problem = problemOf(root, real)
    if (problem === null) return { path, blob: await fileAt(real) }
    deck.skip(path, problem)
  } catch (err) {
    deck.skip(path, `cannot be read: ${describeFileError(err)}`)
  }
  return null
}

/** Why the file that a path leads to is not a part of the folder; null if it is one. */
function problemOf(root: string, real: string): string | null {
  if (!real.startsWith(root + sep)) return 'it links out of the folder'
  const parts = real.slice(root.length).split(sep)
  if (parts.some((part) => part.startsWith('.'))) {
    return 'it links to a file whose name starts with a dot'
  }
  return statSync(real).isFile() ? null : 'it is not a file'
}

/**
 * The page as a deck with the files below its folder that it refers to, and that these do; as it is
 * where there are none.
 */
async function withFilesBeside(
  path: string,
  page: LocalContent & { kind: 'html' },
): Promise<LocalContent> {
  const name = basename(path)
  const root = realpathSync(dirname(path))
  const deck = new DeckBuilder(name)
  const files: DeckFile[] = [{ path: name, blob: page.blob }]
  const paths = new Set([name])
  for (const file of files) {
    deck.add(file)
    const isScript = /\.m?js$/i.test(file.path)
    if (!isPage(file.path) && !isScript && !/\.(?:css|svg)$/i.test(file.path)) continue
    // What a script imports is beside it, and what it fetches beside the page.
    const bases = isScript ? [file.path, name] : [file.path]
    for (const { reference, isLoaded } of await referencesIn(file.blob)) {
      const targets = bases.map((base) => pathBeside(reference, base))
      const target = targets.find((each) => each !== null && isFile(join(root, each)))
      if (!target || paths.has(target)) continue
      // Other pages are taken in frames alone: a link may lead to all of a site.
      if (isPage(target) && (!isLoaded || isMarkdownName(name))) continue
      paths.add(target)
      const isOutside = target.startsWith('../')
      if (isOutside) deck.skip(target, 'it is outside of the folder of the page')
      const linkedFile =
        !isOutside && deck.accepts(target) ? await openFile({ root, deck }, target) : null
      if (linkedFile !== null) files.push(linkedFile)
    }
  }
  const content = await deck.build()
  return files.length > 1 ? { ...content, entry: name } : { ...page, skipped: content.skipped }
}

/** The path from the folder that a reference means, with `../` where it leads out; or null. */
function pathBeside(reference: string, from: string): string | null {
  const isRooted = /^[\s\0-\x20]*[\\/]/.test(reference)
  const inside = isRooted ? '' : 'beside/'
  const path = pathInDeck(reference, inside + from)
  if (path === null) return null
  if (path.startsWith(inside)) return posix.normalize(path.slice(inside.length))
  const [written = ''] = reference.trim().split(/[?#]/, 1)
  return posix.join(posix.dirname(from), written)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** What tells one state of the files that are content from another, by their paths. */
export type Stamps = ReadonlyMap<string, string>

/** @throws CommandFailed or ContentProblem */
export async function stampsOf(path: string, isAlone: boolean): Promise<Stamps> {
  // What is in a zip changes with it.
  const isRead = isFolder(path) || isPage(path)
  const local = isRead ? await readLocalContent(path, isAlone) : null
  const files = local?.kind === 'deck' ? [...local.pages, ...local.assets] : []
  const paths = files.length === 0 ? [basename(path)] : files.map((file) => file.path)
  return new Map(
    paths.map((name) => {
      const { ino, size, mtimeMs } = statOf(join(folderOf(path), name))
      return [name, `${ino} ${size} ${mtimeMs}`]
    }),
  )
}

/** The SHA-256 of the same files. Those whose stamp is still the last one are not read. */
export async function hashesOf(
  path: string,
  stamps: Stamps,
  last?: { stamps: Stamps; hashes: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  for (const [name, stamp] of stamps) {
    const cached = last?.stamps.get(name) === stamp ? last.hashes.get(name) : undefined
    const read = async () => sha256Of(piecesOf(await readableFile(join(folderOf(path), name))))
    hashes.set(name, cached ?? (await read()))
  }
  return hashes
}

function folderOf(path: string): string {
  return isFolder(path) ? path : dirname(path)
}
