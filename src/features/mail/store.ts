import { type SqlBool, sql } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import type { OutboxTable } from '../../platform/db/tables.ts'

/** `not_before` of a mail that was given up. It is stored, so it must not change. */
const NEVER = '9999-12-31T00:00:00.000000Z'

/** An unsent mail with the same key gets the content of this one, and keeps its own time. */
export async function insertMail(tx: Tx, row: OutboxTable): Promise<void> {
  const { to_address, subject, text_body, html_body, headers } = row
  await tx
    .insertInto('outbox')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('dedupe_key').doUpdateSet({
        to_address,
        subject,
        text_body,
        html_body,
        headers,
      }),
    )
    .execute()
}

/** Deletes the mails that wait and have a key with this beginning. */
export async function deleteWaiting(tx: Tx, beginning: string): Promise<void> {
  const key = sql`substr(dedupe_key, 1, ${sql.lit(beginning.length)})`
  const waiting = tx.deleteFrom('outbox').where('sent_at', 'is', null)
  await waiting.where(sql<SqlBool>`${key} = ${beginning}`).execute()
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

/** Makes mails due that wait for the first time, and were created after a time of the future. */
export async function sendNew(tx: Tx, created: Timestamp, now: Timestamp): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ not_before: now })
    .where('sent_at', 'is', null)
    .where('attempts', '=', 0)
    .where('created_at', '>', created)
    .where('not_before', '>', now)
    .execute()
}

/**
 * Lets mails wait until `soon` that wait longer than their attempts allow: the clock was set back.
 *
 * @param due until when a mail waits at most, by the number of its attempts
 */
export async function shortenRetries(
  tx: Tx,
  due: readonly Timestamp[],
  soon: Timestamp,
): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ not_before: soon })
    .where('sent_at', 'is', null)
    .where('not_before', '<>', NEVER)
    .where((eb) =>
      eb.or(
        due.map((at, nth) => eb.and([eb('attempts', '=', nth + 1), eb('not_before', '>', at)])),
      ),
    )
    .execute()
}

interface Lease {
  id: string
  /** Identifies the lease: a worker whose lease is over must not change the mail. */
  attempts: number
  leaseEnds: Timestamp
}

export async function renewLease(tx: Tx, { id, attempts, leaseEnds }: Lease): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ not_before: leaseEnds })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .execute()
}

export interface Sent {
  row: Pick<OutboxTable, 'id' | 'forgets_recipient'>
  sentAt: Timestamp
  /** Whether the operator is to read the mail and pass it on. */
  keepsText: boolean
}

/** Erases what was delivered: its links and codes are of no use to us any more. */
export async function markSent(tx: Tx, { row, sentAt, keepsText }: Sent): Promise<void> {
  const { id, forgets_recipient } = row
  const erased = { text_body: '', ...(forgets_recipient === 1 && { to_address: '' }) }
  await tx
    .updateTable('outbox')
    .set({ sent_at: sentAt, last_error: null, html_body: '', ...(!keepsText && erased) })
    .where('id', '=', id)
    .execute()
}

interface Failure extends Pick<Lease, 'id' | 'attempts'> {
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

export type MailState = 'waiting' | 'retrying' | 'failed' | 'sent'

export interface MailQuery {
  state?: MailState | undefined
  limit: number
  offset: number
}

const COLUMNS = [
  'id',
  'to_address',
  'subject',
  'attempts',
  'last_error',
  'not_before',
  'created_at',
  'sent_at',
] as const

export type ListedMail = Pick<OutboxTable, (typeof COLUMNS)[number]>

/** Mails of the outbox, the newest first, without their text. */
export function listMails(db: Db, { state, limit, offset }: MailQuery): Promise<ListedMail[]> {
  let mails = db.selectFrom('outbox').select(COLUMNS)
  if (state === 'sent') mails = mails.where('sent_at', 'is not', null)
  else if (state !== undefined) {
    mails = mails
      .where('sent_at', 'is', null)
      .where('not_before', state === 'failed' ? '=' : '!=', NEVER)
    if (state === 'retrying') mails = mails.where('last_error', 'is not', null)
    if (state === 'waiting') mails = mails.where('last_error', 'is', null)
  }
  return mails
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export function findMail(db: Db, id: string) {
  return db
    .selectFrom('outbox')
    .select([...COLUMNS, 'text_body'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function stateOf({ sent_at, not_before: due, last_error }: ListedMail) {
  if (sent_at !== null) return 'sent'
  if (due === NEVER) return 'failed'
  return last_error === null ? 'waiting' : 'retrying'
}

/** Makes a mail that waits or was given up due now. @returns false where there is none */
export async function makeDue(tx: Tx, id: string, now: Timestamp): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ not_before: now, attempts: 0 })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function countUnsent(db: Db): Promise<{ waiting: number; failed: number }> {
  const counts = await db
    .selectFrom('outbox')
    .select((eb) => [
      eb.fn.countAll().as('all'),
      eb.fn.count(eb.case().when('not_before', '=', NEVER).then(1).end()).as('failed'),
    ])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  const failed = Number(counts.failed)
  return { waiting: Number(counts.all) - failed, failed }
}
