import type { Timestamp } from '../../../platform/clock.ts'
import { deletionOf } from '../../../platform/db/delete-in-pieces.ts'
import type { IdQuery, Tx } from '../../../platform/db/index.ts'
import { raw, rawCount, rawList, rawWrite } from '../../../platform/db/raw.ts'
import { countBy, rowsInto } from '../../../platform/db/rows.ts'
import type { Tables } from '../../../platform/db/tables.ts'

export type ConfirmedViewer = Tables['confirmed_viewers']

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

const latest = (condition = '') =>
  raw<ConfirmedViewer, [pageId: string, limit: number, offset: number]>(`
    SELECT * FROM confirmed_viewers WHERE page_id = $1 ${condition}
    ORDER BY last_at DESC, email LIMIT $2 OFFSET $3`)

/** Those whom a gate confirmed, the latest first. */
export const findConfirmed = latest('AND views > 0')

/** The same, with those who took part alone. */
export const findPeople = latest()

/** Which of the addresses were confirmed on the page. */
export const findAmong = rawList<{ email: string }, [pageId: string]>(
  (emails) => `SELECT email FROM confirmed_viewers WHERE page_id = $2 AND email IN ${emails}`,
)

export const countConfirmed = countBy('confirmed_viewers', 'page_id')

/** In the order of their addresses. */
export const listAfter = raw<ConfirmedViewer, [pageId: string, after: string, limit: number]>(`
  SELECT * FROM confirmed_viewers WHERE page_id = $1 AND views > 0 AND email > $2
  ORDER BY email LIMIT $3`)

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
