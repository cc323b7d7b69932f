import type { Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { OutboxTable } from '../../platform/db/tables.ts'

/** `not_before` of a mail that was given up. It is stored, so it must not change. */
const NEVER = '9999-12-31T00:00:00.000000Z'

/** An unsent mail with the same key gets the content of this one, and keeps its own time. */
export async function insertMail(tx: Tx, row: OutboxTable): Promise<void> {
  const { to_address: toAddress, subject, text_body: textBody, html_body: htmlBody, headers } = row
  await tx
    .insertInto('outbox')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('dedupe_key').doUpdateSet({
        to_address: toAddress,
        subject,
        text_body: textBody,
        html_body: htmlBody,
        headers,
      }),
    )
    .execute()
}

interface Claim {
  engine: Database['engine']
  now: Timestamp
  leaseEnds: Timestamp
}

/**
 * Leases the next mail that is due: no other worker gets it before the lease ends. The mail loses
 * its key, so that a later mail with that key does not replace one that is being sent.
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
        // A worker that claims at the same time gets the next mail instead of none.
        .$if(engine === 'postgres', (due) => due.forUpdate().skipLocked()),
    )
    .where('not_before', '<=', now)
    .where('sent_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Erases the text as well: its links and codes are of no use to us any more. */
export async function markSent(tx: Tx, id: string, sentAt: Timestamp): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ sent_at: sentAt, last_error: null, text_body: '', html_body: '' })
    .where('id', '=', id)
    .execute()
}

interface Failure {
  id: string
  /** Identifies the lease: a worker whose lease is over must not change the mail. */
  attempts: number
  error: string
  /** Null when the mail is given up. */
  retryAt: Timestamp | null
}

export async function markFailed(tx: Tx, { id, attempts, error, retryAt }: Failure): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ last_error: error, not_before: retryAt ?? NEVER })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .execute()
}

/** Deletes mails that were sent, or created and given up, before that time. */
export async function deleteDone(tx: Tx, before: Timestamp): Promise<number> {
  const sent = await tx
    .deleteFrom('outbox')
    .where('sent_at', 'is not', null)
    .where('sent_at', '<', before)
    .executeTakeFirstOrThrow()
  const givenUp = await tx
    .deleteFrom('outbox')
    .where('sent_at', 'is', null)
    .where('not_before', '=', NEVER)
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(sent.numDeletedRows) + Number(givenUp.numDeletedRows)
}
