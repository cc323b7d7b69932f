import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import { prepared } from '../../platform/db/prepared.ts'
import type { BlobsTable, ManifestsTable, UploadsTable } from '../../platform/db/tables.ts'

export type BlobRow = Selectable<BlobsTable>

export function findBlob(db: Db, hash: string): Promise<BlobRow | undefined> {
  return db.selectFrom('blobs').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Keeps what is there already, and says under which key that is. */
export async function upsertBlob(tx: Tx, row: BlobRow): Promise<string | null> {
  return (await insertBlob(tx, row)).rows[0]!.storage_key
}
const insertBlob = prepared((tx: Tx, row: BlobRow) =>
  tx
    .insertInto('blobs')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ touched_at: row.touched_at }))
    .returning('storage_key'),
)

/** @returns how many of the hashes are there */
export async function touchBlobs(tx: Tx, hashes: string[], now: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ touched_at: now })
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export const upsertManifest = prepared((tx: Tx, row: Insertable<ManifestsTable>) =>
  tx
    .insertInto('manifests')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        touched_at: row.touched_at,
        release: eb.fn.coalesce('excluded.release', 'manifests.release'),
      })),
    ),
)

export async function linkBlobs(tx: Tx, manifestId: string, hashes: string[]): Promise<void> {
  await tx
    .insertInto('manifest_blobs')
    .values(hashes.map((hash) => ({ manifest_id: manifestId, hash })))
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
  return (
    db
      .selectFrom('manifests')
      .select(['id', 'kind', 'entry', 'html_count', 'size_bytes', 'file'])
      // A deck's names each of its files: too much to read for a list.
      .select((eb) =>
        eb
          .case()
          .when('kind', '=', 'single')
          .then(eb.ref('manifest'))
          .else(null)
          .end()
          .as('single'),
      )
      .where('id', 'in', ids)
      .execute()
  )
}

export async function insertUpload(tx: Tx, row: UploadsTable): Promise<void> {
  await tx.insertInto('uploads').values(row).execute()
}

export function findUpload(db: Db, accountId: string, id: string, now: string) {
  return db
    .selectFrom('uploads')
    .select(['hash', 'size_bytes'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Some may be named twice, which PostgreSQL would refuse in one statement. */
export async function markLooseBlobs(tx: Tx, hashes: string[], since: string): Promise<void> {
  if (hashes.length === 0) return
  await tx
    .insertInto('loose_blobs')
    .values([...new Set(hashes)].map((hash) => ({ hash, since })))
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ since }))
    .execute()
}

/** The same for manifests. */
export async function markLooseManifests(tx: Tx, ids: string[], since: string): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('loose_manifests')
    .values([...new Set(ids)].map((id) => ({ id, since })))

    .onConflict((conflict) => conflict.column('id').doUpdateSet({ since }))
    .execute()
}

export async function listLooseManifests(db: Db, before: string, limit: number) {
  const rows = await db
    .selectFrom('loose_manifests')
    .select('id')
    .where('since', '<', before)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function listLooseBlobs(db: Db, before: string, limit: number) {
  const rows = await db
    .selectFrom('loose_blobs')
    .select('hash')
    .where('since', '<', before)
    .limit(limit)
    .execute()
  return rows.map(({ hash }) => hash)
}

/** @returns the blobs they held, which may have lost their last reference with them */
export async function deleteManifests(tx: Tx, ids: string[], before: string): Promise<string[]> {
  if (ids.length === 0) return []
  const blobs = await tx
    .selectFrom('manifest_blobs')
    .select('hash')
    .distinct()
    .where('manifest_id', 'in', ids)
    .execute()
  await tx.deleteFrom('manifests').where('id', 'in', ids).where('touched_at', '<', before).execute()
  return blobs.map(({ hash }) => hash)
}

/**
 * These have been looked at. What was marked anew meanwhile is left, and so is what was touched
 * meanwhile: nobody else would look at it again if nothing comes to refer to it.
 */
export async function settleLooseManifests(tx: Tx, ids: string[], before: string): Promise<void> {
  await tx
    .updateTable('loose_manifests')
    .from('manifests')
    .set((eb) => ({ since: eb.ref('manifests.touched_at') }))
    .whereRef('manifests.id', '=', 'loose_manifests.id')
    .where('manifests.touched_at', '>=', before)
    .where('loose_manifests.id', 'in', ids)
    .execute()
  await tx
    .deleteFrom('loose_manifests')
    .where('id', 'in', ids)
    .where('since', '<', before)
    .execute()
}

/** The same for blobs. */
export async function settleLooseBlobs(tx: Tx, hashes: string[], before: string): Promise<void> {
  await tx
    .updateTable('loose_blobs')
    .from('blobs')
    .set((eb) => ({ since: eb.ref('blobs.touched_at') }))
    .whereRef('blobs.hash', '=', 'loose_blobs.hash')
    .where('blobs.touched_at', '>=', before)
    .where('loose_blobs.hash', 'in', hashes)
    .execute()
  await tx
    .deleteFrom('loose_blobs')
    .where('hash', 'in', hashes)
    .where('since', '<', before)
    .execute()
}

/** @returns the storage keys of what was deleted: nothing refers to them any more */
export async function deleteBlobs(tx: Tx, hashes: string[], before: string): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('blobs')
    .where('hash', 'in', hashes)
    .where('touched_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('manifest_blobs')
            .select('manifest_id')
            .whereRef('manifest_blobs.hash', '=', 'blobs.hash'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('uploads').select('id').whereRef('uploads.hash', '=', 'blobs.hash'))),
    )
    .returning('storage_key')
    .execute()
  return deleted.flatMap(({ storage_key: storageKey }) => storageKey ?? [])
}

/** @returns the hashes they held */
export async function deleteExpiredUploads(tx: Tx, now: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('uploads')
    .where('expires_at', '<=', now)
    .returning('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Which of these keys a blob is kept under. */
export async function keysInUse(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('blobs')
    .select('storage_key')
    .where('storage_key', 'in', keys)
    .execute()
  return new Set(rows.flatMap(({ storage_key: storageKey }) => storageKey ?? []))
}
