import { readFileSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import {
  type Bytes,
  cannotPublish,
  formatOf,
  type LocalContent,
  MAX_BYTES,
} from '../../src/client/content/local-content.ts'
import { markdownPage } from '../../src/client/content/markdown.ts'
import { readZip } from '../../src/client/content/zip.ts'
import { besideLimit } from '../../src/model/plan.ts'
import { describeFileError } from '../json-files.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { readFolder } from './folder.ts'

export type { LocalContent, SkippedFile } from '../../src/client/content/local-content.ts'

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
      throw cannotPublish(path)
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
