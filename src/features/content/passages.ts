import type { ManifestFile } from '../../model/manifest.ts'
import { takeTurn } from '../../platform/promises.ts'
import { type FoundPassage, findIn, type PassageQuery } from './html/find-passages.ts'
import { readPageText } from './html/page-text.ts'
import { type ContentMemory, type ContentWork, DIRECT_BYTES } from './work.ts'

/** How many one thread looks for before other work has its turn. */
const QUERIES = 200
/** So many are looked for in small HTML in one turn of the event loop. */
const TURN_QUERIES = 25

export interface PassagesDeps {
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
  async function findInSmall(hash: string, queries: readonly PassageQuery[]) {
    const html = await bytes(hash)
    await takeTurn()
    const page = readPageText(html)
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
