import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rawList, rawRow, rawValues, rawWrite } from '../../platform/db/raw.ts'
import { countBy, rowBy, rowsBy, rowsInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { hasManifest } from '../content/index.ts'

const RECORD = ['version_no', 'source', 'label', 'size_bytes', 'created_at'] as const

export const findNewest = rawRow<
  Pick<
    Tables['versions'],
    'version_no' | 'source' | 'manifest_id' | 'label' | 'via' | 'created_at'
  >,
  [pageId: string]
>(`
  SELECT version_no, source, manifest_id, label, via, created_at FROM versions
  WHERE page_id = $1 ORDER BY version_no DESC LIMIT 1`)

export const insertVersions = rowsInto('versions')

/** @returns the record of the version; undefined where it is not there */
export function updateVersion(
  tx: Tx,
  { pageId, versionNo }: { pageId: string; versionNo: number },
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

export const listVersions = rowsBy('versions', ['page_id'], {
  columns: [...RECORD, 'via', 'key_name', 'manifest_id'],
  order: 'version_no DESC',
})
export const countVersions = countBy('versions', 'page_id')

export const findVersion = rowBy('versions', ['page_id', 'version_no'], [...RECORD, 'manifest_id'])

/** The newest kept version with this content. */
export const findNewestWith = rawRow<{ version_no: number }, [pageId: string, manifestId: string]>(`
  SELECT version_no FROM versions WHERE page_id = $1 AND manifest_id = $2
  ORDER BY version_no DESC LIMIT 1`)

export type DeletedVersion = Pick<Tables['versions'], 'manifest_id' | 'size_bytes'>

/** Deletes the unnamed versions but the published one, the newest and `others` after it. */
export const prune = rawWrite<
  [pageId: string, others: number, publishedId: string],
  DeletedVersion
>(`
  DELETE FROM versions WHERE page_id = $1 AND label IS NULL
    AND version_no < (SELECT version_no FROM versions WHERE page_id = $1 AND label IS NULL
      ORDER BY version_no DESC LIMIT 1 OFFSET $2)
    AND version_no <> (SELECT coalesce(max(version_no), 0) FROM versions
      WHERE page_id = $1 AND manifest_id = $3)
  RETURNING manifest_id, size_bytes`)
/** @param versionNo the only one; all of the page unless given */
export function deleteVersions(tx: Tx, pageId: string, versionNo?: number) {
  const versions = tx.deleteFrom('versions').where('page_id', '=', pageId)
  const some = versionNo === undefined ? versions : versions.where('version_no', '=', versionNo)
  return some.returning(['manifest_id', 'size_bytes']).execute()
}

export async function manifestsInUse(db: Db, ids: string[]): Promise<string[]> {
  return (await selectInUse(db, ids)).map((row) => row.manifest_id)
}
const selectInUse = rawList<{ manifest_id: string }>(
  (ids) => `SELECT DISTINCT manifest_id FROM versions WHERE manifest_id IN ${ids}`,
)

/** @returns the number of the edit */
export const insertEdit = rawRow<
  Pick<Tables['file_edits'], 'edit_no'>,
  [pageId: string, fromHash: string, toHash: string, splices: string, createdAt: Timestamp]
>(`
  INSERT INTO file_edits (page_id, edit_no, from_hash, to_hash, splices, created_at)
  VALUES ($1, (SELECT coalesce(max(edit_no), 0) + 1 FROM file_edits WHERE page_id = $1),
    $2, $3, $4, $5) RETURNING edit_no`)

export const deleteEditsTo = rawWrite<[pageId: string, lastNo: number]>(
  'DELETE FROM file_edits WHERE page_id = $1 AND edit_no <= $2',
)

export const listEdits = rowsBy('file_edits', ['page_id'], {
  columns: ['edit_no', 'from_hash', 'to_hash'],
  order: 'edit_no',
})

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
export const findWithoutContent = rawValues<[limit: number]>(
  `SELECT DISTINCT page_id AS value FROM versions WHERE NOT ${hasManifest('manifest_id')} LIMIT $1`,
)
