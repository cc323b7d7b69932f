import { closeSync, fstatSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
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
 * @param diskOf takes about a microsecond, so that each write may ask
 */
export function createContentSpace(folder: string, diskOf = diskSpace) {
  function freeBytes(): number {
    const disk = diskOf(folder)
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

/** Enough for the log of a transaction that deletes much. */
const DEFAULT_BYTES = 4 * 1024 * 1024
const PIECE = new Uint8Array(64 * 1024)

/**
 * A file that reserves disk space. It is deleted when the disk is full, so that deletions still
 * work.
 */
export function createSpaceReserve(path: string, bytes = DEFAULT_BYTES) {
  const sizeNow = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    /** Makes the file as large as it should be, or as there is space for. */
    fill() {
      if (sizeNow() >= bytes) return
      try {
        append(path, bytes)
      } catch {
        // The disk is full, so the reserve stays as large as it could become.
      }
    },
    /** Deletes the file. @returns false where there was nothing to give up */
    giveUp() {
      const size = sizeNow()
      rmSync(path, { force: true })
      return size > 0
    },
  }
}
export type SpaceReserve = ReturnType<typeof createSpaceReserve>

/** Writes every byte: a file with holes would reserve nothing. */
function append(path: string, bytes: number): void {
  const file = openSync(path, 'a', 0o600)
  try {
    for (let size = fstatSync(file).size; size < bytes; ) {
      size += writeSync(file, PIECE, 0, Math.min(PIECE.byteLength, bytes - size))
    }
  } finally {
    closeSync(file)
  }
}
