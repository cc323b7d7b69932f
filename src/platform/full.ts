const CODES = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']
/** PostgreSQL’s `disk_full`. */
const DISK_FULL = '53100'

/** Did a write fail because there is no room left, on our disk or the database’s? */
export function isStorageFull(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  return CODES.includes(String(code)) || errno === DISK_FULL
}
