import { type Expression, type Insertable, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import { prepared } from '../../platform/db/prepared.ts'
import { raw } from '../../platform/db/raw.ts'
import type { ViewCountersTable, ViewHoursTable } from '../../platform/db/tables.ts'

const insertRow = prepared((tx: Tx, row: Insertable<ViewCountersTable>) =>
  tx.insertInto('view_counters').values(row),
)

export async function insertCounter(tx: Tx, pageId: string, maxViews: number | null) {
  await insertRow(tx, { page_id: pageId, views: 0, max_views: maxViews, granted: 0 })
}

export async function updateLimit(tx: Tx, pageId: string, maxViews: number | null) {
  await tx
    .updateTable('view_counters')
    .set({ max_views: maxViews })
    .where('page_id', '=', pageId)
    .execute()
}

export function findCounters(db: Db, pageIds: string[]) {
  return db
    .selectFrom('view_counters')
    .select(['page_id', 'views', 'max_views'])
    .where('page_id', 'in', pageIds)
    .execute()
}

/** The two statements of the hot path: each batch only fills in their parameters. */
const updateCounter = raw<AddedViews>(`
  UPDATE view_counters SET
    granted = CASE WHEN max_views IS NULL OR views + $1 <= max_views THEN $1
                   WHEN views < max_views THEN max_views - views ELSE 0 END,
    views = views + CASE WHEN max_views IS NULL OR views + $1 <= max_views THEN $1
                         WHEN views < max_views THEN max_views - views ELSE 0 END
  WHERE page_id = $2 RETURNING granted, views`)
const upsertHour = raw(`
  INSERT INTO view_hours (page_id, hour, views) VALUES ($1, $2, $3)
  ON CONFLICT (page_id, hour) DO UPDATE SET views = view_hours.views + excluded.views`)

export interface AddedViews {
  /** How many were counted: all of them without a limit, none where there is no page. */
  granted: number
  /** The page's views of all time, these included. */
  views: number
}

/**
 * Counts up to `count` views, as many as the limit leaves. It is one statement, so the limit is
 * exact however many nodes count at once.
 */
export async function addViews(tx: Tx, pageId: string, count: number): Promise<AddedViews> {
  const [added] = await updateCounter(tx, [count, pageId])
  return added ?? { granted: 0, views: 0 }
}

export async function addToHour(tx: Tx, row: ViewHoursTable): Promise<void> {
  await upsertHour(tx, [row.page_id, row.hour, row.views])
}

/** The views of a page, for queries of other features. */
export function viewCount(pageId: Expression<unknown>) {
  return sql<number>`(SELECT views FROM view_counters WHERE page_id = ${pageId})`
}

/** Whether a page has a view limit that is reached, for queries of other features. */
export function isLimitReached(pageId: Expression<unknown>) {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM view_counters
    WHERE page_id = ${pageId} AND views >= max_views)`
}
