import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

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
