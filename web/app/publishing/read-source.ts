import { createDeckBuilder } from '../../../src/client/content/deck-builder.ts'
import {
  type Bytes,
  ContentProblem,
  formatOf,
  type LocalContent,
  MAX_BYTES,
} from '../../../src/client/content/local-content.ts'
import { besideLimit } from '../../../src/model/plan.ts'
import type { FoundFile, Source } from './sources.ts'

/**
 * Reads what is to be published into memory, by the rules of the command line.
 *
 * @throws ContentProblem
 */
export async function readSource({ name, files, isFolder }: Source): Promise<LocalContent> {
  if (isFolder) return readFolder(name, files)
  const { file } = files[0]!
  const format = formatOf(name)
  if (file.size > MAX_BYTES) {
    const { size, limit } = besideLimit(file.size, MAX_BYTES)
    throw new ContentProblem(`${name} is ${size}; the most is ${limit}.`)
  }
  const bytes = await bytesOf(file)
  if (format === 'html') return { kind: 'html', bytes }
  if (format === 'file') return { kind: 'file', name, bytes }
  if (format === 'zip') {
    const { readZip } = await import('../../../src/client/content/zip.ts')
    return readZip(name, bytes)
  }
  if (format === 'other') {
    const { filePage } = await import('../../../src/client/content/file-page.ts')
    return filePage(name, bytes)
  }
  const { markdownPage } = await import('../../../src/client/content/markdown.ts')
  return { kind: 'html', bytes: await markdownPage(new TextDecoder().decode(bytes), name) }
}

async function readFolder(name: string, files: readonly FoundFile[]): Promise<LocalContent> {
  const deck = createDeckBuilder(name)
  for (const { path, file } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!deck.accepts(path)) continue
    deck.reserve(file.size)
    deck.add({ path, bytes: await bytesOf(file) })
  }
  return deck.build()
}

async function bytesOf(file: File): Promise<Bytes> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new ContentProblem(`${file.name} cannot be read. If it has moved, choose it again.`)
  }
}
