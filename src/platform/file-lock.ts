import { Database } from 'bun:sqlite'

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
