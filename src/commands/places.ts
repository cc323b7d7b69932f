import { join } from 'node:path'

/** The SQLite database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'handbill.db')
}

/** Locked by the server that is at the database. */
export function lockFile(dataDir: string): string {
  return join(dataDir, 'serve.lock')
}

/** How often commands have written beside the server. */
export function commandWritesFile(dataDir: string): string {
  return join(dataDir, 'command-writes')
}

/** The same relative path from here and from `dist/server` in the executable. */
export const WEB_FILES = join(import.meta.dir, '../../dist/web')
