import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { diskSpace } from '../../content-space.ts'
import { acquireLock } from '../../data-folder.ts'

const MAX_BYTES = 2 * 1024 ** 3
/** The part of the disk's free space that the cache may take at most. */
const FREE_SHARE = 0.25
/** A response opens its file shortly after it got the path, so a removed file is deleted later. */
const REMOVE_AFTER_MS = 5000

/**
 * Copies of large objects on the local disk, those that were used last. Responses are sent from
 * them as from files of the disk backend: with their length, in ranges, without a copy in memory,
 * and after the whole object was compared with its hash.
 *
 * Each process has a folder of its own in `folder`, which the next one deletes.
 *
 * @param maxBytes for tests
 */
export function createFileCache(folder: string, maxBytes?: number) {
  let ownFolder: ReturnType<typeof openFolder> | undefined
  /** Made for the first file: most commands of an operator read none. */
  function own() {
    ownFolder ??= openFolder(folder)
    return ownFolder
  }
  const removals = new Map<string, Timer>()
  const filling = new Map<string, Promise<string>>()

  function removeSoon(path: string): void {
    async function remove(): Promise<void> {
      removals.delete(path)
      await rm(path, { force: true })
    }
    removals.set(path, setTimeout(remove, REMOVE_AFTER_MS).unref())
  }
  let cache: LRUCache<string, string> | undefined
  function files() {
    cache ??= new LRUCache({ maxSize: maxBytes ?? maxBytesIn(own().path), dispose: removeSoon })
    return cache
  }

  async function fillNew(key: string, sizeBytes: number, fill: (path: string) => Promise<void>) {
    const name = randomBytes(12).toString('hex')
    const path = join(own().path, name)
    const unfinished = `${path}.tmp`
    try {
      await fill(unfinished)
      await rename(unfinished, path)
    } catch (err) {
      await rm(unfinished, { force: true })
      throw err
    }
    files().set(key, path, { size: Math.max(1, sizeBytes) })
    // A file that is larger than the cache is sent once.
    if (!files().has(key)) removeSoon(path)
    return path
  }

  return {
    has: (key: string) => cache?.has(key) === true,
    /**
     * @param fill writes the file to a path, where the cache has none; called once for all who wait
     * @returns the path of the file, which is to be opened at once
     */
    file(key: string, sizeBytes: number, fill: (path: string) => Promise<void>) {
      const path = files().get(key)
      if (path !== undefined) return Promise.resolve(path)
      return filling.getOrInsertComputed(key, () =>
        fillNew(key, sizeBytes, fill).finally(() => filling.delete(key)),
      )
    },
    delete(keys: readonly string[]) {
      for (const key of keys) cache?.delete(key)
    },
    /** Deletes the folder. Writes in progress fail. */
    close() {
      for (const timer of removals.values()) clearTimeout(timer)
      ownFolder?.remove()
    },
  }
}

/**
 * Makes a folder for this process, and deletes those of processes that have ended. The lock is
 * there before the folder, so that no other process takes the folder for a left one.
 */
function openFolder(parent: string) {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(parent)) {
    if (name.endsWith('.lock')) continue
    const lock = acquireLock(join(parent, `${name}.lock`))
    if (lock === null) continue
    removeFolder(join(parent, name), lock)
  }
  const path = join(parent, randomBytes(8).toString('hex'))
  const lock = acquireLock(`${path}.lock`)!
  mkdirSync(path, { mode: 0o700 })
  return { path, remove: () => removeFolder(path, lock) }
}

function removeFolder(path: string, lock: { release(): void }): void {
  rmSync(path, { recursive: true, force: true })
  lock.release()
  rmSync(`${path}.lock`, { force: true })
}

function maxBytesIn(folder: string): number {
  return Math.max(1, Math.min(MAX_BYTES, Math.floor(diskSpace(folder).free_bytes * FREE_SHARE)))
}
