import { DeckBuilder } from '../../../src/client/content/deck-builder.ts'
import { ContentProblem, type LocalContent } from '../../../src/client/content/local-content.ts'
import { contentOfFile } from '../../../src/client/content/single-file.ts'
import type { Source } from './sources.ts'

/**
 * Makes content of what is to be published, by the rules of the command line.
 *
 * @throws ContentProblem
 */
export async function readSource({ name, files, isFolder }: Source): Promise<LocalContent> {
  if (!isFolder) return contentOfFile(name, await readable(files[0]!.file))
  const deck = new DeckBuilder(name)
  for (const { path, file } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (deck.accepts(path)) deck.add({ path, blob: await readable(file) })
  }
  return deck.build()
}

async function readable(file: File): Promise<Blob> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return file
  } catch {
    throw new ContentProblem(`${file.name} cannot be read. If it has moved, choose it again.`)
  }
}
