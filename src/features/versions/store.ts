import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import { prepared, preparedRows, rawCount, rawRow } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { hasManifest } from '../content/index.ts'

const RECORD = ['version_no', 'source', 'label', 'size_bytes', 'created_at'] as const

const selectNewest = prepared((db: Db, { page_id }: { page_id: string }) =>
  db
    .selectFrom('versions')
    .select(['version_no', 'source', 'manifest_id', 'label', 'via', 'created_at'])
    .where('page_id', '=', page_id)
    .orderBy('version_no', 'desc')
    .limit(1),
)

export async function findNewest(db: Db, pageId: string) {
  return (await selectNewest(db, { page_id: pageId })).rows[0]
}

export const insertVersions = preparedRows(
  (tx: Tx, rows: readonly Insertable<Tables['versions']>[]) =>
    tx.insertInto('versions').values(rows),
)

interface VersionKey {
  pageId: string
  versionNo: number
}

/** @returns the record of the version; undefined where it is not there */
export function updateVersion(
  tx: Tx,
  { pageId, versionNo }: VersionKey,
  values: Partial<Pick<Tables['versions'], 'source' | 'label' | 'via' | 'key_name'>>,
) {
  return tx
    .updateTable('versions')
    .set(values)
    .where('page_id', '=', pageId)
    .where('version_no', '=', versionNo)
    .returning(RECORD)
    .executeTakeFirst()
}

export function listVersions(db: Db, pageId: string) {
  return db
    .selectFrom('versions')
    .select([...RECORD, 'via', 'key_name', 'manifest_id'])
    .where('page_id', '=', pageId)
    .orderBy('version_no', 'desc')
    .execute()
}

export const countVersions = rawCount<[pageId: string]>(
  'SELECT count(*) AS count FROM versions WHERE page_id = $1',
)

export function findVersion(db: Db, { pageId, versionNo }: VersionKey) {
  return db
    .selectFrom('versions')
    .select([...RECORD, 'manifest_id'])
    .where('page_id', '=', pageId)
    .where('version_no', '=', versionNo)
    .executeTakeFirst()
}

/** The newest kept version with this content. */
export const findNewestWith = rawRow<{ version_no: number }, [pageId: string, manifestId: string]>(`
  SELECT version_no FROM versions WHERE page_id = $1 AND manifest_id = $2
  ORDER BY version_no DESC LIMIT 1`)

/** Deletes the unnamed versions but the newest `keep` and the published one. */
export async function prune(
  tx: Tx,
  pageId: string,
  { keep, publishedId }: { keep: number; publishedId: string | null },
): Promise<DeletedVersions> {
  const oldest = tx
    .selectFrom('versions')
    .select('version_no')
    .where('page_id', '=', pageId)
    .where('label', 'is', null)
    .orderBy('version_no', 'desc')
    .offset(keep - 1)
    .limit(1)
  const newestPublished = tx
    .selectFrom('versions')
    .select((eb: ExpressionBuilder<Tables, 'versions'>) =>
      eb.fn.coalesce(eb.fn.max('version_no'), sql<number>`0`).as('version_no'),
    )
    .where('page_id', '=', pageId)
    .where('manifest_id', '=', publishedId ?? '')
  const rows = await tx
    .deleteFrom('versions')
    .where('page_id', '=', pageId)
    .where('label', 'is', null)
    .where('version_no', '<', oldest)
    .where('version_no', '!=', newestPublished)
    .returning(['manifest_id', 'size_bytes'])
    .execute()
  return deletedOf(rows)
}

/** @param versionNo the only one; all of the page unless given */
export async function deleteVersions(
  tx: Tx,
  pageId: string,
  versionNo?: number,
): Promise<DeletedVersions> {
  const versions = tx.deleteFrom('versions').where('page_id', '=', pageId)
  const rows = versionNo === undefined ? versions : versions.where('version_no', '=', versionNo)
  return deletedOf(await rows.returning(['manifest_id', 'size_bytes']).execute())
}

export interface DeletedVersions {
  manifestIds: string[]
  bytes: number
}

function deletedOf(
  rows: Pick<Tables['versions'], 'manifest_id' | 'size_bytes'>[],
): DeletedVersions {
  return {
    manifestIds: rows.map((row) => row.manifest_id),
    bytes: rows.reduce((sum, row) => sum + row.size_bytes, 0),
  }
}

export async function manifestsInUse(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('versions')
    .select('manifest_id')
    .distinct()
    .where('manifest_id', 'in', ids)
    .execute()
  return rows.map((row) => row.manifest_id)
}

/** @returns the number of the edit */
export async function insertEdit(
  tx: Tx,
  row: Omit<Insertable<Tables['file_edits']>, 'edit_no'>,
): Promise<number> {
  const { edit_no } = await tx
    .insertInto('file_edits')
    .values((eb) => ({
      ...row,
      edit_no: eb
        .selectFrom('file_edits')
        .select(sql<number>`coalesce(max(edit_no), 0) + 1`.as('next'))
        .where('page_id', '=', row.page_id),
    }))
    .returning('edit_no')
    .executeTakeFirstOrThrow()
  return edit_no
}

export async function deleteEditsTo(tx: Tx, pageId: string, lastNo: number): Promise<void> {
  await tx
    .deleteFrom('file_edits')
    .where('page_id', '=', pageId)
    .where('edit_no', '<=', lastNo)
    .execute()
}

export function listEdits(db: Db, pageId: string) {
  return db
    .selectFrom('file_edits')
    .select(['edit_no', 'from_hash', 'to_hash'])
    .where('page_id', '=', pageId)
    .orderBy('edit_no')
    .execute()
}

/** @returns the splices of these edits, by number */
export async function findSplices(
  db: Db,
  pageId: string,
  editNos: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('file_edits')
    .select(['edit_no', 'splices'])
    .where('page_id', '=', pageId)
    .where('edit_no', 'in', editNos)
    .execute()
  return new Map(rows.map(({ edit_no, splices }) => [edit_no, splices]))
}

/** Versions whose content is not stored. @returns the ids of their pages */
export async function findWithoutContent(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('versions')
    .select('page_id')
    .distinct()
    .where(({ not, ref }) => not(hasManifest(ref('manifest_id'))))
    .limit(limit)
    .execute()
  return rows.map((row) => row.page_id)
}
