import type { Insertable } from 'kysely'
import type { Tx } from './index.ts'
import { raw, rawChange, rawCount, rawExists, rawRow } from './raw.ts'
import type { Tables } from './tables.ts'

/*
 * Statements that every table needs. The columns are checked against its type, and each is prepared
 * once. All but inserts take the values of their key columns as `raw` takes its parameters. What
 * else a store needs, it writes as SQL (`raw.ts`), or with the query builder where conditions vary.
 */

/** Fewer than the parameters that any engine takes. */
const CHUNK = 500

/** Divides a list for statements with one parameter for each item. An empty list has no chunk. */
export function* inChunks<T>(items: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Up to so many rows are one statement. Each connection prepares each number of rows it meets. */
const FEW = 16
/** How many rows one statement has otherwise: few numbers. */
const ROWS = [64, 32, 16]

interface InsertOptions {
  /** What stands behind the values: `ON CONFLICT …`, `RETURNING …`. */
  ending?: string
  /** How many rows one statement has at most, where they may be large. */
  most?: number
}

/** A function that inserts any number of rows, with few statements. What a row lacks is null. */
export function rowsInto<Table extends keyof Tables, Returned extends object = never>(
  table: Table,
  { ending = '', most = Infinity }: InsertOptions = {},
) {
  const statements = new Map<string, (tx: Tx, values: unknown[]) => Promise<Returned[]>>()

  async function insert(tx: Tx, rows: readonly object[]): Promise<Returned[]> {
    const columns = [...new Set(rows.flatMap(Object.keys))]
    const run = statements.getOrInsertComputed(`${rows.length} ${columns}`, () =>
      raw<Returned>(`${insertOf(table, columns.map(quoted), rows.length)} ${ending}`),
    )
    const valuesOf = (row: object) => columns.map((name) => (row as AnyRow)[name] ?? null)
    return run(tx, rows.flatMap(valuesOf))
  }

  return async (tx: Tx, rows: readonly Insertable<Tables[Table]>[]): Promise<Returned[]> => {
    const returned: Returned[] = []
    for (let at = 0; at < rows.length; ) {
      const remaining = Math.min(rows.length - at, most)
      const count = remaining <= FEW ? remaining : ROWS.find((size) => size <= remaining)!
      returned.push(...(await insert(tx, rows.slice(at, at + count))))
      at += count
    }
    return returned
  }
}
type AnyRow = Record<string, unknown>

type Column<Table extends keyof Tables> = keyof Tables[Table] & string
type Values<Table extends keyof Tables, Key extends readonly Column<Table>[]> = {
  readonly [At in keyof Key]: NonNullable<Tables[Table][Key[At] & Column<Table>]>
}

/** The first row with these values, or the given columns of it. */
export function rowBy<
  Table extends keyof Tables,
  const Key extends readonly Column<Table>[],
  Selected extends Column<Table> = Column<Table>,
>(table: Table, key: Key, columns?: readonly Selected[]) {
  type Row = Pick<Tables[Table], Selected>
  return rawRow<Row, Values<Table, Key>>(`${selectOf(table, columns)} WHERE ${equal(key)} LIMIT 1`)
}

/** The rows with these values, or the given columns of them. */
export function rowsBy<
  Table extends keyof Tables,
  const Key extends readonly Column<Table>[],
  Selected extends Column<Table> = Column<Table>,
>(table: Table, key: Key, { columns, order }: { columns?: readonly Selected[]; order: string }) {
  const select = `${selectOf(table, columns)} WHERE ${equal(key)} ORDER BY ${order}`
  return raw<Pick<Tables[Table], Selected>, Values<Table, Key>>(select)
}

export function countBy<Table extends keyof Tables, const Key extends readonly Column<Table>[]>(
  table: Table,
  ...key: Key
) {
  const where = equal(key)
  return rawCount<Values<Table, Key>>(`SELECT count(*) AS count FROM ${table} WHERE ${where}`)
}

export function existsBy<Table extends keyof Tables, const Key extends readonly Column<Table>[]>(
  table: Table,
  ...key: Key
) {
  return rawExists<Values<Table, Key>>(`SELECT 1 FROM ${table} WHERE ${equal(key)}`)
}

/** Deletes the rows with these values. @returns whether there was one */
export function deleteBy<Table extends keyof Tables, const Key extends readonly Column<Table>[]>(
  table: Table,
  ...key: Key
) {
  const where = equal(key)
  return rawChange<Values<Table, Key>>(`DELETE FROM ${table} WHERE ${where} RETURNING 1 AS deleted`)
}

/** Changes the rows with these values; what is undefined stays. @returns whether there was one */
export function updateBy<Table extends keyof Tables, const Key extends readonly Column<Table>[]>(
  table: Table,
  ...key: Key
) {
  const run = preparedFor((columns) => {
    const changes = columns.map((column, at) => `${column} = $${at + 1}`).join()
    return `UPDATE ${table} SET ${changes} WHERE ${equal(key, columns.length)}`
  })
  return (tx: Tx, values: Values<Table, Key>, changes: Changes<Table>): Promise<boolean> =>
    run(tx, changes, values)
}
type Changes<Table extends keyof Tables> = {
  [Name in Column<Table>]?: Tables[Table][Name] | undefined
}

/** Inserts a row, unless the table has such a one. @returns whether it did */
export function insertOnceInto<Table extends keyof Tables>(table: Table) {
  const run = preparedFor((columns) => `${insertOf(table, columns)} ON CONFLICT DO NOTHING`)
  return (tx: Tx, row: Insertable<Tables[Table]>): Promise<boolean> => run(tx, row)
}

/** Inserts a row, or changes the one that has the same values in the columns of `key`. */
export function upsertInto<Table extends keyof Tables>(table: Table, ...key: Column<Table>[]) {
  const keys = key.map(quoted)
  const run = preparedFor((columns) => {
    const others = columns.filter((column) => !keys.includes(column))
    const changes = others.map((column) => `${column} = excluded.${column}`)
    return `${insertOf(table, columns)} ON CONFLICT (${keys}) DO UPDATE SET ${changes}`
  })
  return (tx: Tx, row: Tables[Table]): Promise<boolean> => run(tx, row)
}

function insertOf(table: keyof Tables, columns: readonly string[], rows = 1): string {
  const valuesOf = (_: unknown, row: number) =>
    `(${columns.map((_, at) => `$${row * columns.length + at + 1}`)})`
  return `INSERT INTO ${table} (${columns}) VALUES ${Array.from({ length: rows }, valuesOf)}`
}

/** Prepares a write once for the columns of the row that it gets. They are its first parameters. */
function preparedFor(statementOf: (columns: string[]) => string) {
  const writes = new Map<string, ReturnType<typeof rawChange>>()
  return (tx: Tx, row: object, key: readonly unknown[] = []): Promise<boolean> => {
    const members = Object.entries(row).filter(([, value]) => value !== undefined)
    const columns = members.map(([column]) => quoted(column))
    const write = writes.getOrInsertComputed(columns.join(), () =>
      rawChange(`${statementOf(columns)} RETURNING 1 AS changed`),
    )
    return write(tx, [...members.map(([, value]) => value), ...key])
  }
}

function selectOf(table: keyof Tables, columns: readonly string[] | undefined): string {
  return `SELECT ${columns === undefined ? '*' : columns.map(quoted).join()} FROM ${table}`
}

/** @param before how many parameters come first */
function equal(columns: readonly string[], before = 0): string {
  return columns.map((column, at) => `${quoted(column)} = $${before + at + 1}`).join(' AND ')
}

/** Some columns have the name of a word of SQL. */
function quoted(column: string): string {
  return `"${column}"`
}
