import { type Output, table } from '../../cli/output.ts'
import { backupTime, isComplete, type StoredBackup } from '../platform/backup-store/index.ts'
import type { Config } from '../platform/config.ts'
import { openPlace, readPlace } from './find-backup.ts'

/** Lists the scheduled backups, the newest first. */
export async function listBackups(config: Config, _args: string[], output: Output): Promise<void> {
  const store = await openPlace(config)
  const backups = await readPlace(store, async () => {
    const stored = await store.list()
    const complete = await Promise.all(stored.map((backup) => isComplete(store, backup)))
    const unfinished = await store.listUnfinished()
    return [
      ...stored.map((backup, at) => ({ ...backup, isWhole: complete[at]! })),
      ...unfinished.map((backup) => ({ ...backup, isWhole: false })),
    ]
  })
  const listed = backups.map(present).sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const rows = listed.map((backup) => ({
    name: backup.name,
    created: `${backup.created_at.slice(0, 16).replace('T', ' ')} UTC`,
    bytes: String(backup.size_bytes),
    complete: backup.is_complete ? 'yes' : 'no',
  }))
  output.result(listed, table(rows, `There is no backup in ${store.place} yet.`))
}

function present({ name, sizeBytes, isWhole }: StoredBackup & { isWhole: boolean }) {
  // An unfinished one has the name that it would get, and more.
  const [zip = name] = /^.+?\.zip/.exec(name) ?? []
  const createdAt = new Date(backupTime(zip)!).toISOString()
  return { name, created_at: createdAt, size_bytes: sizeBytes, is_complete: isWhole }
}
