export interface UniqueViolation {
  table: string
  columns: string[]
}

/**
 * Did a write fail because such a row is there already?
 *
 * @param column `table.column`; omitted, any unique index counts
 */
export function isUniqueViolation(err: unknown, column?: `${string}.${string}`): boolean {
  const violated = findUniqueViolation(err)
  if (violated === null) return false
  if (column === undefined) return true
  return violated.columns.some((name) => `${violated.table}.${name}` === column)
}

/** Both engines' way of saying it; null where `err` is anything else. */
export function findUniqueViolation(err: unknown): UniqueViolation | null {
  if (!(err instanceof Error)) return null
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return ofSqlite(err.message)
  }
  return errno === '23505' ? ofPostgres(err as PostgresDetails) : null
}

/** `UNIQUE constraint failed: pages.account_id, pages.title` */
function ofSqlite(message: string): UniqueViolation {
  const names = message.slice(message.indexOf(': ') + 2).split(', ')
  const [table = ''] = names[0]?.split('.') ?? []
  return { table, columns: names.map((name) => name.slice(table.length + 1)) }
}

interface PostgresDetails {
  table?: string
  detail?: string
}

/** `Key (account_id, title)=(acc_1, Plan) already exists.`, the words in the server's language. */
function ofPostgres({ table, detail }: PostgresDetails): UniqueViolation {
  const [, names] = detail?.match(/\(([^()]*)\)=\(/) ?? []
  return { table: table ?? '', columns: names?.split(', ') ?? [] }
}

/** Did a write fail because what it refers to is not there, or no more? */
export function isForeignKeyViolation(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  return code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || errno === '23503'
}
