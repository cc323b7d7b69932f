import type { BackupSchedule } from '../features/backup/index.ts'
import { openBackupStore } from '../platform/backup-store/open.ts'
import type { BackupSettings } from '../platform/backup-store/settings.ts'
import type { Config } from '../platform/config.ts'
import type { Leases } from '../platform/db/leases.ts'
import type { Log } from '../platform/log.ts'
import { type BackupSource, backupDeps } from './backup-source.ts'

/** Loads what is needed for backups only where the server makes them. */
export async function scheduleBackups(
  config: Config,
  { target, keep }: BackupSettings,
  parts: BackupSource & { leases: Leases; log: Log },
): Promise<BackupSchedule> {
  const { createBackupSchedule, writeBackup } = await import('../features/backup/index.ts')
  const store = await openBackupStore(target, parts.log)
  const { leases, log, clock } = parts
  return createBackupSchedule({
    ...{ store, keep, leases, log, clock },
    write: (result) => writeBackup(backupDeps(config, parts), result),
  })
}
