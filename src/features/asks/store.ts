import type { Timestamp } from '../../platform/clock.ts'
import { rowsInto } from '../../platform/db/chunks.ts'
import type { Db } from '../../platform/db/index.ts'
import { rawWrite } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type AsksTable = Tables['asks']

export const insert = rowsInto('asks')

export function find(
  db: Db,
  { id, accountId }: { id: string; accountId: string },
): Promise<AsksTable | undefined> {
  const own = db.selectFrom('asks').selectAll().where('account_id', '=', accountId)
  return own.where('id', '=', id).executeTakeFirst()
}

export const cancel = rawWrite<[id: string, now: Timestamp]>(`
  UPDATE asks SET cancelled_at = $2 WHERE id = $1 AND cancelled_at IS NULL`)

/** Deletes all but the newest `$2` of an account. */
export const deleteOld = rawWrite<[accountId: string, most: number]>(`
  DELETE FROM asks WHERE account_id = $1 AND id NOT IN (
    SELECT id FROM asks WHERE account_id = $1 ORDER BY id DESC LIMIT $2)`)
