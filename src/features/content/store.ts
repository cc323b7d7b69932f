import { type Expression, type SqlBool, sql } from 'kysely'
import { futureTimes } from '../../platform/db/future-times.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawExists, rawList, rawRow, rawValues } from '../../platform/db/raw.ts'
import { existsBy, insertOnceInto, rowBy, rowsInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

type BlobRow = Tables['blobs']

export const findBlob = rowBy('blobs', ['hash'])

/**
 * Touches the rows of hashes that have one. No hash may be in two rows.
 *
 * @returns the storage keys in the rows, old or new
 */
export const upsertBlobs = rowsInto<'blobs', Pick<BlobRow, 'storage_key'>>('blobs', {
  ending: 'ON CONFLICT (hash) DO UPDATE SET touched_at = excluded.touched_at RETURNING storage_key',
})

export interface ContentTotals {
  files: number
  bytes: number
  /** Those in the database, which are small. */
  bytes_in_database: number
}

export const sumBlobs = rawRow<ContentTotals, []>(`
  SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes,
    coalesce(sum(CASE WHEN storage_key IS NULL THEN size_bytes END), 0) AS bytes_in_database
  FROM blobs`)

/** @returns how many of the hashes have a row */
export async function touchBlobs(tx: Tx, hashes: string[], now: string): Promise<number> {
  return (await touch(tx, hashes, now)).length
}
const touch = rawList<object, [now: string]>(
  (hashes) => `UPDATE blobs SET touched_at = $2 WHERE hash IN ${hashes} RETURNING 1 AS touched`,
)

export const upsertManifests = rowsInto('manifests', {
  ending: `ON CONFLICT (id) DO UPDATE SET touched_at = excluded.touched_at,
    release = coalesce(excluded.release, manifests.release),
    needs_origin = coalesce(excluded.needs_origin, manifests.needs_origin)`,
})

export const linkBlobs = rowsInto('manifest_blobs', { ending: 'ON CONFLICT DO NOTHING' })

export type ManifestRow = Pick<Tables['manifests'], 'manifest' | 'release'>

export const findManifest = rowBy('manifests', ['id'], ['manifest', 'release'])

/** Manifests in the order of their ids, with the start of their release. */
export const listReleases = raw<
  { id: string; start: string | null },
  [after: string, limit: number]
>(`SELECT id, substr(release, 1, 20) AS start FROM manifests WHERE id > $1 ORDER BY id LIMIT $2`)

/** `single` is the manifest of a single page. A deck's lists each of its files: too much here. */
export interface OutlineRow
  extends Pick<
    Tables['manifests'],
    'id' | 'kind' | 'entry' | 'html_count' | 'size_bytes' | 'file' | 'needs_origin'
  > {
  single: string | null
}

export const findOutlines = rawList<OutlineRow>(
  (list) => `SELECT id, kind, entry, html_count, size_bytes, file, needs_origin,
    CASE WHEN kind = 'single' THEN manifest END AS single
    FROM manifests WHERE id IN ${list}`,
)

/** The kind of content, for queries of other features. No name of a file can look like its type. */
export function contentKind(manifestId: Expression<unknown>) {
  return sql<'single' | 'bundle' | 'pdf' | 'image'>`(SELECT CASE WHEN file IS NULL THEN kind
    WHEN file LIKE '%"mime":"application/pdf"%' THEN 'pdf' ELSE 'image' END
    FROM manifests WHERE manifests.id = ${manifestId})`
}

/** Whether content is a PDF or an image of this name, with which its JSON begins. */
export function isFileNamed(manifestId: Expression<unknown>, name: string) {
  const start = `{"name":${JSON.stringify(name)},`
  return sql<SqlBool>`EXISTS (SELECT 1 FROM manifests WHERE manifests.id = ${manifestId}
    AND substr(file, 1, ${[...start].length}) = ${start})`
}

/** What may have lost its last reference, until the sweeper looks. */
function createCandidates(
  ...[table, key, content]:
    | ['gc_candidate_manifests', 'id', 'manifests']
    | ['gc_candidate_blobs', 'hash', 'blobs']
) {
  const candidates = sql.table(table)
  const id = sql.ref(key)
  const keyOf = (of: string) => sql.ref(`${of}.${key}`)

  return {
    async mark(tx: Tx, keys: readonly string[], since: string): Promise<void> {
      if (keys.length === 0) return
      // PostgreSQL refuses a statement that upserts the same row twice.
      const rows = [...new Set(keys)].map((one) => sql`(${one}, ${since})`)
      await sql`INSERT INTO ${candidates} (${id}, since) VALUES ${sql.join(rows)}
        ON CONFLICT (${id}) DO UPDATE SET since = excluded.since`.execute(tx)
    },
    async list(db: Db, before: string, limit: number): Promise<string[]> {
      const { rows } = await sql<{ key: string }>`SELECT ${id} AS key FROM ${candidates}
        WHERE since < ${before} LIMIT ${limit}`.execute(db)
      return rows.map((row) => row.key)
    },
    /**
     * Removes those that a sweep has checked. What was touched or marked after `before` stays a
     * candidate: no other write would add it if nothing refers to it.
     */
    async resolve(tx: Tx, keys: readonly string[], before: string): Promise<void> {
      const list = sql.join(keys)
      await sql`UPDATE ${candidates} SET since = touched_at FROM ${sql.table(content)}
        WHERE ${keyOf(content)} = ${keyOf(table)} AND touched_at >= ${before}
        AND ${keyOf(table)} IN (${list})`.execute(tx)
      await sql`DELETE FROM ${candidates} WHERE ${id} IN (${list}) AND since < ${before}`.execute(
        tx,
      )
    },
  }
}
export const manifestCandidates = createCandidates('gc_candidate_manifests', 'id', 'manifests')
export const blobCandidates = createCandidates('gc_candidate_blobs', 'hash', 'blobs')

/** When candidates became one, and when content of theirs was touched last. */
export const candidateTimes = [
  futureTimes('gc_candidate_manifests', 'since'),
  futureTimes('gc_candidate_blobs', 'since'),
]
export const touchedTimes = [
  futureTimes('manifests', 'touched_at', 'id IN (SELECT id FROM gc_candidate_manifests)'),
  futureTimes(
    'blobs',
    'touched_at',
    `hash IN (SELECT hash FROM gc_candidate_blobs UNION SELECT hash FROM manifest_blobs
      WHERE manifest_id IN (SELECT id FROM gc_candidate_manifests))`,
  ),
]

/** @returns how many were deleted, and hashes of blobs that may have lost their last reference */
export async function deleteManifests(tx: Tx, ids: string[], before: string) {
  const blobs = await selectLinked(tx, ids)
  const { length: deleted } = await deleteUntouched(tx, ids, before)
  return { deleted, hashes: blobs.map(({ hash }) => hash) }
}
const selectLinked = rawList<{ hash: string }>(
  (ids) => `SELECT DISTINCT hash FROM manifest_blobs WHERE manifest_id IN ${ids}`,
)
const deleteUntouched = rawList<object, [before: string]>(
  (ids) => `DELETE FROM manifests WHERE id IN ${ids} AND touched_at < $2 RETURNING 1 AS deleted`,
)

/** Deletes the blobs that nothing refers to. @returns their storage keys */
export async function deleteBlobs(tx: Tx, hashes: string[], before: string): Promise<string[]> {
  const rows = await deleteUnused(tx, hashes, before)
  return rows.flatMap((row) => row.storage_key ?? [])
}
const deleteUnused = rawList<{ storage_key: string | null }, [before: string]>(
  (hashes) => `
    DELETE FROM blobs WHERE hash IN ${hashes} AND touched_at < $2
      AND NOT ${isInManifest('blobs.hash')}
      AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.hash = blobs.hash)
    RETURNING storage_key`,
)

/** Whether the row of some blob names the storage key. */
export const isKeyInUse = existsBy('blobs', 'storage_key')

/** Blobs by hash, without their bytes. */
export const listBlobs = raw<
  Pick<BlobRow, 'hash' | 'size_bytes' | 'storage_key'>,
  [after: string, limit: number]
>('SELECT hash, size_bytes, storage_key FROM blobs WHERE hash > $1 ORDER BY hash LIMIT $2')

/** Hashes that manifests name and no blob has. */
export const findMissingBlobs = rawValues<[limit: number]>(`
  SELECT DISTINCT m.hash AS value FROM manifest_blobs m
  WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.hash = m.hash) LIMIT $1`)

/** SQL: whether some manifest has the bytes of this hash. @param hash a column */
function isInManifest(hash: string): string {
  return `EXISTS (SELECT 1 FROM manifest_blobs WHERE manifest_blobs.hash = ${hash})`
}

/** SQL for queries of other features: whether a manifest is there. @param id a column */
export function hasManifest(id: string): string {
  return `EXISTS (SELECT 1 FROM manifests WHERE manifests.id = ${id})`
}

/** @returns false where there is an upload with that id */
export const insertUpload = insertOnceInto('uploads')

export const hasUpload = existsBy('uploads', 'id')

export const findUpload = rawRow<
  Pick<Tables['uploads'], 'hash' | 'size_bytes'>,
  [accountId: string, id: string, now: string]
>(`
  SELECT hash, size_bytes FROM uploads
  WHERE account_id = $1 AND id = $2 AND expires_at > $3`)

export const hasExpiredUploads = rawExists<[now: string]>(
  'SELECT 1 FROM uploads WHERE expires_at <= $1 LIMIT 1',
)

export const listUploadSizes = rawList<{ size_bytes: number }, [accountId: string]>(
  (ids) => `SELECT size_bytes FROM uploads WHERE account_id = $2 AND id IN ${ids}`,
)

export interface Pending {
  uploads: number
  upload_bytes: number
}

/** Uploads of an account whose bytes no page has. */
export const findPending = uploadSums(`AND NOT ${isInManifest('uploads.hash')}`)

/** The same with those that a page has, which is faster. */
export const findAllUploads = uploadSums('')

function uploadSums(condition: string) {
  return rawRow<Pending, [accountId: string, now: string]>(`
    SELECT count(*) AS uploads, coalesce(sum(size_bytes), 0) AS upload_bytes FROM uploads
    WHERE account_id = $1 AND expires_at > $2 ${condition}`)
}

/** @returns the hashes of their bytes, as the next does */
export const deleteExpiredUploads = rawValues<[now: string]>(
  'DELETE FROM uploads WHERE expires_at <= $1 RETURNING hash AS value',
)

export const deleteUploadsOf = rawValues<[accountId: string]>(
  'DELETE FROM uploads WHERE account_id = $1 RETURNING hash AS value',
)
