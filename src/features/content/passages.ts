import { LRUCache } from 'lru-cache'
import type { ManifestFile } from '../../model/manifest.ts'
import { takeTurn } from '../../platform/promises.ts'
import { type FoundPassage, findIn, type PassageQuery } from './html/find-passages.ts'
import { type PageText, readPageText } from './html/page-text.ts'
import { type ContentMemory, type ContentWork, DIRECT_BYTES } from './work.ts'

/** Of the texts in memory; their offsets take four times as much. */
const MAX_TEXT_CHARS = 16 * 1024 * 1024
/** How many one thread looks for before other work has its turn. */
const QUERIES = 200
/** So many are looked for in small HTML in one turn of the event loop. */
const TURN_QUERIES = 25

export interface PassagesDeps {
  /** The bytes of a file by its hash. */
  bytes(hash: string): Promise<Uint8Array>
  work: Pick<ContentWork, 'run'>
  holdMemory: ContentMemory['hold']
}

/**
 * Finds passages in the text of a stored HTML file, in a thread where it is large.
 *
 * @returns for each query in their order; null where it is not there
 */
export type FindPassages = (
  file: Pick<ManifestFile, 'hash' | 'size_bytes'>,
  queries: readonly PassageQuery[],
) => Promise<(FoundPassage | null)[]>

export function createFindPassages({ bytes, work, holdMemory }: PassagesDeps): FindPassages {
  /** By the hash of their file. */
  const texts = new LRUCache<string, PageText>({
    maxSize: MAX_TEXT_CHARS,
    sizeCalculation: ({ text }) => text.length + 1,
    async fetchMethod(hash) {
      const html = await bytes(hash)
      await takeTurn()
      return readPageText(html)
    },
  })

  async function findInSmall(hash: string, queries: readonly PassageQuery[]) {
    const page = (await texts.fetch(hash))!
    const passages: (FoundPassage | null)[] = []
    for (const query of queries) {
      await takeTurn(1 / TURN_QUERIES)
      passages.push(findIn(page, query))
    }
    return passages
  }

  return async ({ hash, size_bytes }, queries) => {
    if (size_bytes <= DIRECT_BYTES) return findInSmall(hash, queries)
    const passages: (FoundPassage | null)[] = []
    for (let at = 0; at < queries.length; at += QUERIES) {
      const part = queries.slice(at, at + QUERIES)
      const search = async () =>
        work.run('findPassages', { bytes: await bytes(hash), queries: part })
      passages.push(...(await holdMemory(size_bytes, search)))
    }
    return passages
  }
}
