import { readFileSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { FILE_EXTENSIONS } from '../../src/model/file-types.ts'
import { inMegabytes } from '../../src/model/plan.ts'
import { reasonOf } from '../files.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { readFolder } from './folder.ts'
import { type Bytes, extensionOf, isHtmlName, MAX_BYTES, type Source } from './source.ts'
import { readZip } from './zip.ts'

export type { Bytes, Item, LeftOut, Source } from './source.ts'

export const STDIN = '-'

/** What a path holds, or `-` for standard input. @throws CommandFailed */
export async function readSource(path: string): Promise<Source> {
  if (path === STDIN) return sourceIn(await readStdin())
  const facts = factsOf(path)
  if (facts.isDirectory()) return readFolder(path)
  if (!facts.isFile()) throw new CommandFailed(`${oneLine(path)} is neither a file nor a folder.`)
  assertNotTooLarge(path, facts.size)
  const name = basename(path)
  if (isHtmlName(name)) return { kind: 'html', bytes: readWhole(path) }
  if ((FILE_EXTENSIONS as readonly string[]).includes(extensionOf(name))) {
    return { kind: 'file', name, bytes: readWhole(path) }
  }
  if (extensionOf(name) === 'zip') return readZip(path, readWhole(path))
  throw new CommandFailed(
    `${oneLine(path)} cannot be published: name HTML, a PDF, an image, a zip or a folder. ` +
      'Documents of other kinds can be saved as a PDF first.',
  )
}

/** @throws CommandFailed where there is nothing, or nothing one may look at */
export function isFolder(path: string): boolean {
  return path !== STDIN && factsOf(path).isDirectory()
}

function factsOf(path: string): Stats {
  try {
    return statSync(path)
  } catch (err) {
    throw new CommandFailed(`Cannot read ${oneLine(path)}: ${reasonOf(err)}.`)
  }
}

function readWhole(path: string): Bytes {
  try {
    return readFileSync(path) as Bytes
  } catch (err) {
    throw new CommandFailed(`Cannot read ${oneLine(path)}: ${reasonOf(err)}.`)
  }
}

function assertNotTooLarge(path: string, sizeBytes: number): void {
  if (sizeBytes <= MAX_BYTES) return
  throw new CommandFailed(
    `${oneLine(path)} is ${inMegabytes(sizeBytes)}; the most is ${inMegabytes(MAX_BYTES)}.`,
  )
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

const STARTS: [extension: string, starts: string, at?: number][] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG'],
  ['jpg', '\xff\xd8\xff'],
  ['gif', 'GIF8'],
  ['webp', 'WEBP', 8],
  ['zip', 'PK\x03\x04'],
]

/** What came without a name is known by how it starts; all else is HTML. */
async function sourceIn(bytes: Bytes): Promise<Source> {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const extension = STARTS.find(([, starts, at = 0]) => head.startsWith(starts, at))?.[0]
  if (extension === undefined) return { kind: 'html', bytes }
  if (extension === 'zip') return readZip('Standard input', bytes)
  return { kind: 'file', name: `stdin.${extension}`, bytes }
}
