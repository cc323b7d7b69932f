import { sql } from 'kysely'
import type { EventType } from '../../model/event-types.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawCount, rawCounts, rawList, rawWrite } from '../../platform/db/raw.ts'
import { rowsInto } from '../../platform/db/rows.ts'
import { isOfShownPage, isOfWholePage } from '../../platform/db/shown-pages.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Place } from './events.ts'

/** @returns how many events of this kind the page has had in this minute, these included */
export const addCount = rawCount<[pageId: string, kind: string, minute: number, count: number]>(`
  INSERT INTO event_counts (page_id, kind, minute, count) VALUES ($1, $2, $3, $4)
  ON CONFLICT (page_id, kind, minute)
    DO UPDATE SET count = event_counts.count + excluded.count
  RETURNING count`)

export const deleteOutside = deletionOf<[first: number, last: number]>(
  'event_counts',
  'page_id, kind, minute',
  'minute < $1 OR minute > $2',
)

/**
 * Takes the next `$2` numbers of an account. The row is locked until the transaction ends.
 *
 * @returns the last of them
 */
export const nextNumbers = rawCount<[accountId: string, count: number]>(`
  INSERT INTO feedback_counters (account_id, last_number) VALUES ($1, $2)
  ON CONFLICT (account_id) DO UPDATE
    SET last_number = feedback_counters.last_number + excluded.last_number
  RETURNING last_number AS count`)

export const insertAll = rowsInto('feedback_events')

/** The inbox gets a later event of the item. */
export const displace = rawWrite<[itemId: string]>(`
  UPDATE feedback_events SET place = NULL WHERE item_id = $1 AND place IS NOT NULL`)

export const setRead = rawWrite<[itemId: string]>(`
  UPDATE feedback_events SET is_read = 1 WHERE item_id = $1 AND place IS NOT NULL AND is_read = 0`)

/**
 * The state of an item has changed, or its newest event is gone. The newest, own replies aside, has
 * its place in the inbox.
 */
export const place = rawWrite<[itemId: string, place: Place]>(`
  UPDATE feedback_events SET place = $2 WHERE item_id = $1 AND number = (
    SELECT max(number) FROM feedback_events AS other
    WHERE other.item_id = $1 AND (other.is_own = 0 OR other.type <> 'reply'))`)

/** Responses, or comments with all their replies, are deleted. */
export const forgetItems: (tx: Tx, ids: readonly string[]) => Promise<unknown> = rawList(
  (ids) => `DELETE FROM feedback_events WHERE item_id IN ${ids}`,
)

/** A reply is deleted. Place its thread afterwards. */
export const forgetReply = rawWrite<[itemId: string, id: string]>(`
  DELETE FROM feedback_events WHERE item_id = $1 AND object_id = $2`)

export const openRequests = rawWrite<[pageId: string]>(`
  UPDATE feedback_events SET place = 'open'
  WHERE page_id = $1 AND type = 'access_request' AND place IS NULL`)

export const hideRequests = rawWrite<[pageId: string]>(`
  UPDATE feedback_events SET place = NULL
  WHERE page_id = $1 AND type = 'access_request' AND place IN ('open', 'done')`)

export const listDecisions = raw<{ item_id: string; place: Place }, [pageId: string]>(`
  SELECT item_id, place FROM feedback_events WHERE page_id = $1 AND type = 'approval'`)

/**
 * Those before a time that the inbox does not have and never will. What was done by a named link
 * stays, for the owner’s list of people.
 */
export const deleteOld = deletionOf<[before: Timestamp]>(
  'feedback_events',
  'account_id, number',
  `at < $1 AND place IS NULL AND link_id IS NULL
    AND type IN ('reply', 'response', 'vote', 'opened', 'page_closed')`,
)

/** All pages of an account, or one of them. */
export interface InboxPages {
  accountId: string
  pageId: string | null
}

type Event = Tables['feedback_events']

/** An event that the inbox has, as the newest of its item. */
export interface PlacedEvent extends Pick<Event, 'number' | 'type' | 'at' | 'page_id' | 'is_read'> {
  item_id: string
  place: NonNullable<Place>
}

/** An event that a client of the sequence reads. */
export interface NumberedEvent
  extends Pick<Event, 'number' | 'at' | 'page_id' | 'object_id' | 'item_id' | 'link_id'> {
  type: EventType
}

interface SequenceRange extends InboxPages {
  types: readonly string[] | null
  hasOwn: boolean
  after: number
  limit: number
}

/**
 * Events after a number, in order. What an import brought has none that could be told: it happened
 * elsewhere.
 */
export async function listAfter(db: Db, range: SequenceRange): Promise<NumberedEvent[]> {
  const { accountId, pageId, types, hasOwn, after, limit } = range
  const { rows } = await sql<NumberedEvent>`
    SELECT number, type, at, page_id, object_id, item_id, link_id FROM feedback_events
    WHERE account_id = ${accountId} AND number > ${after}
    AND (object_id IS NOT NULL OR item_id IS NULL)
    ${pageId === null ? sql`` : sql`AND page_id = ${pageId}`}
    ${types === null ? sql`` : sql`AND type IN (${sql.join(types)})`}
    ${hasOwn ? sql`` : sql`AND is_own = 0`}
    AND ${isOfWholePage}
    ORDER BY number LIMIT ${limit}`.execute(db)
  return rows
}

/** SQL: the last number of the account whose id is this column; null: it has none. */
export const lastNumberOf = (column: string) =>
  `(SELECT counter.last_number FROM feedback_counters AS counter
    WHERE counter.account_id = ${column})`

/** The last number of each account; those without any are left out. */
export const lastNumbers = rawCounts(
  (list) => `SELECT account_id AS key, last_number AS count FROM feedback_counters
    WHERE account_id IN ${list}`,
)

/** The last number of an account; 0: it has none. */
export async function lastNumber(db: Db, accountId: string): Promise<number> {
  return (await lastNumbers(db, [accountId])).get(accountId) ?? 0
}

export const pagesAfter = raw<{ page_id: string }, [accountId: string, after: number]>(`
  SELECT DISTINCT page_id FROM feedback_events WHERE account_id = $1 AND number > $2`)

interface InboxRange extends InboxPages {
  place: PlacedEvent['place']
  /** Of these types; null: of any. */
  types: readonly string[] | null
  /** Only this item; null: any. */
  item: string | null
  isUnread: boolean
  /** Only those with lower numbers. */
  before: number | null
  limit: number
}

/** The newest items at a place of the inbox. */
export async function listInInbox(db: Db, range: InboxRange): Promise<PlacedEvent[]> {
  const { accountId, pageId, place, types, item, isUnread, before, limit } = range
  const { rows } = await sql<PlacedEvent>`
    SELECT number, type, at, page_id, item_id, is_read, place FROM feedback_events
    WHERE account_id = ${accountId} AND place = ${place} AND ${isOfShownPage(accountId)}
    ${pageId === null ? sql`` : sql`AND page_id = ${pageId}`}
    ${types === null ? sql`` : sql`AND type IN (${sql.join(types)})`}
    ${item === null ? sql`` : sql`AND item_id = ${item}`}
    ${isUnread ? sql`AND is_read = 0` : sql``}
    ${before === null ? sql`` : sql`AND number < ${before}`}
    ORDER BY number DESC LIMIT ${limit}`.execute(db)
  return rows
}

/**
 * SQL: how many open items of each type a page has, and how many of these are unread. In the order
 * of an index, so that whether a page is hidden is tested once for each.
 */
function openByPage({ accountId, pageId }: InboxPages) {
  return sql`(SELECT type, page_id, count(*) AS count, sum(1 - is_read) AS unread
    FROM feedback_events WHERE account_id = ${accountId} AND place = 'open'
      ${pageId === null ? sql`` : sql`AND page_id = ${pageId}`}
    GROUP BY type, page_id) AS by_page WHERE ${isOfShownPage(accountId)}`
}

/** How many open items there are of each type, and how many of these are unread. */
export async function countInInbox(db: Db, of: InboxPages) {
  const { rows } = await sql<{ type: string; count: number; unread: number }>`
    SELECT type, sum(count) AS count, sum(unread) AS unread FROM ${openByPage(of)}
    GROUP BY type`.execute(db)
  return rows
}

/** The number of open items of each page; pages without any are left out. */
export async function countByPage(db: Db, accountId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ page_id: string; count: number }>`
    SELECT page_id, sum(count) AS count FROM ${openByPage({ accountId, pageId: null })}
    GROUP BY page_id`.execute(db)
  return new Map(rows.map(({ page_id: id, count }) => [id, count]))
}

/** What the owner says of items. What is not given stays. */
export interface Mark {
  accountId: string
  ids: readonly string[]
  isRead: boolean | undefined
  isDone: boolean | undefined
  /** Only of items with nothing newer. */
  until: Timestamp | undefined
}

/** What is resolved, decided or gone stays as it is. @returns the items that are as was said */
export async function mark(tx: Tx, change: Mark): Promise<string[]> {
  const { accountId, ids, isRead, isDone, until } = change
  const rows = await tx
    .updateTable('feedback_events')
    .set({
      ...(isRead !== undefined && { is_read: isRead ? 1 : 0 }),
      ...(isDone !== undefined && { place: isDone ? 'done' : 'open' }),
    })
    .where('account_id', '=', accountId)
    .where('item_id', 'in', [...ids])
    .where('place', 'in', isDone === undefined ? ['open', 'done', 'closed'] : ['open', 'done'])
    .$if(until !== undefined, (update) => update.where('at', '<=', until!))
    .returning('item_id')
    .execute()
  return rows.map(({ item_id: id }) => id!)
}

/** How many comments, responses and named votes were given by each link. */
export const countByLink = rawList<{ link_id: string; type: EventType; count: number }>(
  (list) => `
  SELECT link_id, type, count(DISTINCT object_id) AS count FROM feedback_events
  WHERE link_id IN ${list} AND is_own = 0 GROUP BY link_id, type`,
)

/** The decisions that were given by each link, the newest last. */
export const decisionsByLink = rawList<{ link_id: string; object_id: string }>(
  (list) => `
  SELECT link_id, object_id FROM feedback_events
  WHERE link_id IN ${list} AND type = 'approval' AND object_id IS NOT NULL ORDER BY number`,
)
