import packageJson from '../../package.json' with { type: 'json' }
import { type Blobs, newBlobKey } from './blobs/index.ts'
import { type DiskSpace, diskSpace, reserveOf } from './content-space.ts'
import type { Database } from './db/index.ts'
import { databaseBytes } from './db/integrity.ts'
import { sha256 } from './ids.ts'

const GIGABYTE = 1024 ** 3

/**
 * `low`: below 5 % of the disk, but at least 1.5 GB and at most 20 GB. `full`: only the reserve is
 * left, and no content is stored.
 */
export type DiskState = 'ok' | 'low' | 'full'

export function diskState(disk: DiskSpace): DiskState {
  const { free_bytes: free, total_bytes: total } = disk
  if (free < reserveOf(disk)) return 'full'
  const enough = Math.max(1.5 * GIGABYTE, Math.min(total * 0.05, 20 * GIGABYTE))
  return free < enough ? 'low' : 'ok'
}

export interface BackupState {
  place: string
  newestAt: string | null
  /** The last error. Null if there is none. */
  problem: string | null
}

interface CheckDeps {
  database: Database
  blobs: Blobs
  dataDir: string
  sendsMails(): boolean
  backup?: (() => BackupState) | undefined
}

/** Checks of the parts that a server depends on. Each rejects if its part fails. */
export function createChecks({ database, blobs, dataDir, ...reports }: CheckDeps) {
  return {
    version: packageJson.version,
    engine: database.engine,
    /** False: mails wait in a folder for the operator. */
    get sendsMails() {
      return reports.sendsMails()
    },
    startedAt: new Date(),
    /** Answers the size of the database. */
    database: () => databaseBytes(database),
    /** Writes a file to the store of large files, and deletes it. */
    async files() {
      const key = newBlobKey()
      const content = new Uint8Array(1)
      await blobs.put(key, content, () => sha256(content))
      await blobs.delete([key])
    },
    /** The free space of the disk with the data folder. */
    disk: async () => diskSpace(dataDir),
    /** Of the backups that the server makes by itself. Null where it makes none. */
    backup: () => reports.backup?.() ?? null,
  }
}
export type Checks = ReturnType<typeof createChecks>
