import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Database } from '../../platform/db/index.ts'
import { raw, rawChange, rawOne, rawRow, rawWrite } from '../../platform/db/raw.ts'
import { deleteBy, rowBy, rowsInto, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { isInForce } from '../accounts/index.ts'
import { sequence } from '../events/index.ts'

export type WebhooksTable = Tables['webhooks']
export type WebhookDeliveriesTable = Tables['webhook_deliveries']

/** A webhook that came with an API key ends with it: a stolen key can then be revoked whole. */
const hasValidKey = (table: string) =>
  `(${table}.key_id IS NULL OR ${isInForce(`${table}.key_id`, '$2')})`

export interface ListedWebhook extends WebhooksTable {
  has_valid_key: number
}

export const insertDeliveries = rowsInto('webhook_deliveries')

export const insert = rowsInto('webhooks')

export const listOf = raw<ListedWebhook, [accountId: string, now: Timestamp]>(`
  SELECT webhooks.*, CASE WHEN ${hasValidKey('webhooks')} THEN 1 ELSE 0 END AS has_valid_key
  FROM webhooks WHERE account_id = $1 ORDER BY created_at, id`)

/** Any webhook, whose secret is sealed with the key of the server. */
export const findAny = rawRow<WebhooksTable, []>('SELECT * FROM webhooks LIMIT 1')

export const update = updateBy('webhooks', 'id')

/** @returns false where it is off already, or has another address since */
export const switchOff = rawChange<[id: string, url: string, reason: string]>(`
  UPDATE webhooks SET off_reason = $3 WHERE id = $1 AND url = $2 AND off_reason IS NULL
  RETURNING id`)

export const remove = deleteBy('webhooks', 'id')
export const removeWebhooks = deleteBy('webhooks', 'account_id')

/** `$2` is now, and `$3` a time that only a clock that was set back since can have stored. */
const isPast = (column: string) => `(${column} <= $2 OR ${column} > $3)`
const isLeased = (column: string) => `(${column} > $2 AND ${column} <= $3)`

const claimStatement = (lock: string) => `
  UPDATE webhooks SET leased_until = $1 WHERE id = (
    SELECT id FROM webhooks AS due
    WHERE off_reason IS NULL AND ${hasValidKey('due')}
      AND ${isPast('due_at')} AND ${isPast('leased_until')}
      AND (last_number < ${sequence.lastNumberOf('due.account_id')}
        OR EXISTS (SELECT 1 FROM webhook_deliveries AS waiting
          WHERE waiting.webhook_id = due.id AND state = 'waiting' AND ${isPast('waiting.due_at')}))
      AND (SELECT count(*) FROM webhooks AS other WHERE other.account_id = due.account_id
        AND ${isLeased('other.leased_until')}) < $4
      AND (SELECT count(*) FROM webhooks AS other WHERE other.host = due.host
        AND ${isLeased('other.leased_until')}) < $5
    ORDER BY due_at LIMIT 1 ${lock})
  RETURNING *`

type Claim = [
  until: Timestamp,
  now: Timestamp,
  implausible: Timestamp,
  ofAccount: number,
  ofHost: number,
]

/** Leases the next webhook that has something to send, unless too many of its kind have theirs. */
export const claim: Record<
  Database['engine'],
  ReturnType<typeof rawWrite<Claim, WebhooksTable>>
> = {
  sqlite: rawWrite(claimStatement('')),
  postgres: rawWrite(claimStatement('FOR UPDATE OF due SKIP LOCKED')),
}

/** @returns false where another node has it since, it was switched off, or its key is no more */
export const renew = rawChange<[id: string, now: Timestamp, from: Timestamp, to: Timestamp]>(`
  UPDATE webhooks SET leased_until = $4 WHERE id = $1 AND leased_until = $3
    AND off_reason IS NULL AND ${hasValidKey('webhooks')} RETURNING id`)

export const release = rawWrite<[id: string, from: Timestamp, dueAt: Timestamp, now: Timestamp]>(`
  UPDATE webhooks SET leased_until = $4, due_at = $3 WHERE id = $1 AND leased_until = $2`)

/** @returns false where the number is another one since: another node made these deliveries */
export const advance = rawChange<[id: string, from: number, to: number]>(`
  UPDATE webhooks SET last_number = $3 WHERE id = $1 AND last_number = $2 RETURNING id`)

export const waitingOf = rawOne<{ count: number; bytes: number }, [webhookId: string]>(`
  SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes FROM webhook_deliveries
  WHERE webhook_id = $1 AND state = 'waiting'`)

/** The next delivery that is due, the oldest first. `$1` stands for its webhook. */
export const nextDue = raw<
  WebhookDeliveriesTable,
  [webhookId: string, now: Timestamp, implausible: Timestamp]
>(`
  SELECT * FROM webhook_deliveries
  WHERE webhook_id = $1 AND state = 'waiting' AND ${isPast('due_at')}
  ORDER BY number LIMIT 1`)

/** Only while its attempts are as many: another node may have sent it as well. */
export const record = updateBy('webhook_deliveries', 'id', 'attempts')

/** What waits is tried anew. */
export const retryWaiting = rawWrite<[webhookId: string, now: Timestamp]>(`
  UPDATE webhook_deliveries SET attempts = 0, due_at = $2
  WHERE webhook_id = $1 AND state = 'waiting'`)

export const findDelivery = rowBy('webhook_deliveries', ['webhook_id', 'id'])

export const listDeliveries = raw<
  WebhookDeliveriesTable,
  [webhookId: string, limit: number, offset: number]
>(`
  SELECT * FROM webhook_deliveries WHERE webhook_id = $1
  ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`)

/** Keeps of those that do not wait the newest `$2`, up to `$3` bytes. */
export const prune = rawWrite<[webhookId: string, count: number, bytes: number]>(`
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER newest AS place, sum(size_bytes) OVER newest AS bytes
      FROM webhook_deliveries WHERE webhook_id = $1 AND state <> 'waiting'
      WINDOW newest AS (ORDER BY created_at DESC, id DESC)) AS done
    WHERE place > $2 OR bytes > $3)`)

/** Deletes what was done before a time, and what has waited since an earlier one. */
export const deleteOld = deletionOf<[done: Timestamp, waiting: Timestamp]>(
  'webhook_deliveries',
  'id',
  `created_at < CASE state WHEN 'waiting' THEN $2 ELSE $1 END`,
)
