import { LRUCache } from 'lru-cache'
import type { ManifestFile } from '../../model/manifest.ts'
import type { PassagesDeps } from './passages.ts'

const MAX_FILES = 1000

/** The most sheets that a stored PDF can have; null where it does not say so readably. */
export type SheetsOf = (file: Pick<ManifestFile, 'hash' | 'size_bytes'>) => Promise<number | null>

export function createSheetsOf({ bytes, work, holdMemory }: PassagesDeps): SheetsOf {
  /** By the hash of their file. */
  const counted = new LRUCache<string, { sheets: number | null }>({ max: MAX_FILES })

  return async ({ hash, size_bytes }) => {
    const known = counted.get(hash)
    if (known !== undefined) return known.sheets
    const sheets = await holdMemory(size_bytes, async () =>
      work.run('countSheets', { bytes: await bytes(hash) }),
    )
    counted.set(hash, { sheets })
    return sheets
  }
}
