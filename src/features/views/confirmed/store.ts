import type { Timestamp } from '../../../platform/clock.ts'
import { rowsInto } from '../../../platform/db/chunks.ts'
import { deletionOf } from '../../../platform/db/delete-in-pieces.ts'
import type { Db, IdQuery, Tx } from '../../../platform/db/index.ts'
import { rawCount, rawWrite } from '../../../platform/db/raw.ts'
import type { Tables } from '../../../platform/db/tables.ts'

export type ConfirmedViewer = Tables['confirmed_viewers']

/** The views of one confirmed address. */
export interface ConfirmedViews {
  email: string
  views: number
  /** The content that was shown. */
  manifestId: string | null
  /** The time of the last of them. */
  at: Timestamp
}

/** Views wait: the row may have a later time. @returns how many the address has of the page now */
export const addConfirmedViews = rawCount<
  [pageId: string, email: string, views: number, at: Timestamp, manifestId: string | null]
>(`
  INSERT INTO confirmed_viewers (page_id, email, views, first_at, last_at, manifest_id, seconds)
  VALUES ($1, $2, $3, $4, $4, $5, 0)
  ON CONFLICT (page_id, email) DO UPDATE SET views = confirmed_viewers.views + excluded.views,
    last_at = CASE WHEN confirmed_viewers.last_at > $4 THEN confirmed_viewers.last_at ELSE $4 END,
    manifest_id = excluded.manifest_id, imported_at = NULL
  RETURNING views AS count`)

/** Adds how far one view got. Each is 0 where nothing of it was reached. */
export const addProgress = rawWrite<
  [pageId: string, email: string, seconds: number, lastSheet: number, sections: number]
>(`
  UPDATE confirmed_viewers SET seconds = seconds + $3,
    last_sheet = CASE WHEN $4 > coalesce(last_sheet, 0) THEN $4 ELSE last_sheet END,
    sections = CASE WHEN $5 > coalesce(sections, 0) THEN $5 ELSE sections END
  WHERE page_id = $1 AND email = $2`)

/** Somebody did something that an address is confirmed for. */
export const addParticipant = rawWrite<[pageId: string, email: string, at: Timestamp]>(`
  INSERT INTO confirmed_viewers (page_id, email, views, first_at, last_at, seconds)
  VALUES ($1, $2, 0, $3, $3, 0)
  ON CONFLICT (page_id, email) DO UPDATE SET last_at = excluded.last_at
    WHERE confirmed_viewers.last_at < excluded.last_at`)

interface Range {
  limit: number
  offset: number
}

/** Those whom a gate confirmed, the latest first. */
export function findConfirmed(db: Db, pageId: string, range: Range): Promise<ConfirmedViewer[]> {
  return latest(db, pageId, range).where('views', '>', 0).execute()
}

/** The same, with those who took part alone. */
export function findPeople(db: Db, pageId: string, range: Range): Promise<ConfirmedViewer[]> {
  return latest(db, pageId, range).execute()
}

function latest(db: Db, pageId: string, { limit, offset }: Range) {
  const ofPage = db.selectFrom('confirmed_viewers').selectAll().where('page_id', '=', pageId)
  return ofPage.orderBy('last_at', 'desc').orderBy('email').limit(limit).offset(offset)
}

/** Which of the addresses were confirmed on the page. */
export async function findAmong(
  db: Db,
  pageId: string,
  emails: readonly string[],
): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const ofPage = db.selectFrom('confirmed_viewers').select('email').where('page_id', '=', pageId)
  const rows = await ofPage.where('email', 'in', emails).execute()
  return new Set(rows.map(({ email }) => email))
}

export const countConfirmed = rawCount<[pageId: string]>(
  'SELECT count(*) AS count FROM confirmed_viewers WHERE page_id = $1',
)

/** In the order of their addresses. */
export function listAfter(
  db: Db,
  pageId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ConfirmedViewer[]> {
  return db
    .selectFrom('confirmed_viewers')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('views', '>', 0)
    .where('email', '>', after)
    .orderBy('email')
    .limit(limit)
    .execute()
}

/** Those whose last view was before. */
export const deleteOld = deletionOf<[before: Timestamp]>(
  'confirmed_viewers',
  'page_id, email',
  'last_at < $1',
)

/** @param pages null: all pages. @returns those on which the address was confirmed */
export async function deleteOf(tx: Tx, email: string, pages: IdQuery | null): Promise<string[]> {
  const all = tx.deleteFrom('confirmed_viewers').where('email', '=', email)
  const some = pages === null ? all : all.where('page_id', 'in', pages)
  return (await some.returning('page_id').execute()).map(({ page_id: pageId }) => pageId)
}

export const insertAll = rowsInto('confirmed_viewers')
