import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { BlobsTable, ManifestsTable, UploadsTable } from '../../platform/db/tables.ts'

export type BlobRow = Selectable<BlobsTable>

export function findBlob(db: Db, hash: string): Promise<BlobRow | undefined> {
  return db.selectFrom('blobs').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Keeps what is there already, and says under which key that is. */
export async function upsertBlob(tx: Tx, row: BlobRow): Promise<string | null> {
  const { storage_key } = await tx
    .insertInto('blobs')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ touched_at: row.touched_at }))
    .returning('storage_key')
    .executeTakeFirstOrThrow()
  return storage_key
}

/** @returns how many of the hashes are there */
export async function touchBlobs(tx: Tx, hashes: string[], now: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ touched_at: now })
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function upsertManifest(tx: Tx, row: Insertable<ManifestsTable>): Promise<void> {
  await tx
    .insertInto('manifests')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        touched_at: row.touched_at,
        release: eb.fn.coalesce('excluded.release', 'manifests.release'),
      })),
    )
    .execute()
}

export async function linkBlobs(tx: Tx, manifest_id: string, hashes: string[]): Promise<void> {
  await tx
    .insertInto('manifest_blobs')
    .values(hashes.map((hash) => ({ manifest_id, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export function findManifest(db: Db, id: string) {
  return db
    .selectFrom('manifests')
    .select(['manifest', 'release'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findOutlines(db: Db, ids: string[]) {
  return db
    .selectFrom('manifests')
    .select(['id', 'kind', 'entry', 'html_count', 'size_bytes', 'file'])
    .where('id', 'in', ids)
    .execute()
}

export async function insertUpload(tx: Tx, row: UploadsTable): Promise<void> {
  await tx.insertInto('uploads').values(row).execute()
}

export function findUpload(db: Db, account_id: string, id: string, now: string) {
  return db
    .selectFrom('uploads')
    .select(['hash', 'size_bytes'])
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}
