import type { Timestamp } from '../../platform/clock.ts'
import { rawWrite } from '../../platform/db/raw.ts'
import { rowBy, rowsInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type AsksTable = Tables['asks']

export const insert = rowsInto('asks')

export const find = rowBy('asks', ['account_id', 'id'])

export const cancel = rawWrite<[id: string, now: Timestamp]>(`
  UPDATE asks SET cancelled_at = $2 WHERE id = $1 AND cancelled_at IS NULL`)

/** Deletes all but the newest `$2` of an account. */
export const deleteOld = rawWrite<[accountId: string, most: number]>(`
  DELETE FROM asks WHERE account_id = $1 AND id NOT IN (
    SELECT id FROM asks WHERE account_id = $1 ORDER BY id DESC LIMIT $2)`)
