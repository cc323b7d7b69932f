import { CompiledQuery } from 'kysely'
import type { Tx } from '../../platform/db/index.ts'

/** Begins the window or counts within it, in one statement: nodes share what they count. */
const TAKE = `
  INSERT INTO throttles (key, ends_ms, count) VALUES ($1, $2, 1)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN throttles.ends_ms <= $3 THEN 1 ELSE throttles.count + 1 END,
    ends_ms = CASE WHEN throttles.ends_ms <= $3 THEN excluded.ends_ms ELSE throttles.ends_ms END
  RETURNING count, ends_ms`

export async function take(
  tx: Tx,
  key: string,
  { nowMs, endsMs }: { nowMs: number; endsMs: number },
) {
  const query = CompiledQuery.raw(TAKE, [key, endsMs, nowMs])
  const { rows } = await tx.executeQuery<{ count: number; ends_ms: number }>(
    query as CompiledQuery<never>,
  )
  return rows[0]!
}

export async function deleteEnded(tx: Tx, nowMs: number): Promise<void> {
  await tx.deleteFrom('throttles').where('ends_ms', '<=', nowMs).execute()
}
