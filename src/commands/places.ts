import { join } from 'node:path'

/** The SQLite database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'handbill.db')
}

/** Locked by the server that is at the database. */
export function lockFile(dataDir: string): string {
  return join(dataDir, 'serve.lock')
}

/** Of the processes that share the port of a server. */
export function workersFolder(dataDir: string): string {
  return join(dataDir, 'workers')
}

export function workerFiles(dataDir: string, number: number) {
  const folder = workersFolder(dataDir)
  return {
    /** Where the main process answers what workers forward. */
    socket: join(folder, 'main.sock'),
    /** Locked while the worker runs. */
    lock: join(folder, `${number}.lock`),
    temporary: join(folder, `${number}.tmp`),
    cache: join(folder, `${number}.cache`),
  }
}
