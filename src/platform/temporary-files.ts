import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAll } from './durable-files.ts'

/** Stores bytes outside of memory for a short time. The file does not survive the process. */
export interface TemporaryFiles {
  create(): Promise<TemporaryFile>
}

export interface TemporaryFile {
  append(bytes: Uint8Array): Promise<void>
  /** Fills the target with the bytes from a position on. @throws Error when there are fewer */
  readAt(target: Uint8Array, position: number): Promise<void>
  /** The same without awaiting it, for what runs in a transaction. */
  readAtSync(target: Uint8Array, position: number): void
  /** Frees the space. */
  close(): Promise<void>
}

/**
 * Temporary files in a folder. A file is deleted as soon as it is open: no other process can open
 * it, and the operating system frees its space even if this process is killed.
 *
 * @param folder made if missing; what an earlier process left in it is deleted
 */
export function createTemporaryFiles(folder: string): TemporaryFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
  return {
    async create() {
      const path = join(folder, randomBytes(12).toString('hex'))
      const file = await open(path, 'wx+', 0o600)
      // Another process that starts now may have deleted it already.
      await rm(path, { force: true })
      return {
        append: (bytes) => writeAll(file, bytes),
        async readAt(target, position) {
          for (let at = 0; at < target.byteLength; ) {
            const length = target.byteLength - at
            const { bytesRead } = await file.read(target, at, length, position + at)
            if (bytesRead === 0) throw tooShort()
            at += bytesRead
          }
        },
        readAtSync(target, position) {
          for (let at = 0; at < target.byteLength; ) {
            const bytesRead = readSync(file.fd, target, at, target.byteLength - at, position + at)
            if (bytesRead === 0) throw tooShort()
            at += bytesRead
          }
        },
        close: () => file.close(),
      }
    },
  }
}

function tooShort(): Error {
  return new Error('A temporary file is shorter than it was')
}
