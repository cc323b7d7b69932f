import { sql } from 'kysely'
import type { Tx } from './index.ts'

/** More events than an account has between a backup and its loss. */
const SKIPPED = 1_000_000

/**
 * Leaves out the numbers that accounts may have used since a backup was made: a client that reads
 * on from one of them would miss what gets the same number after the restore.
 */
export async function skipEventNumbers(tx: Tx): Promise<void> {
  await sql`INSERT INTO feedback_counters (account_id, last_number)
    SELECT id, ${sql.lit(SKIPPED)} FROM accounts WHERE 1 = 1
    ON CONFLICT (account_id) DO UPDATE
      SET last_number = feedback_counters.last_number + excluded.last_number`.execute(tx)
}
