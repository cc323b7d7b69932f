import { sql } from 'kysely'
import type { Tx } from '../../platform/db/index.ts'
import type { OutboxTable } from '../../platform/db/tables.ts'

/** A mail that waits under the same key gives its place, and its time, to this one. */
export async function insertMail(tx: Tx, row: OutboxTable): Promise<void> {
  const { subject, text_body, html_body, headers } = row
  await tx
    .insertInto('outbox')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('dedupe_key').doUpdateSet({ subject, text_body, html_body, headers }),
    )
    .execute()
}

/**
 * A lease on the next mail that is due: nobody else takes it before the lease ends. It gives up its
 * key: what is put under that from now on is another mail.
 */
export function claim(tx: Tx, { now, lease_ends }: { now: string; lease_ends: string }) {
  return tx
    .updateTable('outbox')
    .set((eb) => ({
      not_before: lease_ends,
      attempts: eb('attempts', '+', 1),
      dedupe_key: null,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where('sent_at', 'is', null)
        .where('not_before', '<=', now)
        .orderBy('not_before')
        .limit(1),
    )
    .where('not_before', '<=', now)
    .where('sent_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function markSent(tx: Tx, id: string, sent_at: string): Promise<void> {
  await tx.updateTable('outbox').set({ sent_at, last_error: null }).where('id', '=', id).execute()
}

export async function markFailed(
  tx: Tx,
  id: string,
  failed: { last_error: string; not_before: string },
): Promise<void> {
  await tx.updateTable('outbox').set(failed).where('id', '=', id).execute()
}

export async function deleteSent(tx: Tx, before: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('outbox')
    .where(sql<boolean>`sent_at IS NOT NULL AND sent_at < ${before}`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
