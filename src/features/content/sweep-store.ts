import type { Db, Tx } from '../../platform/db/index.ts'

export async function markLooseBlobs(tx: Tx, hashes: string[], since: string): Promise<void> {
  if (hashes.length === 0) return
  await tx
    .insertInto('loose_blobs')
    .values(hashes.map((hash) => ({ hash, since })))
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ since }))
    .execute()
}

export async function markLooseManifests(tx: Tx, ids: string[], since: string): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('loose_manifests')
    .values(ids.map((id) => ({ id, since })))
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
  await tx
    .deleteFrom('manifests')
    .where('id', 'in', ids)
    .where('touched_at', '<', before)
    .execute()
  return blobs.map(({ hash }) => hash)
}

export async function forgetLooseManifests(tx: Tx, ids: string[]): Promise<void> {
  await tx.deleteFrom('loose_manifests').where('id', 'in', ids).execute()
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
  await tx.deleteFrom('loose_blobs').where('hash', 'in', hashes).execute()
  return deleted.flatMap(({ storage_key }) => storage_key ?? [])
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
  return new Set(rows.flatMap(({ storage_key }) => storage_key ?? []))
}
