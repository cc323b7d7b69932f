import { type Expression, type SqlBool, sql } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rowsInBatches } from '../../platform/db/long-write.ts'
import { raw, rawCount, rawList, rawRow, rawValues, rawWrite } from '../../platform/db/raw.ts'
import { rowsInto, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Facet, FacetCount, Whose } from './facets.ts'

const insertRows = rowsInto('view_counters')

type NewCounter = Omit<Tables['view_counters'], 'views' | 'granted'>

export async function insertCounter(tx: Tx, counter: NewCounter): Promise<void> {
  await insertRows(tx, [{ ...counter, views: 0, granted: 0 }])
}

/** What is undefined stays as it is. */
export interface LinkLimits {
  max_views: number | null | undefined
  closes_at: Timestamp | null | undefined
}

export const updateLimits = updateBy('view_counters', 'page_id')

export const findCounters = rawList<
  Pick<Tables['view_counters'], 'page_id' | 'views' | 'max_views'>
>((list) => `SELECT page_id, views, max_views FROM view_counters WHERE page_id IN ${list}`)

/** The statements of the hot path: each batch only fills in their parameters. */
const updateCounter = raw<AddedViews>(`
  UPDATE view_counters SET
    granted = CASE WHEN max_views IS NULL OR views + $1 <= max_views THEN $1
                   WHEN views < max_views THEN max_views - views ELSE 0 END,
    views = views + CASE WHEN max_views IS NULL OR views + $1 <= max_views THEN $1
                         WHEN views < max_views THEN max_views - views ELSE 0 END
  WHERE page_id = $2 RETURNING granted, views, max_views, account_id`)
/** Counts views that were served already. @returns undefined where the page is gone */
export const addServed = rawRow<{ account_id: string }, [count: number, pageId: string]>(
  'UPDATE view_counters SET views = views + $1 WHERE page_id = $2 RETURNING account_id',
)
export const addToHour = rawWrite<[pageId: string, hour: number, views: number, viewers: number]>(`
  INSERT INTO view_hours (page_id, hour, views, viewers) VALUES ($1, $2, $3, $4)
  ON CONFLICT (page_id, hour) DO UPDATE SET
    views = view_hours.views + excluded.views, viewers = view_hours.viewers + excluded.viewers`)

type AddedViews = Omit<Tables['view_counters'], 'page_id' | 'closes_at'>

/**
 * Counts up to `count` views, as many as the limit leaves. It is one statement, so the limit is
 * exact however many nodes count at once.
 *
 * @returns how many it `granted`, none where there is no page, and its `views` with these
 */
export async function addViews(tx: Tx, pageId: string, count: number): Promise<AddedViews> {
  const [added] = await updateCounter(tx, [count, pageId])
  return added ?? { granted: 0, views: 0, max_views: null, account_id: '' }
}

/** The pages whose links have expired and whose owners are not told yet. */
export const listExpired = rawValues<[now: Timestamp]>(`
  SELECT page_id AS value FROM view_counters WHERE closes_at <= $1 ORDER BY closes_at LIMIT 100`)

/** @returns the owner, for one caller alone */
export const takeExpired = rawRow<{ account_id: string }, [pageId: string, now: Timestamp]>(`
  UPDATE view_counters SET closes_at = NULL WHERE page_id = $1 AND closes_at <= $2
  RETURNING account_id`)

/** How many facets one statement adds. */
const FACETS_AT_ONCE = 8
/**
 * The limit of values of a facet on one page and day, with a higher one for pages of a PDF. All
 * others share one count, since visitors choose what they send.
 */
const MAX_VALUES = 100
const MAX_SHEETS = 500
const MAX_LINK_REFUSALS = 2000
export const OTHER = 'other'

/** In a fixed order, so that two nodes that add the same facets cannot deadlock. */
const upsertFacets = Array.from({ length: FACETS_AT_ONCE }, (_, at) =>
  raw(`
  INSERT INTO view_facets (page_id, day, facet, value, count, seconds)
  SELECT page_id, day, facet, value, sum(count), sum(seconds) FROM (
    SELECT page_id, CAST($2 AS integer) AS day, column1 AS facet, column3 AS count,
      column4 AS seconds,
      CASE WHEN EXISTS (SELECT 1 FROM view_facets known WHERE known.page_id = $1
          AND known.day = $2 AND known.facet = column1 AND known.value = column2)
        OR (SELECT count(*) FROM view_facets known WHERE known.page_id = $1
          AND known.day = $2 AND known.facet = column1)
          < CASE column1 WHEN 'sheet' THEN ${MAX_SHEETS}
            WHEN 'link_refusal' THEN ${MAX_LINK_REFUSALS} ELSE ${MAX_VALUES} END
        THEN column2 ELSE '${OTHER}' END AS value
    FROM view_counters, (VALUES ${facetParameters(at + 1)}) AS given
    WHERE page_id = $1) AS bounded
  GROUP BY page_id, day, facet, value ORDER BY facet, value
  ON CONFLICT (page_id, day, facet, value) DO UPDATE SET
    count = view_facets.count + excluded.count, seconds = view_facets.seconds + excluded.seconds`),
)

function facetParameters(rows: number): string {
  const types = ['text', 'text', 'integer', 'integer']
  const row = (at: number) => types.map((type, n) => `CAST($${3 + at * 4 + n} AS ${type})`).join()
  return Array.from({ length: rows }, (_, at) => `(${row(at)})`).join()
}

/** Nothing is added to a page that is gone. */
export async function addFacets(
  tx: Tx,
  { pageId, day }: { pageId: string; day: number },
  facets: readonly FacetCount[],
): Promise<void> {
  const sorted = [...facets].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let at = 0; at < sorted.length; at += FACETS_AT_ONCE) {
    const some = sorted.slice(at, at + FACETS_AT_ONCE)
    const values = some.flatMap(({ facet, value, count, seconds }) => [
      ...[facet, value, count, seconds],
    ])
    await upsertFacets[some.length - 1]!(tx, [pageId, day, ...values])
  }
}

/** How many values a facet has on one page and day, that of the rest included. */
export function maxValuesOf(facet: Facet): number {
  return (facet === 'sheet' ? MAX_SHEETS : MAX_VALUES) + 1
}

/** The day is null where nothing was counted on that day or later. */
export const findFirstFacetDay = rawRow<{ day: number | null }, [pageId: string, from: number]>(
  'SELECT min(day) AS day FROM view_facets WHERE page_id = $1 AND day >= $2',
)

export const listFacets = raw<
  Omit<Tables['view_facets'], 'page_id' | 'facet'> & { facet: Facet },
  [pageId: string, from: number, to: number]
>(`
  SELECT day, facet, value, count, seconds FROM view_facets
  WHERE page_id = $1 AND day >= $2 AND day < $3`)

export const insertFacets = rowsInto('view_facets')

function keyOf({ facet, value }: FacetCount): string {
  return `${facet} ${value}`
}

/** Of the hours from `$2` on, and before `$3`. */
export const countViewers = rawCount<[pageId: string, from: number, to: number]>(`
  SELECT coalesce(sum(viewers), 0) AS count FROM view_hours
  WHERE page_id = $1 AND hour >= $2 AND hour < $3`)

/** A read of one page, or of all pages of an account. */
function byWhose<Row extends object, P extends readonly unknown[] = []>(
  statement: (where: string) => string,
) {
  const ofPage = raw<Row>(statement('c.page_id = $1'))
  const ofAccount = raw<Row>(statement('c.account_id = $1'))
  return (db: Db, whose: Whose, ...parameters: P): Promise<Row[]> =>
    'page_id' in whose
      ? ofPage(db, [whose.page_id, ...parameters])
      : ofAccount(db, [whose.account_id, ...parameters])
}

export const findHours = byWhose<HourRow, [from: number, to: number]>(
  (where) => `
  SELECT h.hour, sum(h.views) AS views, sum(h.viewers) AS viewers
  FROM view_counters c JOIN view_hours h ON h.page_id = c.page_id
  WHERE ${where} AND h.hour >= $2 AND h.hour < $3 GROUP BY h.hour ORDER BY h.hour`,
)
/** Of the first view; null without one. */
export const findFirstHour = byWhose<{ hour: number | null }>(
  (where) => `
  SELECT min((SELECT min(hour) FROM view_hours h WHERE h.page_id = c.page_id)) AS hour
  FROM view_counters c WHERE ${where}`,
)
export const findFacets = byWhose<FacetCount, [fromDay: number, toDay: number]>(
  (where) => `
  SELECT f.facet, f.value, sum(f.count) AS count, sum(f.seconds) AS seconds
  FROM view_counters c JOIN view_facets f ON f.page_id = c.page_id
  WHERE ${where} AND f.day >= $2 AND f.day < $3 AND f.facet <> 'link_refusal'
  GROUP BY f.facet, f.value`,
)
/** How often who came by a link was refused: `{id of the link} {reason}`. */
export const listLinkRefusals = raw<{ value: string; count: number }, [pageId: string]>(`
  SELECT value, sum(count) AS count FROM view_facets
  WHERE page_id = $1 AND facet = 'link_refusal' GROUP BY value ORDER BY value`)

export const deleteLinkRefusals = deletionOf<[beforeDay: number]>(
  'view_facets',
  'page_id, day, facet, value',
  "facet = 'link_refusal' AND day < $1",
)

/** The ids of pages, the most viewed first. */
export const listMostViewed = rawValues<
  [accountId: string, from: number, to: number, limit: number]
>(`
  SELECT h.page_id AS value FROM view_counters c JOIN view_hours h ON h.page_id = c.page_id
  WHERE c.account_id = $1 AND h.hour >= $2 AND h.hour < $3
  GROUP BY h.page_id ORDER BY sum(h.views) DESC LIMIT $4`)

const MANY = 2000
const firstOf = (table: string, where: string) => `(SELECT count(*) FROM (SELECT 1
  FROM view_counters c LEFT JOIN ${table} t ON t.page_id = c.page_id
  WHERE ${where} LIMIT ${MANY}) AS some_${table})`
const countFirst = byWhose<{ count: number }>(
  (where) => `SELECT ${firstOf('view_hours', where)} + ${firstOf('view_facets', where)} AS count`,
)

/** Whether there are so many rows that reading them would delay other requests. */
export async function isExtensive(db: Db, whose: Whose): Promise<boolean> {
  return (await countFirst(db, whose))[0]!.count >= MANY
}

/** The views of pages by day, where clocks are ahead of UTC by some minutes. */
export const findPageDays = rawList<
  { page_id: string; day: number; views: number },
  [from: number, to: number, offsetMinutes: number]
>(
  (ids) => `
    SELECT page_id, (hour * 60 + CAST($4 AS integer)) / 1440 AS day, sum(views) AS views
    FROM view_hours WHERE page_id IN ${ids} AND hour >= $2 AND hour < $3
    GROUP BY page_id, day`,
)

/** The ids of all pages of an account, for queries: of hidden ones and those in the trash, too. */
export function pagesOf(accountId: string) {
  return sql<string>`(SELECT page_id FROM view_counters WHERE account_id = ${accountId})`
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

export type HourRow = Pick<Tables['view_hours'], 'hour' | 'views' | 'viewers'>

/** The views of a page by hour, oldest first. */
export const listHours = raw<HourRow, [pageId: string, after: number, limit: number]>(`
  SELECT hour, views, viewers FROM view_hours
  WHERE page_id = $1 AND hour > $2 ORDER BY hour LIMIT $3`)

export const insertHours = rowsInto('view_hours')

/** Pages whose views are not the sum of those of their hours. @returns their ids */
export async function findMiscounted(db: Db, limit: number): Promise<string[]> {
  const counters = rowsInBatches({ by: 'page_id', limit: COMPARED_AT_ONCE }, (...range) =>
    compareCounters(db, range),
  )
  const miscounted: string[] = []
  for await (const { page_id, differs } of counters) {
    if (differs) miscounted.push(page_id)
    if (miscounted.length === limit) break
  }
  return miscounted
}
/** Of a million pages, one statement takes longer than statements may. */
const COMPARED_AT_ONCE = 2000
const compareCounters = raw<{ page_id: string; differs: boolean | 0 | 1 }>(`
  SELECT c.page_id, c.views <>
    (SELECT coalesce(sum(h.views), 0) FROM view_hours h WHERE h.page_id = c.page_id) AS differs
  FROM view_counters c WHERE c.page_id > $1 ORDER BY c.page_id LIMIT $2`)
