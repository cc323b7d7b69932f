import { Database } from 'bun:sqlite'
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes the data folder if it is missing, and lets only its owner read it and the files directly in
 * it: database, key, outbox. A folder that was made beforehand is often open to every account of
 * the computer. From now on the process makes all files private.
 */
export function makePrivate(folder: string): void {
  process.umask(0o077)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  accessSync(folder, constants.W_OK)
  tighten(folder)
  for (const name of readdirSync(folder)) tighten(join(folder, name))
}

/** Skips files of other users: only their owner, or root, may change the mode. */
function tighten(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isSymbolicLink() || (stat.mode & 0o077) === 0) return
  try {
    chmodSync(path, stat.mode & 0o700)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EPERM') throw err
  }
}

/**
 * Locks a folder for this process, until the lock is released or the process ends. Two processes on
 * one SQLite database would not see changes to each other's caches.
 *
 * @param file the lock file, made if missing
 * @returns null when another process has the lock
 */
export function acquireLock(file: string): { release(): void } | null {
  const handle = new Database(file, { create: true, readwrite: true })
  try {
    handle.run('BEGIN EXCLUSIVE')
  } catch {
    handle.close()
    return null
  }
  return { release: () => handle.close() }
}
