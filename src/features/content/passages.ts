import type { ManifestFile } from '../../model/manifest.ts'
import { inChunks } from '../../platform/db/rows.ts'
import type { FoundPassage, PassageQuery } from './html/find-passages.ts'
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

export function createFindPassages({ bytes, work, holdMemory }: PassagesDeps) {
  /**
   * Finds passages in the text of a stored HTML file, in a thread where it is large.
   *
   * @returns for each query in their order; null where it is not there
   */
  return async (
    { hash, size_bytes }: Pick<ManifestFile, 'hash' | 'size_bytes'>,
    all: readonly PassageQuery[],
  ): Promise<(FoundPassage | null)[]> => {
    const passages: (FoundPassage | null)[] = []
    for (const queries of inChunks(all, size_bytes <= DIRECT_BYTES ? TURN_QUERIES : QUERIES)) {
      const search = async () => work.run('findPassages', { bytes: await bytes(hash), queries })
      passages.push(...(await holdMemory(size_bytes, search)))
    }
    return passages
  }
}
