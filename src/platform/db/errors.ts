/**
 * Whether a write failed because it violates a unique index.
 *
 * @param column `table.column`, which must be part of that index
 */
export function isUniqueViolation(err: unknown, column?: `${string}.${string}`): boolean {
  const isOne = hasCode(err, /^(?:SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)|23505)$/)
  return isOne && (column === undefined || columnsIn(err as Violation).includes(column))
}

interface Violation extends Error {
  /** Of PostgreSQL: `Key (account_id, title)=(acc_1, Plan) already exists.`, in its language. */
  detail?: string
  table?: string
}

/** The message of SQLite is `UNIQUE constraint failed: pages.account_id, pages.title`. */
function columnsIn({ message, detail, table }: Violation): string[] {
  if (detail === undefined) return message.slice(message.indexOf(': ') + 2).split(', ')
  const [, names = ''] = detail.match(/\(([^()]*)\)=\(/) ?? []
  return names.split(', ').map((name) => `${table}.${name}`)
}

/** Whether a write failed because a row that it refers to does not exist. */
export function isForeignKeyViolation(err: unknown): boolean {
  return hasCode(err, /^(?:SQLITE_CONSTRAINT_FOREIGNKEY|23503)$/)
}

/** Whether an error of the system or of either engine has one of these codes. */
export function hasCode(err: unknown, codes: RegExp): boolean {
  if (!(err instanceof Error)) return false
  const { code, errno } = err as { code?: unknown; errno?: unknown }
  return [code, errno].some((each) => codes.test(String(each)))
}

/** The database was known to be down, so the query was not tried. */
export class DatabaseDown extends Error {
  override readonly name = 'DatabaseDown'

  constructor() {
    super('The database is down')
  }
}

/**
 * PostgreSQL is not there, takes no writes, lets us in no more or lacks our tables, as while it is
 * restored; a statement took too long.
 */
const UNAVAILABLE = /^(?:08...|28...|3D000|3F000|42501|42P01|57P0[1-5]|53300|57014|25P03|25006)$/

/** The connection was lost, or its answer cannot be read, after which the client closes it. */
const CONNECTION_FAILED = /^ERR_POSTGRES_(?:CONNECTION_|INVALID_MESSAGE|UNEXPECTED_MESSAGE)/

/** Whether a read or write failed because the database is not there, or without our tables. */
export function isDatabaseDown(err: unknown): boolean {
  if (err instanceof DatabaseDown) return true
  // SQLite has no code of its own for that.
  if (err instanceof Error && err.message.startsWith('no such table: ')) return true
  return hasCode(err, CONNECTION_FAILED) || hasCode(err, UNAVAILABLE)
}
