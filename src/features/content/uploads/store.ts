import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { UploadsTable } from '../../../platform/db/tables.ts'

/** @returns false where there is an upload with that id */
export async function insertUpload(tx: Tx, row: UploadsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('uploads')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function hasUpload(db: Db, id: string): Promise<boolean> {
  const uploads = db.selectFrom('uploads').select('id').where('id', '=', id)
  return (await uploads.executeTakeFirst()) !== undefined
}

export function findUpload(
  db: Db,
  { accountId, id, now }: { accountId: string; id: string; now: string },
) {
  return db
    .selectFrom('uploads')
    .select(['hash', 'size_bytes'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function hasExpiredUploads(db: Db, now: string): Promise<boolean> {
  const expired = db.selectFrom('uploads').select('id').where('expires_at', '<=', now)
  return (await expired.limit(1).executeTakeFirst()) !== undefined
}

export async function sumUploads(db: Db, accountId: string, ids: string[]): Promise<number> {
  const { bytes } = await db
    .selectFrom('uploads')
    .select(({ fn }) => fn.sum<number | null>('size_bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

export interface Pending {
  uploads: number
  upload_bytes: number
}

/** @param query `isUsed`: whether a page has the bytes of a hash */
export async function findPending(
  db: Db,
  { accountId, now, isUsed }: { accountId: string; now: string; isUsed: typeof isUploaded },
): Promise<Pending> {
  const { uploads, bytes } = await db
    .selectFrom('uploads')
    .select(({ fn }) => [fn.countAll<number>().as('uploads'), fn.sum('size_bytes').as('bytes')])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where(({ not, ref }) => not(isUsed(ref('uploads.hash'))))
    .executeTakeFirstOrThrow()
  return { uploads: Number(uploads), upload_bytes: Number(bytes ?? 0) }
}

/** @returns the hashes of their blobs */
export async function deleteExpiredUploads(tx: Tx, now: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('uploads')
    .where('expires_at', '<=', now)
    .returning('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

/** @returns the hashes of their blobs */
export async function deleteUploadsOf(tx: Tx, accountId: string): Promise<string[]> {
  const uploads = tx.deleteFrom('uploads').where('account_id', '=', accountId)
  return (await uploads.returning('hash').execute()).map(({ hash }) => hash)
}

/** Whether an upload has the bytes of this hash, for queries of blobs. */
export function isUploaded(hash: Expression<unknown>) {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM uploads WHERE uploads.hash = ${hash})`
}
