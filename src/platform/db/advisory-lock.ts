import { sql } from 'kysely'
import type { Database, Tx } from './index.ts'

/** The locks of PostgreSQL that the program knows. Programs of all versions must agree on them. */
const LOCKS = { schema: 727846, first_account: 727847 } as const

/**
 * Waits for the lock and holds it until the transaction ends. SQLite runs one write transaction at
 * a time, so there it does nothing.
 */
export async function lockUntilCommit(
  tx: Tx,
  engine: Database['engine'],
  name: keyof typeof LOCKS,
): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${LOCKS[name]})`.execute(tx)
}
