import { statfsSync } from 'node:fs'
import { storageFull } from './outages.ts'
import type { TemporaryFiles } from './temporary-files.ts'

export interface DiskSpace {
  free_bytes: number
  total_bytes: number
}

const MAX_RESERVE_BYTES = 1024 ** 3

/**
 * The part of a disk that no content takes: a twentieth of it, up to 1 GB. Sign-in, views, deletes
 * and changes of access go on there.
 */
export function reserveOf({ total_bytes: total }: DiskSpace): number {
  return Math.min(MAX_RESERVE_BYTES, total / 20)
}

/**
 * The space that content may take on the disk of the data folder.
 *
 * @param readDisk takes about a microsecond, so that each write may ask
 */
export function createContentSpace(readDisk: () => DiskSpace) {
  function freeBytes(): number {
    const disk = readDisk()
    return disk.free_bytes - reserveOf(disk)
  }
  return {
    /** What is left of it; less than 0 where the reserve is used. */
    freeBytes,
    /**
     * Everything that stores content calls it first: pages, uploads, responses, comments, imports.
     *
     * @throws Refusal `storage_full`
     */
    assertFits(bytes: number) {
      if (freeBytes() < bytes) throw storageFull()
    },
  }
}
export type ContentSpace = ReturnType<typeof createContentSpace>

export function diskSpace(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

/** The same files, which take no more than content may. */
export function withinSpace(files: TemporaryFiles, space: ContentSpace): TemporaryFiles {
  return {
    async create() {
      const file = await files.create()
      return {
        ...file,
        async append(bytes) {
          space.assertFits(bytes.byteLength)
          await file.append(bytes)
        },
      }
    },
  }
}
