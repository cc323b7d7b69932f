import { type Refusal, refuse } from '../model/errors.ts'

const CODES = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']
/** `disk_full` of PostgreSQL. */
const DISK_FULL = '53100'

/** Whether a write failed because the disk of this server or of the database is full. */
export function isStorageFull(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  return CODES.includes(String(code)) || errno === DISK_FULL
}

/** Space does not come back by itself, so there is no `Retry-After`. */
export function storageFull(): Refusal {
  const message = 'The server has no space left, and nothing was saved. Tell its operator.'
  return refuse.noSpace('storage_full', message)
}
