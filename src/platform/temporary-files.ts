import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteRange } from '../model/download.ts'
import { writeAll } from './durable-files.ts'

/**
 * Temporary files in a folder, which store bytes outside of memory for a short time. A file is
 * deleted as soon as it is open: no other process can open it, and the operating system frees its
 * space even if this process is killed.
 *
 * @param folder made if missing; what an earlier process left in it is deleted
 */
export function createTemporaryFiles(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
  return {
    async create() {
      const path = join(folder, randomBytes(12).toString('hex'))
      const file = await open(path, 'wx+', 0o600)
      // Another process that starts now may have deleted it already.
      await rm(path, { force: true })
      return {
        append: (bytes: Uint8Array) => writeAll(file, bytes),
        /** Fills the target with the bytes from a position on. @throws Error if there are fewer */
        async readAt(target: Uint8Array, position: number): Promise<void> {
          for (let at = 0; at < target.byteLength; ) {
            const length = target.byteLength - at
            const { bytesRead } = await file.read(target, at, length, position + at)
            if (bytesRead === 0) throw new Error('A temporary file is shorter than it was')
            at += bytesRead
          }
        },
        /** Frees the space. */
        close: () => file.close(),
      }
    },
  }
}
export type TemporaryFiles = ReturnType<typeof createTemporaryFiles>
export type TemporaryFile = Awaited<ReturnType<TemporaryFiles['create']>>

/** Writes all that comes. @returns how many bytes it was */
export async function appendAll(
  file: Pick<TemporaryFile, 'append'>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  let sizeBytes = 0
  for await (const chunk of chunks) {
    await file.append(chunk)
    sizeBytes += chunk.byteLength
  }
  return sizeBytes
}

const PIECE_BYTES = 256 * 1024

/** The bytes from `start` to `end`, piece by piece. */
export async function* piecesOf(
  file: Pick<TemporaryFile, 'readAt'>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += PIECE_BYTES) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, end - at))
    await file.readAt(piece, at)
    yield piece
  }
}
