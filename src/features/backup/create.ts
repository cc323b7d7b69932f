import { BlobDamaged, type StoredBlob, WrongBytes } from '../../platform/blobs/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { migrationNames } from '../../platform/db/migrate.ts'
import { listTables, readRows, type Table, type Value } from '../../platform/db/table-copy.ts'
import { hashed, sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { writeZip, type ZipWriter } from '../../platform/zip.ts'
import { type KnownBlob, knownBlobs } from '../content/index.ts'
import {
  CHECKSUMS,
  type Checksums,
  FORMAT,
  fileEntry,
  HEADER,
  type Header,
  KEY_CHECK,
  SECRET,
  tableEntry,
} from './format.ts'

export interface BackupDeps
  extends Pick<Services, 'database' | 'blobs' | 'clock' | 'secrets' | 'baseUrl'> {
  /** The file of the key. Null where the key is a setting: it is not in the backup then. */
  secretKey: string | null
  version: string
}

/** The content of a backup, complete once its last byte was read. */
export interface BackupResult {
  rows: number
  files: number
  /** Hashes of files that the database names, and that are missing or damaged. */
  damaged: string[]
}

/**
 * Writes a backup while it is read: one consistent state of the database, beside a running server.
 * Files come first, because they never change. The state of the database that follows refers to
 * those files, and to a few newer ones, which are added at the end. The reader must hold the lease
 * of files (`FILES_LEASE`), so that none of them is deleted meanwhile.
 */
export function writeBackup(deps: BackupDeps, result: BackupResult): AsyncGenerator<Uint8Array> {
  return writeZip((zip) => addAll(deps, zip, result))
}

async function addAll(deps: BackupDeps, zip: ZipWriter, result: BackupResult): Promise<void> {
  const { database } = deps
  const sums: Checksums = { entries: {}, tables: {} }
  const add = (name: string, text: string) => {
    sums.entries[name] = sha256(text)
    zip.add(name, Buffer.from(text))
  }
  add(HEADER, JSON.stringify(describe(deps), null, 2))
  if (deps.secretKey !== null) add(SECRET, deps.secretKey)
  const files = createFiles(deps, zip, sums)
  for await (const blob of knownBlobs(database.read)) await files.add(blob)
  await database.snapshot(async (db) => {
    for (const table of await listTables(db, database.engine)) {
      if (table.name === 'migrations') continue
      const rows = await addTable(zip, { db, table, sums })
      sums.tables[table.name] = rows
      result.rows += rows
    }
    for await (const blob of knownBlobs(db)) {
      if (!(await files.add(blob))) result.damaged.push(blob.hash)
    }
  })
  result.files = files.count()
  zip.add(CHECKSUMS, Buffer.from(JSON.stringify(sums)))
}

function describe({ database, clock, secrets, version, baseUrl }: BackupDeps): Header {
  return {
    format: FORMAT,
    version,
    created_at: clock.now(),
    base_url: baseUrl,
    engine: database.engine,
    migrations: migrationNames(),
    key_check: secrets.sign(...KEY_CHECK),
  }
}

/** Adds the files of the blob store, each once. */
function createFiles({ blobs }: BackupDeps, zip: ZipWriter, sums: Checksums) {
  const whole = new Set<string>()

  /** @returns null for a file that is missing or damaged */
  async function openWhole(blob: StoredBlob): Promise<Blob | null> {
    try {
      return await blobs.open(blob, { start: 0, end: blob.sizeBytes })
    } catch (err) {
      if (err instanceof BlobDamaged || err instanceof WrongBytes) return null
      throw err
    }
  }

  return {
    count: () => whole.size,
    /** @returns false for a file that is missing or damaged */
    async add({ hash, storage_key: key, size_bytes: sizeBytes }: KnownBlob): Promise<boolean> {
      if (key === null || whole.has(key)) return true
      const body = await openWhole({ key, hash, sizeBytes })
      if (body === null) return false
      const name = fileEntry(key)
      await addEntry(zip, { name, chunks: body.stream(), isPacked: true, sums })
      if (sums.entries[name] !== hash) return false
      whole.add(key)
      return true
    },
  }
}

/** @returns how many rows the table has */
async function addTable(
  zip: ZipWriter,
  { db, table, sums }: { db: Db; table: Table; sums: Checksums },
): Promise<number> {
  let count = 0
  async function* chunks() {
    yield Buffer.from(`${JSON.stringify({ columns: table.columns })}\n`)
    for await (const rows of readRows(db, table)) {
      count += rows.length
      yield Buffer.from(rows.map((row) => `${JSON.stringify(row.map(toJson))}\n`).join(''))
    }
  }
  const name = tableEntry(table.name)
  await addEntry(zip, { name, chunks: chunks(), isPacked: false, sums })
  return count
}

function toJson(value: Value) {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

interface NewEntry {
  name: string
  chunks: AsyncIterable<Uint8Array>
  isPacked: boolean
  sums: Checksums
}

/** Resolves once the entry is written, so that one is open at a time. */
async function addEntry(zip: ZipWriter, { name, isPacked, sums, ...entry }: NewEntry) {
  const { chunks, hashOf } = hashed(entry.chunks)
  await zip.write(name, chunks, { isPacked })
  sums.entries[name] = hashOf()
}
