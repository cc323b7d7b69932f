import { randomBytes } from 'node:crypto'
import { mkdirSync, type Stats } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ByteRange } from '../../model/download.ts'
import { type Files, statOf, syncPath, writeSynced } from '../durable-files.ts'
import { loadOnce } from '../promises.ts'
import { assertBlobKey, assertByteRange, BlobDamaged, type Blobs, isBlobKey } from './index.ts'

const UNFINISHED = 'tmp'

/**
 * Keeps blobs as files in a folder, in subfolders by the first two characters of their keys. A
 * write goes to a temporary file, which is synced and renamed; then the folders are synced. So
 * after a crash of the operating system a blob is complete or not there.
 *
 * @param folder absolute; made if missing
 */
export function diskBlobs(folder: string, files: Files = nodeFiles): Blobs {
  const unfinished = join(folder, UNFINISHED)
  mkdirSync(unfinished, { recursive: true })
  const pathOf = (key: string) => {
    assertBlobKey(key)
    return join(folder, key.slice(0, 2), key)
  }
  const prepareFolder = durableFolders(folder, files)

  return {
    async open({ key }, range, signal) {
      assertByteRange(range)
      const path = pathOf(key)
      signal?.throwIfAborted()
      assertHolds(await statOf(path), key, range)
      signal?.throwIfAborted()
      return Bun.file(path).slice(range.start, range.end)
    },
    async put(key, content) {
      const path = pathOf(key)
      let file = join(unfinished, randomBytes(12).toString('hex'))
      try {
        await writeSynced(file, content, files)
        await prepareFolder(dirname(path))
        await files.rename(file, path)
        file = path
        await syncPath(dirname(path), files)
      } catch (err) {
        await files.rm(file, { force: true })
        throw err
      }
    },
    has: async (key) => (await statOf(pathOf(key))) !== null,
    async delete(keys) {
      for (const key of keys) await files.rm(pathOf(key), { force: true })
    },
    list: () => listBlobs(folder),
    async deleteUnfinished(beforeMs) {
      let deleted = 0
      for (const name of await nodeFiles.readdir(unfinished)) {
        const partial = join(unfinished, name)
        const stats = await statOf(partial)
        if (stats === null || stats.mtimeMs >= beforeMs) continue
        await files.rm(partial, { force: true })
        deleted += 1
      }
      return deleted
    },
    isAvailable: async () => true,
  }
}

function assertHolds(stats: Stats | null, key: string, { end }: ByteRange): void {
  if (stats === null) throw new BlobDamaged(`Blob ${key} is missing: do all nodes share it?`)
  if (stats.size < end) throw new BlobDamaged(`Blob ${key} has ${stats.size} bytes, not ${end}`)
}

async function* listBlobs(folder: string) {
  for (const shard of await nodeFiles.readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue
    for (const key of await nodeFiles.readdir(join(folder, shard))) {
      if (!isBlobKey(key) || !key.startsWith(shard)) continue
      const stats = await statOf(join(folder, shard, key))
      if (stats !== null) yield { key, writtenMs: stats.mtimeMs }
    }
  }
}

/**
 * Makes a subfolder durable once per process, however many puts want it at the same time: its entry
 * in the parent folder is synced even where an earlier process made it and crashed before that.
 */
function durableFolders(parent: string, files: Files): (path: string) => Promise<void> {
  const durable = new Map<string, () => Promise<void>>()
  async function make(path: string): Promise<void> {
    await files.mkdir(path, { recursive: true })
    await syncPath(parent, files)
    await syncPath(dirname(parent), files)
  }
  return (path) => durable.getOrInsertComputed(path, () => loadOnce(() => make(path)))()
}
