import { existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandFailed, type Output } from '../../cli/output.ts'
import { type Backup, BadBackup, KEY_CHECK, openBackup } from '../features/backup/index.ts'
import { count } from '../model/numbers.ts'
import {
  type BackupStore,
  backupTime,
  isComplete,
  reasonOf,
  type StoredBackup,
} from '../platform/backup-store/index.ts'
import { parseBackupAddress } from '../platform/backup-store/settings.ts'
import type { Config } from '../platform/config.ts'
import { diskSpace } from '../platform/content-space.ts'
import { makePrivate } from '../platform/data-folder.ts'
import { listTables } from '../platform/db/table-copy.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createSecrets, masterKey } from '../platform/secrets.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import { keyFile, openBackupStore } from './backup-source.ts'
import { openFiles } from './files.ts'
import { restoreMark } from './places.ts'
import { assertNotCutOff, entriesIn, isEmpty, openDatabase } from './runtime.ts'

/** Restores a backup into an empty place: a new data folder, and a database without tables. */
export async function restoreBackup(config: Config, [source]: string[], output: Output) {
  const { dataDir } = config
  assertNotCutOff(dataDir)
  if (!isEmpty(dataDir)) {
    throw new CommandFailed(`${dataDir} is not empty: restore into an empty DATA_DIR.`)
  }
  const backup = await findBackup(config, source!)
  const wasThere = existsSync(dataDir)
  const { rows, files, header } = await restore(config, backup).catch((err: unknown) => {
    removeRest(dataDir, wasThere)
    throw err instanceof BadBackup ? new CommandFailed(`${backup.label}: ${err.message}`) : err
  })
  const { created_at } = header
  const result = { data_dir: dataDir, from: backup.label, rows, files, created_at }
  output.result(result, [
    `Restored ${count(rows, 'row')} and ${count(files, 'file')} of ${created_at} from ` +
      `${backup.label} to ${dataDir}.`,
    'Start the server with handbill serve, and look at handbill doctor.',
  ])
}

async function restore(config: Config, { fetch }: FoundBackup): Promise<Backup> {
  makePrivate(config.dataDir)
  writeFileSync(restoreMark(config.dataDir), '')
  const backup = await openBackup(await fetch(config.dataDir))
  try {
    await fill(config, backup)
    rmSync(restoreMark(config.dataDir))
    return backup
  } finally {
    backup.close()
  }
}

/**
 * Deletes the rest, which would look like data. A folder that existed before may be a mount, and
 * stays.
 */
function removeRest(folder: string, isKept: boolean): void {
  const paths = isKept ? entriesIn(folder).map((name) => join(folder, name)) : [folder]
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}

/** Every byte of the backup was checked before. */
async function fill(config: Config, backup: Backup): Promise<void> {
  const { dataDir } = config
  const secretKey = keyOf(backup, config)
  const log = createLog(config.log)
  const metrics = createMetrics()
  const database = await openDatabase(config, { log, metrics })
  const temporaryFiles = createTemporaryFiles(join(dataDir, 'tmp'))
  const store = await openFiles(config, { temporaryFiles, log, metrics })
  try {
    if ((await listTables(database.read, database.engine)).length > 0) {
      throw new CommandFailed('The database has tables: restore into an empty one.')
    }
    for await (const _ of store.blobs.list()) throw new CommandFailed(FOREIGN_FILES)
    if (secretKey !== null) {
      writeFileSync(keyFile(config), `${secretKey}\n`, { mode: 0o600, flush: true })
    }
    const secrets = createSecrets(masterKey(config.secretKey ?? secretKey, ''))
    await backup.restore({ database, blobs: store.blobs, secrets })
  } finally {
    store.close()
    await database.close()
  }
}

/** @returns the key to write to DATA_DIR; null where it is a setting */
function keyOf({ header, secretKey }: Backup, config: Config): string | null {
  const fits = (key: string) => {
    const secrets = createSecrets(masterKey(key, ''))
    return secrets.verify(header.key_check, ...KEY_CHECK)
  }
  if (config.secretKey !== null) {
    if (fits(config.secretKey)) return null
    throw new CommandFailed('SECRET_KEY is not the key of this backup: set that, or unset it.')
  }
  if (secretKey !== null && fits(secretKey)) return secretKey
  throw new CommandFailed('The backup is without its key: set SECRET_KEY to that of its server.')
}

const FOREIGN_FILES =
  'The bucket has files in blobs/, and both servers would delete what they do not know: set ' +
  'S3_BUCKET to an empty bucket, or delete blobs/ if no other server uses it any more.'

/** Instead of a name: the newest complete backup. */
const LATEST = 'latest'
/** The size of the pieces in which a backup in a bucket is read. */
const PIECE_BYTES = 16 * 1024 * 1024

/** A backup that a user named. */
interface FoundBackup {
  /** Its location, without a key. */
  readonly label: string
  /**
   * Where it can be read: its path, or the descriptor of a copy.
   *
   * @param folder of the copy, which has no name there and is gone with the process
   */
  fetch(folder: string): Promise<string | number>
}

export async function openPlace({ backup }: Config): Promise<BackupStore> {
  if (backup !== null) return openBackupStore(backup.target)
  throw new CommandFailed(
    'BACKUP_URL is not set, so there is no list of backups: set it, or name the file of a backup.',
  )
}

/**
 * Finds a backup by the argument of a command: `latest`, a file, a name in the place of scheduled
 * backups, or an address in a bucket.
 */
async function findBackup(config: Config, source: string): Promise<FoundBackup> {
  if (source === LATEST) return findLatest(await openPlace(config))
  if (/^s3(\+http)?:/.test(source)) return findByAddress(config, source)
  if (existsSync(source)) return { label: resolve(source), fetch: async () => resolve(source) }
  if (config.backup === null || backupTime(source) === null) {
    throw new CommandFailed(`There is no file ${resolve(source)}.`)
  }
  return findIn(await openPlace(config), source)
}

async function findLatest(store: BackupStore): Promise<FoundBackup> {
  const all = await readPlace(store, () => store.list())
  for (const backup of all.toReversed()) {
    if (await readPlace(store, () => isComplete(store, backup))) return foundIn(store, backup)
  }
  const backups = all.length === 0 ? 'no backup' : 'no backup that is complete'
  throw new CommandFailed(`There is ${backups} in ${store.place}.`)
}

async function findByAddress(config: Config, address: string): Promise<FoundBackup> {
  const target = config.backup?.target
  const buckets = [
    ...(target && 's3' in target ? [target.s3] : []),
    ...(config.s3 ? [config.s3] : []),
  ]
  const location = parseBackupAddress(address, buckets)
  if (location === null) {
    throw new CommandFailed(
      'An address of a backup is s3://KEY:SECRET@HOST/BUCKET/FOLDER/NAME?region=REGION. The key ' +
        'and the region may be left out where BACKUP_URL or S3_ENDPOINT has the same host.',
    )
  }
  const { name, ...bucket } = location
  return findIn(await openBackupStore(bucket), name)
}

async function findIn(store: BackupStore, name: string): Promise<FoundBackup> {
  const sizeBytes = await readPlace(store, () => store.sizeOf(name))
  if (sizeBytes !== null) return foundIn(store, { name, sizeBytes })
  throw new CommandFailed(`There is no ${name} in ${store.place}.`)
}

function foundIn(store: BackupStore, backup: StoredBackup): FoundBackup {
  const path = store.pathOf(backup.name)
  return {
    label: path ?? `${store.place.replace(/\/$/, '')}/${backup.name}`,
    fetch: async (folder) => path ?? (await copyInto(folder, store, backup)),
  }
}

/** Copies a backup piece by piece, and retries pieces that do not arrive. */
async function copyInto(
  folder: string,
  store: BackupStore,
  { name, sizeBytes }: StoredBackup,
): Promise<number> {
  if (diskSpace(folder).free_bytes < sizeBytes) {
    throw new CommandFailed(
      `The disk of ${folder} has no space for the backup, which is copied there first: it has ` +
        `${sizeBytes} bytes. Free space for it and for the data, or name a file on another disk.`,
    )
  }
  const path = join(folder, 'backup.part')
  const copy = openSync(path, 'wx+', 0o600)
  rmSync(path)
  for (let start = 0; start < sizeBytes; start += PIECE_BYTES) {
    const range = { start, end: Math.min(start + PIECE_BYTES, sizeBytes) }
    const piece = await readPlace(store, () => store.read(name, range))
    for (let at = 0; at < piece.byteLength; ) at += writeSync(copy, piece, at)
  }
  return copy
}

/** Says what failed in one line, where a place of backups does not answer. */
export async function readPlace<T>(store: BackupStore, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (err) {
    throw new CommandFailed(`${store.place} cannot be read: ${reasonOf(err as Error)}.`)
  }
}
