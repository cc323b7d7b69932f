import { Database } from 'bun:sqlite'

/**
 * Holds a folder for this process, until it ends in whatever way: what one process keeps in memory
 * another would not hear of.
 *
 * @param file made if missing
 * @returns null where another process holds it
 */
export function takeLock(file: string): { release(): void } | null {
  const handle = new Database(file, { create: true, readwrite: true })
  try {
    handle.run('BEGIN EXCLUSIVE')
  } catch {
    handle.close()
    return null
  }
  return { release: () => handle.close() }
}
