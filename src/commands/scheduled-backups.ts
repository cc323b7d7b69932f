import type { BackupSchedule } from '../features/backup/index.ts'
import type { BackupStore } from '../platform/backup-store/index.ts'
import type { BackupSettings } from '../platform/backup-store/settings.ts'
import type { Config } from '../platform/config.ts'
import type { Leases } from '../platform/db/leases.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type BackupSource, backupDeps } from './backup-source.ts'
import type { Runtime } from './runtime.ts'

/** Soon after the start: a server that is restarted every hour makes its backups, too. */
const FIRST_MS = 5 * 1000
/** How often to look whether one is due, and to try again after a failure. */
const EVERY_MS = 10 * 60 * 1000
/** A sweep of files is over soon, and so is the lease of a process that was killed. */
const BUSY_MS = 10 * 1000

/** Loads what is needed for backups only where the server makes them. */
export async function scheduleBackups(
  config: Config,
  { target, keep }: BackupSettings,
  parts: BackupSource & { leases: Leases; log: Log },
): Promise<BackupSchedule> {
  const { createBackupSchedule, writeBackup } = await import('../features/backup/index.ts')
  const store = await openStore(target, parts.log)
  const { leases, log, clock } = parts
  return createBackupSchedule({
    ...{ store, keep, leases, log, clock },
    write: (result) => writeBackup(backupDeps(config, parts), result),
  })
}

async function openStore(target: BackupSettings['target'], log: Log): Promise<BackupStore> {
  if ('folder' in target) {
    const { backupFolder } = await import('../platform/backup-store/folder.ts')
    return backupFolder(target.folder)
  }
  const { backupBucket } = await import('../platform/backup-store/bucket.ts')
  return backupBucket(target.s3, target.prefix, log)
}

/** Makes the backups that are due. @returns how to stop it, which gives up one under way */
export function keepBackingUp({ backups, platform }: Runtime): { stop(): Promise<void> } {
  if (backups === null) return { stop: async () => {} }
  addMetrics(backups, platform.metrics)
  const stopping = new AbortController()
  let running = Promise.resolve()
  let timer = setTimeout(runAndWait, FIRST_MS)
  function runAndWait(): void {
    running = backups!.runIfDue(stopping.signal).then((hasRun) => {
      if (stopping.signal.aborted) return
      timer = setTimeout(runAndWait, hasRun ? EVERY_MS : BUSY_MS)
    })
  }
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

function addMetrics({ state }: BackupSchedule, metrics: Metrics): void {
  metrics.add({
    name: 'handbill_backup_newest_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest scheduled backup was made.',
    read() {
      const { newestAt } = state()
      return newestAt === null ? null : Date.parse(newestAt) / 1000
    },
  })
  metrics.add({
    name: 'handbill_backup_up',
    type: 'gauge',
    help: '1 while scheduled backups are made, 0 where the last one failed or is missing.',
    read: () => (state().problem === null ? 1 : 0),
  })
}
