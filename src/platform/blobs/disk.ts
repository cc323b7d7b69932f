import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Blobs } from './index.ts'

/**
 * Files in a folder. A write goes to a temporary name, is synced, renamed, and its folder synced:
 * after a crash a key is either whole or not there.
 *
 * @param folder absolute; made if missing
 */
export function diskBlobs(folder: string): Blobs {
  const tmp = join(folder, 'tmp')
  mkdirSync(tmp, { recursive: true })
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key)

  async function putStream(key: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    const half = join(tmp, randomBytes(12).toString('hex'))
    try {
      await writeSynced(half, chunks)
      const path = pathOf(key)
      const made = await mkdir(dirname(path), { recursive: true })
      await rename(half, path)
      await syncFolder(dirname(path))
      if (made !== undefined) await syncFolder(folder)
    } catch (err) {
      await rm(half, { force: true })
      throw err
    }
  }

  return {
    put: (key, bytes) => putStream(key, [bytes]),
    putStream,
    get: (key) => Bun.file(pathOf(key)),
    async sizeOf(key) {
      try {
        return (await stat(pathOf(key))).size
      } catch (err) {
        if (isMissing(err)) return null
        throw err
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async deleteUnfinished(beforeMs) {
      let deleted = 0
      for (const name of await readdir(tmp)) {
        const half = join(tmp, name)
        if ((await writtenAt(half)) >= beforeMs) continue
        await rm(half, { force: true })
        deleted += 1
      }
      return deleted
    },
    async *list() {
      for (const shard of await readdir(folder)) {
        if (shard === 'tmp') continue
        for (const key of await readdir(join(folder, shard))) {
          const { mtimeMs } = await stat(pathOf(key))
          yield { key, writtenMs: mtimeMs }
        }
      }
    },
  }
}

async function writeSynced(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) await writeAll(file, chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength; ) {
    offset += (await file.write(chunk, offset)).bytesWritten
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** In milliseconds since the epoch; of a file that has just been renamed, never. */
async function writtenAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (err) {
    if (isMissing(err)) return Infinity
    throw err
  }
}

function isMissing(err: unknown): boolean {
  return (err as NodeJS.ErrnoException).code === 'ENOENT'
}
