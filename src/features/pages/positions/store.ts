import type { Database, Db } from '../../../platform/db/index.ts'
import type { ListMovesTable } from '../../../platform/db/operation-tables.ts'
import { raw } from '../../../platform/db/raw.ts'

/** The moves that a database snapshot includes: those of all committed transactions. */
export interface Seen {
  /** All moves below this are included: on SQLite by number, on PostgreSQL by transaction. */
  next: number
  /** On PostgreSQL: the later transactions that it includes. */
  snapshot: string
}

/** The triggers keep at least the moves of so many numbers or transactions. */
const KEPT = 50_000

const seenNow = {
  sqlite: raw<Seen>(`SELECT coalesce(max(number), 0) + 1 AS next, '' AS snapshot FROM list_moves`),
  postgres: raw<Seen>(`SELECT pg_snapshot_xmin(snapshot)::text::bigint AS next,
    snapshot::text AS snapshot FROM pg_current_snapshot() AS snapshot`),
}

/** The moves that this database snapshot includes. */
export async function readSeen(db: Db, engine: Database['engine']): Promise<Seen> {
  return (await seenNow[engine](db, []))[0]!
}

export type Move = Pick<ListMovesTable, 'page_id' | 'created_at' | 'updated_at' | 'added'>

const COLUMNS = 'page_id, created_at, updated_at, added'
const movesOnSqlite = raw<Move>(`SELECT ${COLUMNS} FROM list_moves
  WHERE account_id = $1 AND number >= $2 ORDER BY number LIMIT $3`)
const movesOnPostgres = raw<Move>(`SELECT ${COLUMNS} FROM list_moves
  WHERE account_id = $1 AND xid >= $2
    AND NOT pg_visible_in_snapshot(xid::text::xid8, $4::text::pg_snapshot)
  ORDER BY number LIMIT $3`)

export interface MovesQuery {
  engine: Database['engine']
  accountId: string
  since: Seen
  /** What this snapshot of the database sees: of `readSeen`. */
  now: Seen
  /** Above this limit, the order itself is read instead. */
  limit: number
}

/**
 * The moves that this snapshot of the database sees and an earlier one did not, in their order.
 *
 * @returns null if there are more, or if some may have been deleted. A deletion includes no more
 *   than this snapshot, so it deletes only moves that are not needed here.
 */
export async function readMoves(db: Db, query: MovesQuery): Promise<Move[] | null> {
  const { engine, accountId, since, now, limit } = query
  // Where the database is another, or was restored, `now` may be earlier.
  if (now.next < since.next || now.next - since.next >= KEPT) return null
  const given = [accountId, since.next, limit + 1]
  const moves =
    engine === 'sqlite'
      ? await movesOnSqlite(db, given)
      : await movesOnPostgres(db, [...given, since.snapshot])
  return moves.length > limit ? null : moves
}
