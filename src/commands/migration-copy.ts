import { readdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailed } from '../../cli/output.ts'
import { diskSpace } from '../platform/content-space.ts'
import { acquireLock } from '../platform/data-folder.ts'
import type { Database } from '../platform/db/index.ts'
import { databaseBytes } from '../platform/db/integrity.ts'
import { schemaState } from '../platform/db/migrate.ts'
import { copySqlite } from '../platform/db/sqlite-rewrite.ts'
import { syncPath } from '../platform/durable-files.ts'
import type { Log } from '../platform/log.ts'
import { lockFile } from './places.ts'

/** `handbill-0025-view-moves.db`: a database whose last migration was that. */
const COPY = /^handbill-\d{4}-[a-z0-9-]+\.db$/
/** The minimum of space that the migrations themselves may need. */
const ROOM_BYTES = 64 * 1024 * 1024

interface CopyOptions {
  dataDir: string
  log: Log
  /** For tests. */
  freeBytes?: number
}

/**
 * Copies a SQLite database before migrations change it, for the way back to the version before. It
 * stays beside the database until the next one. There is none of PostgreSQL, where this server
 * may write to its one database alone: the guide says to make a backup first.
 *
 * @throws CommandFailed where there is no space or a server still runs, before anything is changed
 */
export async function copyBeforeMigrating(database: Database, options: CopyOptions): Promise<void> {
  if (database.engine !== 'sqlite') return
  const { done, due } = await schemaState(database)
  const last = done.at(-1)
  if (last === undefined || due.length === 0) return
  const { dataDir, log } = options
  const lock = acquireLock(lockFile(dataDir))
  if (lock === null) {
    throw new CommandFailed(
      `A server of an older version serves ${dataDir}: stop it before the upgrade. Nothing was ` +
        'changed.',
    )
  }
  lock.release()
  assertSpace(await databaseBytes(database), options)
  const name = `handbill-${last}.db`
  const partial = join(dataDir, `${name}.part`)
  await rm(partial, { force: true })
  try {
    await copySqlite(database, partial)
    await syncPath(partial)
    await rename(partial, join(dataDir, name))
    await syncPath(dataDir)
  } catch (err) {
    await rm(partial, { force: true })
    throw new CommandFailed(
      `The database cannot be copied before its upgrade: ${(err as Error).message}. Nothing was ` +
        'changed: run handbill doctor of the version before, or restore the newest backup.',
    )
  }
  for (const other of readdirSync(dataDir)) {
    if (COPY.test(other) && other !== name) rmSync(join(dataDir, other))
  }
  log.info('the database was copied before its upgrade', { copy: join(dataDir, name), due })
}

function assertSpace(
  bytes: number,
  { dataDir, freeBytes = diskSpace(dataDir).free_bytes }: CopyOptions,
): void {
  const needed = bytes + Math.max(ROOM_BYTES, bytes * 0.1)
  if (freeBytes >= needed) return
  const mb = (size: number) => Math.ceil(size / 1024 ** 2)
  throw new CommandFailed(
    `The database is copied before its upgrade, which needs ${mb(needed)} MB, and ` +
      `${mb(freeBytes)} MB are free: free space on the disk of ${dataDir}. Nothing was changed.`,
  )
}
