import type { ManifestFile } from '../../model/manifest.ts'
import type { FoundPassage, PassageQuery } from './html/find-passages.ts'
import { type ContentMemory, type ContentWork, DIRECT_BYTES } from './work.ts'

/** How many are looked for before other work has its turn: by a thread, or in small HTML. */
const QUERIES = 200
const QUERIES_OF_SMALL = 25

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
  return async ({ hash, size_bytes }, queries) => {
    const most = size_bytes <= DIRECT_BYTES ? QUERIES_OF_SMALL : QUERIES
    const passages: (FoundPassage | null)[] = []
    for (let at = 0; at < queries.length; at += most) {
      const part = queries.slice(at, at + most)
      const search = async () =>
        work.run('findPassages', { bytes: await bytes(hash), queries: part })
      passages.push(...(await holdMemory(size_bytes, search)))
    }
    return passages
  }
}
