import { existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandFailed } from '../../cli/output.ts'
import {
  type BackupStore,
  backupTime,
  isComplete,
  type StoredBackup,
} from '../platform/backup-store/index.ts'
import { openBackupStore } from '../platform/backup-store/open.ts'
import { parseBackupAddress } from '../platform/backup-store/settings.ts'
import type { Config } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'

/** Instead of a name: the newest complete backup. */
const LATEST = 'latest'
/** The size of the pieces in which a backup in a bucket is read. */
const PIECE_BYTES = 16 * 1024 * 1024

/** A backup that a user named. */
export interface FoundBackup {
  /** Its location, without a key. */
  readonly label: string
  /**
   * Where it can be read: its path, or the descriptor of a copy.
   *
   * @param folder of the copy, which has no name there and is gone with the process
   */
  fetch(folder: string): Promise<string | number>
}

/** Opens the place of scheduled backups. The command prints its failures, and no log does. */
export async function openPlace({ backup, log }: Config): Promise<BackupStore> {
  if (backup !== null)
    return openBackupStore(
      backup.target,
      createLog(log, () => {}),
    )
  throw new CommandFailed(
    'BACKUP_URL is not set, so there is no list of backups: set it, or name the file of a backup.',
  )
}

/**
 * Finds a backup by the argument of a command: `latest`, a file, a name in the place of scheduled
 * backups, or an address in a bucket.
 */
export async function findBackup(config: Config, named: string): Promise<FoundBackup> {
  if (named === LATEST) return findLatest(await openPlace(config))
  if (/^s3(\+http)?:/.test(named)) return findByAddress(config, named)
  if (existsSync(named)) return { label: resolve(named), fetch: async () => resolve(named) }
  if (config.backup === null || backupTime(named) === null) {
    throw new CommandFailed(`There is no file ${resolve(named)}.`)
  }
  return findIn(await openPlace(config), named)
}

async function findLatest(store: BackupStore): Promise<FoundBackup> {
  const all = await readPlace(store, () => store.list())
  for (const backup of all.toReversed()) {
    if (await readPlace(store, () => isComplete(store, backup))) return foundIn(store, backup)
  }
  const found = all.length === 0 ? 'no backup' : 'no backup that is complete'
  throw new CommandFailed(`There is ${found} in ${store.place}.`)
}

async function findByAddress(config: Config, address: string): Promise<FoundBackup> {
  const target = config.backup?.target
  const known = [
    ...(target && 's3' in target ? [target.s3] : []),
    ...(config.s3 ? [config.s3] : []),
  ]
  const parsed = parseBackupAddress(address, known)
  if (parsed === null) {
    throw new CommandFailed(
      'An address of a backup is s3://KEY:SECRET@HOST/BUCKET/FOLDER/NAME?region=REGION. The key ' +
        'and the region may be left out where BACKUP_URL or S3_ENDPOINT has the same host.',
    )
  }
  const { name, ...bucket } = parsed
  return findIn(
    await openBackupStore(
      bucket,
      createLog(config.log, () => {}),
    ),
    name,
  )
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
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < sizeBytes) {
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
    const { message, cause } = err as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new CommandFailed(`${store.place} cannot be read: ${reason}.`)
  }
}
