import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { OutboxTable } from '../../platform/db/tables.ts'

/** A mail that waits under the same key gives its place, and its time, to this one. */
export async function insertMail(tx: Tx, row: OutboxTable): Promise<void> {
  const { to_address: toAddress, subject, text_body: textBody, html_body: htmlBody, headers } = row
  await tx
    .insertInto('outbox')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('dedupe_key').doUpdateSet({
        ...{ to_address: toAddress, subject, text_body: textBody, html_body: htmlBody, headers },
      }),
    )
    .execute()
}

interface Claim {
  engine: Database['engine']
  now: string
  leaseEnds: string
}

/**
 * A lease on the next mail that is due: nobody else takes it before the lease ends. It gives up its
 * key: what is put under that from now on is another mail.
 */
export function claim(tx: Tx, { engine, now, leaseEnds }: Claim) {
  return tx
    .updateTable('outbox')
    .set((eb) => ({
      not_before: leaseEnds,
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
        .limit(1)
        // Who asks at the same time gets the one after it, instead of none.
        .$if(engine === 'postgres', (due) => due.forUpdate().skipLocked()),
    )
    .where('not_before', '<=', now)
    .where('sent_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** What it said is on its way, and its links are nobody else's to read here. */
export async function markSent(tx: Tx, id: string, sentAt: string): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ sent_at: sentAt, last_error: null, text_body: '', html_body: '' })
    .where('id', '=', id)
    .execute()
}

interface Failure {
  id: string
  /** Of the lease it failed under: whoever holds a later one has the say. */
  attempts: number
  last_error: string
  not_before: string
}

export async function markFailed(tx: Tx, failure: Failure): Promise<void> {
  const { id, attempts, ...failed } = failure
  await tx
    .updateTable('outbox')
    .set(failed)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .execute()
}

/** Sent, or given up (put off until `never`), and long ago. */
export async function deleteDone(tx: Tx, before: string, never: string): Promise<number> {
  const sent = await tx
    .deleteFrom('outbox')
    .where(sql<boolean>`sent_at IS NOT NULL AND sent_at < ${before}`)
    .executeTakeFirstOrThrow()
  const givenUp = await tx
    .deleteFrom('outbox')
    .where(sql<boolean>`sent_at IS NULL AND not_before = ${never} AND created_at < ${before}`)
    .executeTakeFirstOrThrow()
  return Number(sent.numDeletedRows) + Number(givenUp.numDeletedRows)
}
