const CODES = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']
/** `disk_full` of PostgreSQL. */
const DISK_FULL = '53100'

/** Whether a write failed because the disk of this server or of the database is full. */
export function isStorageFull(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  return CODES.includes(String(code)) || errno === DISK_FULL
}
