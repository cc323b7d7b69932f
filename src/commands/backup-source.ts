import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { BackupDeps, BackupSchedule } from '../features/backup/index.ts'
import type { BackupStore } from '../platform/backup-store/index.ts'
import type { BackupSettings } from '../platform/backup-store/settings.ts'
import type { Config } from '../platform/config.ts'
import type { Leases } from '../platform/db/leases.ts'
import type { Log } from '../platform/log.ts'

type BackupSource = Pick<BackupDeps, 'database' | 'blobs' | 'clock' | 'secrets'>

export function backupDeps(
  config: Config,
  { database, blobs, clock, secrets }: BackupSource,
): BackupDeps {
  const { baseUrl } = config
  const secretKey = config.secretKey === null ? readFileSync(keyFile(config), 'utf8') : null
  return { database, blobs, clock, secrets, secretKey, version: packageJson.version, baseUrl }
}

export function keyFile({ dataDir }: Config): string {
  return join(dataDir, 'secret.key')
}

/** Loads what is needed for backups only where the server makes them. */
export async function scheduleBackups(
  config: Config,
  { target, keep }: BackupSettings,
  parts: BackupSource & { leases: Leases; log: Log },
): Promise<BackupSchedule> {
  const { createBackupSchedule, writeBackup } = await import('../features/backup/index.ts')
  const store = await openBackupStore(target)
  const { leases, log, clock } = parts
  return createBackupSchedule({
    ...{ store, keep, leases, log, clock },
    write: (result) => writeBackup(backupDeps(config, parts), result),
  })
}

/** Loads the one kind of store that is used. */
export async function openBackupStore(target: BackupSettings['target']): Promise<BackupStore> {
  if ('folder' in target) {
    const { backupFolder } = await import('../platform/backup-store/folder.ts')
    return backupFolder(target.folder)
  }
  const { backupBucket } = await import('../platform/backup-store/bucket.ts')
  return backupBucket(target.s3, target.prefix)
}
