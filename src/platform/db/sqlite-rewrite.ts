import { Database as Handle } from 'bun:sqlite'
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { sql } from 'kysely'
import type { Database } from './index.ts'

const PIECE_BYTES = 1024 * 1024

/**
 * Writes the log of a database again as it is, and syncs it. After a sync that failed, the kernel
 * may hold pages that it takes for written although the disk does not have them: what is added
 * behind them would be lost with them. Call it at the start, before anything is answered. It does
 * nothing where a checkpoint has emptied the log, as it has unless the disk is full.
 *
 * @throws where the disk does not store it
 */
export function rewriteLog(path: string): void {
  // As usual: the start need not open the database once more.
  if (statSync(`${path}-wal`).size === 0) return
  using handle = new Handle(path, { readwrite: true })
  handle.run('PRAGMA busy_timeout = 5000')
  // Nobody else writes to the log meanwhile.
  handle.run('BEGIN IMMEDIATE')
  const log = openSync(`${path}-wal`, 'r+')
  try {
    rewrite(log)
  } finally {
    closeSync(log)
    handle.run('ROLLBACK')
  }
}

function rewrite(file: number): void {
  const { size } = fstatSync(file)
  const piece = Buffer.alloc(Math.min(size, PIECE_BYTES))
  for (let at = 0; at < size; ) {
    const length = readSync(file, piece, 0, Math.min(piece.length, size - at), at)
    for (let done = 0; done < length; ) {
      done += writeSync(file, piece, done, length - done, at + done)
    }
    at += length
  }
  if (size > 0) fdatasyncSync(file)
}

/**
 * Writes a copy of a SQLite database to a new file: one consistent state, also of one that others
 * write to meanwhile. It holds up this process until it is done.
 */
export async function copySqlite(database: Database, path: string): Promise<void> {
  await sql`VACUUM INTO ${path}`.execute(database.read)
}
