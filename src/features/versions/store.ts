import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import { prepared } from '../../platform/db/prepared.ts'
import type { Tables, VersionsTable } from '../../platform/db/tables.ts'

const RECORD = ['version_no', 'source', 'label', 'size_bytes', 'created_at'] as const

const selectNewest = prepared((db: Db, { page_id }: { page_id: string }) =>
  db
    .selectFrom('versions')
    .select(['version_no', 'source', 'manifest_id'])
    .where('page_id', '=', page_id)
    .orderBy('version_no', 'desc')
    .limit(1),
)

export async function findNewest(db: Db, page_id: string) {
  return (await selectNewest(db, { page_id })).rows[0]
}

export const insertVersion = prepared((tx: Tx, row: Insertable<VersionsTable>) =>
  tx.insertInto('versions').values(row),
)

export async function setSource(tx: Tx, page_id: string, version_no: number, source: string) {
  await tx
    .updateTable('versions')
    .set({ source })
    .where('page_id', '=', page_id)
    .where('version_no', '=', version_no)
    .execute()
}

export function listVersions(db: Db, page_id: string) {
  return db
    .selectFrom('versions')
    .select(RECORD)
    .where('page_id', '=', page_id)
    .orderBy('version_no', 'desc')
    .execute()
}

export function findVersion(db: Db, page_id: string, version_no: number) {
  return db
    .selectFrom('versions')
    .select([...RECORD, 'manifest_id'])
    .where('page_id', '=', page_id)
    .where('version_no', '=', version_no)
    .executeTakeFirst()
}

export function setLabel(tx: Tx, page_id: string, version_no: number, label: string | null) {
  return tx
    .updateTable('versions')
    .set({ label })
    .where('page_id', '=', page_id)
    .where('version_no', '=', version_no)
    .returning(RECORD)
    .executeTakeFirst()
}

/**
 * Deletes unnamed versions older than the newest `keep`, but never the one that is live.
 *
 * @returns the manifests they pointed at
 */
export async function prune(
  tx: Tx,
  page_id: string,
  { keep, live_id }: { keep: number; live_id: string | null },
): Promise<string[]> {
  const oldest_kept = tx
    .selectFrom('versions')
    .select('version_no')
    .where('page_id', '=', page_id)
    .where('label', 'is', null)
    .orderBy('version_no', 'desc')
    .offset(keep - 1)
    .limit(1)
  const live = tx
    .selectFrom('versions')
    .select((eb: ExpressionBuilder<Tables, 'versions'>) =>
      eb.fn.coalesce(eb.fn.max('version_no'), sql<number>`0`).as('version_no'),
    )
    .where('page_id', '=', page_id)
    .where('manifest_id', '=', live_id ?? '')
  const deleted = await tx
    .deleteFrom('versions')
    .where('page_id', '=', page_id)
    .where('label', 'is', null)
    .where('version_no', '<', oldest_kept)
    .where('version_no', '!=', live)
    .returning('manifest_id')
    .execute()
  return deleted.map(({ manifest_id }) => manifest_id)
}

export async function deleteAll(tx: Tx, page_id: string): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('versions')
    .where('page_id', '=', page_id)
    .returning('manifest_id')
    .execute()
  return deleted.map(({ manifest_id }) => manifest_id)
}

export async function manifestsInUse(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('versions')
    .select('manifest_id')
    .distinct()
    .where('manifest_id', 'in', ids)
    .execute()
  return rows.map(({ manifest_id }) => manifest_id)
}
