import { type SqlBool, sql } from 'kysely'
import type { Paging } from '../../model/paging.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { raw, rawChange, rawOne } from '../../platform/db/raw.ts'
import { deleteBy, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** `not_before` of a mail that was given up. It is stored, so it must not change. */
export const NEVER = '9999-12-31T00:00:00.000000Z'

/** An unsent mail with the same key gets the content of this one, and keeps its own time. */
export async function insertMail(tx: Tx, row: Tables['outbox']): Promise<void> {
  const { to_address, subject, text_body, html_body, headers } = row
  const content = { to_address, subject, text_body, html_body, headers }
  const inserting = tx.insertInto('outbox').values(row)
  await inserting.onConflict((by) => by.column('dedupe_key').doUpdateSet(content)).execute()
}

/** Deletes the mails that wait and have a key with this beginning. */
export async function deleteWaiting(tx: Tx, beginning: string): Promise<void> {
  const key = sql`substr(dedupe_key, 1, ${sql.lit(beginning.length)})`
  const waiting = tx.deleteFrom('outbox').where('sent_at', 'is', null)
  await waiting.where(sql<SqlBool>`${key} = ${beginning}`).execute()
}

const claimStatement = (lock: string) => `
  UPDATE outbox SET not_before = $1, attempts = attempts + 1, dedupe_key = NULL
  WHERE id = (SELECT id FROM outbox WHERE sent_at IS NULL AND not_before <= $2
      ORDER BY not_before LIMIT 1 ${lock})
    AND sent_at IS NULL AND not_before <= $2 RETURNING *`

/**
 * Leases the next mail that is due by `$2` until `$1`: no other worker gets it before the lease
 * ends. The mail loses its key, so that a later mail with that key does not replace one that is
 * being sent. On PostgreSQL, a worker that claims at the same time gets the next mail.
 */
export const claim: Record<Database['engine'], ReturnType<typeof raw<Tables['outbox']>>> = {
  sqlite: raw<Tables['outbox']>(claimStatement('')),
  postgres: raw<Tables['outbox']>(claimStatement('FOR UPDATE SKIP LOCKED')),
}

/** Makes mails due at `$2` that wait for the first time, and were created after `$1`, a future. */
export const sendNew = raw(`
  UPDATE outbox SET not_before = $2
  WHERE sent_at IS NULL AND attempts = 0 AND created_at > $1 AND not_before > $2`)

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
  const waiting = tx.updateTable('outbox').set({ not_before: soon }).where('sent_at', 'is', null)
  const retried = waiting
    .where('not_before', '<>', NEVER)
    .where((eb) =>
      eb.or(
        due.map((at, nth) => eb.and([eb('attempts', '=', nth + 1), eb('not_before', '>', at)])),
      ),
    )
  await retried.execute()
}

/** Of mail `$1`, by its attempts: a worker whose lease is over must not change the mail. */
const IS_LEASED = 'id = $1 AND attempts = $2 AND sent_at IS NULL'

export const deleteMail = deleteBy('outbox', 'id')

export const renewLease = raw(`UPDATE outbox SET not_before = $3 WHERE ${IS_LEASED}`)

export interface Sent {
  row: Pick<Tables['outbox'], 'id' | 'forgets_recipient'>
  sentAt: Timestamp
  /** Whether the operator is to read the mail and pass it on. */
  keepsText: boolean
}

/** Erases what was delivered: its links and codes are of no use to us any more. */
export async function markSent(tx: Tx, { row, sentAt, keepsText }: Sent): Promise<void> {
  const { id, forgets_recipient } = row
  const erased = { text_body: '', ...(forgets_recipient === 1 && { to_address: '' }) }
  const columns = { sent_at: sentAt, last_error: null, html_body: '', ...(!keepsText && erased) }
  await update(tx, [id], columns)
}
const update = updateBy('outbox', 'id')

/** It is tried again at `$4`. @returns false where the mail is not this worker's any more */
export const markFailed = rawChange<
  [id: string, attempts: number, error: string, retryAt: Timestamp | typeof NEVER]
>(`UPDATE outbox SET last_error = $3, not_before = $4 WHERE ${IS_LEASED} RETURNING id`)

/** Deletes mails that were sent, or created and given up, before that time. */
export const deleteDone = deletionOf<[before: Timestamp]>(
  'outbox',
  'id',
  `sent_at < $1 OR (sent_at IS NULL AND not_before = '${NEVER}' AND created_at < $1)`,
)

/** Deletes the mails to an address that are done. */
export const deleteDoneTo = raw(`
  DELETE FROM outbox
  WHERE to_address = $1 AND (sent_at IS NOT NULL OR not_before = '${NEVER}')`)

export interface MailQuery extends Paging {
  state?: ReturnType<typeof stateOf> | undefined
}

const COLUMNS = [
  ...(['id', 'to_address', 'subject', 'attempts', 'last_error', 'not_before'] as const),
  ...(['created_at', 'sent_at'] as const),
] as const

export type ListedMail = Pick<Tables['outbox'], (typeof COLUMNS)[number]>

const STATES = {
  sent: sql<SqlBool>`sent_at IS NOT NULL`,
  failed: sql<SqlBool>`sent_at IS NULL AND not_before = ${NEVER}`,
  retrying: sql<SqlBool>`sent_at IS NULL AND not_before <> ${NEVER} AND last_error IS NOT NULL`,
  waiting: sql<SqlBool>`sent_at IS NULL AND not_before <> ${NEVER} AND last_error IS NULL`,
}

/** Mails of the outbox, the newest first, without their text. */
export function listMails(db: Db, { state, limit, offset }: MailQuery): Promise<ListedMail[]> {
  const all = db.selectFrom('outbox').select(COLUMNS)
  const mails = state === undefined ? all : all.where(STATES[state])
  const newest = mails.orderBy('created_at', 'desc').orderBy('id', 'desc')
  return newest.limit(limit).offset(offset).execute()
}

export const findMail = raw<Tables['outbox']>('SELECT * FROM outbox WHERE id = $1')

export function stateOf({ sent_at, not_before: due, last_error }: ListedMail) {
  if (sent_at !== null) return 'sent'
  if (due === NEVER) return 'failed'
  return last_error === null ? 'waiting' : 'retrying'
}

/** Makes a mail that waits or was given up due now. @returns false where it was sent */
export const makeDue = rawChange<[id: string, now: Timestamp]>(`
  UPDATE outbox SET not_before = $2, attempts = 0 WHERE id = $1 AND sent_at IS NULL RETURNING id`)

export const countUnsent = rawOne<{ waiting: number; failed: number }, []>(`
  SELECT count(CASE WHEN not_before <> '${NEVER}' THEN 1 END) AS waiting,
    count(CASE WHEN not_before = '${NEVER}' THEN 1 END) AS failed
  FROM outbox WHERE sent_at IS NULL`)
