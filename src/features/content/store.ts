import { type Expression, type Insertable, type SqlBool, sql } from 'kysely'
import { futureTimes } from '../../platform/db/future-times.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { prepared, preparedRows, raw, rawExists, rawList } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'

type BlobRow = Tables['blobs']

export function findBlob(db: Db, hash: string): Promise<BlobRow | undefined> {
  return db.selectFrom('blobs').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/**
 * Touches the rows of hashes that have one. No hash may be in two rows.
 *
 * @returns the storage keys in the rows, old or new
 */
export async function upsertBlobs(tx: Tx, rows: readonly BlobRow[]): Promise<(string | null)[]> {
  return (await insertBlobs(tx, rows)).map((row) => row.storage_key)
}
const insertBlobs = preparedRows((tx: Tx, rows: readonly BlobRow[]) =>
  tx
    .insertInto('blobs')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((eb) => ({ touched_at: eb.ref('excluded.touched_at') })),
    )
    .returning('storage_key'),
)

export async function sumBlobs(db: Db) {
  const sums = await db
    .selectFrom('blobs')
    .select((eb) => [
      eb.fn.countAll().as('files'),
      eb.fn.sum('size_bytes').as('bytes'),
      eb.fn
        .sum(eb.case().when('storage_key', 'is', null).then(eb.ref('size_bytes')).end())
        .as('in'),
    ])
    .executeTakeFirstOrThrow()
  return {
    files: Number(sums.files),
    bytes: Number(sums.bytes ?? 0),
    bytes_in_database: Number(sums.in ?? 0),
  }
}

/** @returns how many of the hashes have a row */
export async function touchBlobs(tx: Tx, hashes: string[], now: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ touched_at: now })
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export const upsertManifest = prepared((tx: Tx, row: Insertable<Tables['manifests']>) =>
  tx
    .insertInto('manifests')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        touched_at: eb.ref('excluded.touched_at'),
        release: eb.fn.coalesce('excluded.release', 'manifests.release'),
        needs_origin: eb.fn.coalesce('excluded.needs_origin', 'manifests.needs_origin'),
      })),
    ),
)

export const linkBlobs = preparedRows((tx: Tx, rows: readonly Tables['manifest_blobs'][]) =>
  tx
    .insertInto('manifest_blobs')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
)

export type ManifestRow = Pick<Tables['manifests'], 'manifest' | 'release'>

export function findManifest(db: Db, id: string): Promise<ManifestRow | undefined> {
  return db
    .selectFrom('manifests')
    .select(['manifest', 'release'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Manifests in the order of their ids, with the start of their release. */
export function listReleases(db: Db, after: string, limit: number) {
  const start = sql<string | null>`substr(release, 1, 20)`.as('start')
  const all = db.selectFrom('manifests').select(['id', start]).where('id', '>', after)
  return all.orderBy('id').limit(limit).execute()
}

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
  if (ids.length === 0) return { deleted: 0, hashes: [] }
  const blobs = await tx
    .selectFrom('manifest_blobs')
    .select('hash')
    .distinct()
    .where('manifest_id', 'in', ids)
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('manifests')
    .where('id', 'in', ids)
    .where('touched_at', '<', before)
    .executeTakeFirstOrThrow()
  return { deleted: Number(numDeletedRows), hashes: blobs.map(({ hash }) => hash) }
}

/** Deletes the blobs that nothing refers to. @returns their storage keys */
export async function deleteBlobs(tx: Tx, hashes: string[], before: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('blobs')
    .where('hash', 'in', hashes)
    .where('touched_at', '<', before)
    .where(({ not, ref }) => not(isInManifest(ref('blobs.hash'))))
    .where(({ not, ref }) => not(isUploaded(ref('blobs.hash'))))
    .returning('storage_key')
    .execute()
  return rows.flatMap((row) => row.storage_key ?? [])
}

/** Whether the row of some blob names the storage key. */
export const isKeyInUse = rawExists<[key: string]>('SELECT 1 FROM blobs WHERE storage_key = $1')

/** Blobs by hash, without their bytes. */
export function listBlobs(db: Db, { after, limit }: { after: string; limit: number }) {
  const blobs = db.selectFrom('blobs').select(['hash', 'size_bytes', 'storage_key'])
  return blobs.where('hash', '>', after).orderBy('hash').limit(limit).execute()
}

/** Hashes that manifests name and no blob has. */
export async function findMissingBlobs(db: Db, limit: number): Promise<string[]> {
  return (await selectMissing(db, [limit])).map(({ hash }) => hash)
}
const selectMissing = raw<{ hash: string }>(`SELECT DISTINCT m.hash FROM manifest_blobs m
  WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.hash = m.hash) LIMIT $1`)

/** Whether some manifest has the bytes of this hash. */
function isInManifest(hash: Expression<unknown>) {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM manifest_blobs WHERE manifest_blobs.hash = ${hash})`
}

/** Whether a manifest is there, for queries of other features. */
export function hasManifest(manifestId: Expression<unknown>) {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM manifests WHERE manifests.id = ${manifestId})`
}

/** @returns false where there is an upload with that id */
export async function insertUpload(tx: Tx, row: Tables['uploads']): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('uploads')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export const hasUpload = rawExists<[id: string]>('SELECT 1 FROM uploads WHERE id = $1')

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

export const hasExpiredUploads = rawExists<[now: string]>(
  'SELECT 1 FROM uploads WHERE expires_at <= $1 LIMIT 1',
)

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

/** Uploads of an account whose bytes no page has. */
export async function findPending(db: Db, accountId: string, now: string): Promise<Pending> {
  const { uploads, bytes } = await db
    .selectFrom('uploads')
    .select(({ fn }) => [fn.countAll<number>().as('uploads'), fn.sum('size_bytes').as('bytes')])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where(({ not, ref }) => not(isInManifest(ref('uploads.hash'))))
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

/** Whether an upload has the bytes of this hash. */
function isUploaded(hash: Expression<unknown>) {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM uploads WHERE uploads.hash = ${hash})`
}
