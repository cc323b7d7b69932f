import type { Log } from '../log.ts'
import type { BackupStore } from './index.ts'
import type { BackupSettings } from './settings.ts'

/** Loads the one kind of store that is used. */
export async function openBackupStore(
  target: BackupSettings['target'],
  log: Log,
): Promise<BackupStore> {
  if ('folder' in target) {
    const { backupFolder } = await import('./folder.ts')
    return backupFolder(target.folder)
  }
  const { backupBucket } = await import('./bucket.ts')
  return backupBucket(target.s3, target.prefix, log)
}
