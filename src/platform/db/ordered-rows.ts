import type { Db } from './index.ts'
import { raw } from './raw.ts'

/** The length of a time: a key is a time, a space and an id, and keys sort as their rows do. */
const TIME = 27
/** Letters sort behind digits in every collation. */
const AFTER_ALL = 'z'

/** The place of a row in the order. */
export function keyOf(at: string, id: string): string {
  return `${at} ${id}`
}

export interface Range {
  /** The key of the first row; empty: from the start. */
  from: string
  /** The key behind the last row; null: to the end. */
  before: string | null
}

/** An index on (`account_id`, a time, `id`), and the rows that it has. */
interface Ordered {
  table: string
  at: string
  isListed: string
}

export type OrderedRows = ReturnType<typeof orderedRows>

/** Reads rows of an account by an index that has their order. */
export function orderedRows({ table, at, isListed }: Ordered) {
  const rows = `FROM ${table} WHERE account_id = $1 AND ${isListed}`
  const range = `${rows} AND (${at}, id) >= ($2, $3) AND (${at}, id) < ($4, $5)`
  const key = `${at} || ' ' || id`
  const selectKeys = raw<{ key: string }>(`
    WITH RECURSIVE keys (key) AS (
      SELECT (SELECT ${key} ${range} ORDER BY ${at}, id LIMIT 1)
      UNION ALL
      SELECT (SELECT ${key} ${rows}
        AND (${at}, id) >= (substr(keys.key, 1, ${TIME}), substr(keys.key, ${TIME + 2}))
        AND (${at}, id) < ($4, $5) ORDER BY ${at}, id LIMIT 1 OFFSET $6)
      FROM keys WHERE keys.key IS NOT NULL)
    SELECT key FROM keys WHERE key IS NOT NULL`)
  const countRows = raw<{ count: number }>(`SELECT count(*) AS count ${range}`)
  const selectLast = raw<{ key: string }>(
    `SELECT ${key} AS key ${rows} ORDER BY ${at} DESC, id DESC LIMIT 1`,
  )
  const selectIds = {
    asc: raw<{ id: string }>(`SELECT id ${range} ORDER BY ${at}, id LIMIT $6 OFFSET $7`),
    desc: raw<{ id: string }>(`SELECT id ${range} ORDER BY ${at} DESC, id DESC LIMIT $6 OFFSET $7`),
  }

  return {
    /** The key of the first row of a range, and of each that comes `step` rows after the last. */
    async keys(db: Db, accountId: string, range: Range, step: number): Promise<string[]> {
      const found = await selectKeys(db, [accountId, ...boundsOf(range), step])
      return found.map((row) => row.key)
    },
    async count(db: Db, accountId: string, range: Range): Promise<number> {
      return (await countRows(db, [accountId, ...boundsOf(range)]))[0]!.count
    },
    async last(db: Db, accountId: string): Promise<string> {
      return (await selectLast(db, [accountId]))[0]?.key ?? ''
    },
    /** The ids in a range, in one order. */
    async ids(
      db: Db,
      accountId: string,
      { order, limit, offset, ...range }: Range & IdsQuery,
    ): Promise<string[]> {
      const given = [accountId, ...boundsOf(range), limit, offset]
      return (await selectIds[order](db, given)).map(({ id }) => id)
    },
  }
}

interface IdsQuery {
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

function boundsOf({ from, before }: Range): string[] {
  const end = before ?? AFTER_ALL
  return [from.slice(0, TIME), from.slice(TIME + 1), end.slice(0, TIME), end.slice(TIME + 1)]
}
