import type { Updateable } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf, ROWS } from '../../platform/db/delete-in-pieces.ts'
import type { Tx } from '../../platform/db/index.ts'
import { raw, rawChange, rawList, rawWrite } from '../../platform/db/raw.ts'
import {
  countBy,
  deleteBy,
  insertOnceInto,
  rowBy,
  rowsBy,
  rowsInto,
} from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type LinkRow = Tables['page_links']

export const insertAll = rowsInto('page_links')

export const find = rowBy('page_links', ['page_id', 'id'])

export const findById = rowBy('page_links', ['id'])

export const findByToken = rowBy('page_links', ['token'])

export const listLabels = rawList<Pick<LinkRow, 'id' | 'label'>>(
  (list) => `SELECT id, label FROM page_links WHERE id IN ${list}`,
)

/** The newest first. */
export const list = raw<LinkRow, [pageId: string, limit: number, offset: number]>(`
  SELECT * FROM page_links WHERE page_id = $1
  ORDER BY created_at DESC, id LIMIT $2 OFFSET $3`)

/** All of a page, the newest first: bounded by how many it can have. */
export const listOfPage = rowsBy('page_links', ['page_id'], { order: 'created_at DESC, id' })

export const countOfPage = countBy('page_links', 'page_id')
export const countOfAccount = countBy('page_links', 'account_id')

export function update(
  tx: Tx,
  { id, page_id }: Pick<LinkRow, 'id' | 'page_id'>,
  change: Updateable<LinkRow>,
): Promise<LinkRow | undefined> {
  const one = tx.updateTable('page_links').set(change).where('id', '=', id)
  return one.where('page_id', '=', page_id).returningAll().executeTakeFirst()
}

export const remove = deleteBy('page_links', 'page_id', 'id')

/**
 * Counts one view by a link, in the transaction that counts the page's. It is one statement, so the
 * limit of the link is exact however many nodes count at once.
 *
 * @returns false where the link opens nothing more
 */
const countOpen = rawChange<[id: string, pageId: string]>(`
  UPDATE page_links SET opens = opens + 1
  WHERE id = $1 AND page_id = $2 AND off_at IS NULL AND (max_views IS NULL OR opens < max_views)
  RETURNING id`)
/** The page had no view left for it. */
const uncountOpen = rawWrite<[id: string]>(
  'UPDATE page_links SET opens = opens - 1 WHERE id = $1 AND opens > 0',
)

export const linkCounts = { countOpen, uncountOpen }

/** What became of the newest mail with a link. A mail is made after the time in `sent_at`. */
export const recordBounce = rawWrite<[id: string, at: Timestamp | null, mailedAt: Timestamp]>(
  'UPDATE page_links SET bounced_at = $2 WHERE id = $1 AND sent_at <= $3',
)

/** Not more than one transaction should. @returns the ids */
export const forgetOld = rawWrite<[before: Timestamp], { id: string }>(`
  UPDATE page_links SET first_opened_at = NULL, last_opened_at = NULL, sent_at = NULL,
    bounced_at = NULL, opens = CASE WHEN max_views IS NULL THEN 0 ELSE opens END
  WHERE id IN
    (SELECT id FROM page_links WHERE coalesce(last_opened_at, sent_at) < $1 LIMIT ${ROWS})
  RETURNING id`)

/** The browsers and addresses that came by links last before. */
export const deleteOldVisitors = deletionOf<[before: Timestamp]>(
  'link_visitors',
  'link_id, visitor',
  'last_at < $1',
)

/** @param accountId null: of all. @returns the ids */
export async function deleteFor(
  tx: Tx,
  email: string,
  accountId: string | null,
): Promise<{ id: string }[]> {
  // It may have come by the links of others.
  const visits = tx.deleteFrom('link_visitors').where('email', '=', email)
  const ofAccount = tx.selectFrom('page_links').select('id').where('account_id', '=', accountId)
  await (accountId === null ? visits : visits.where('link_id', 'in', ofAccount)).execute()
  const all = tx.deleteFrom('page_links').where('email', '=', email)
  const some = accountId === null ? all : all.where('account_id', '=', accountId)
  return some.returning('id').execute()
}

/** Locks the row. */
export const markOpened = rawWrite<[id: string, now: Timestamp], { first_opened_at: Timestamp }>(`
  UPDATE page_links SET first_opened_at = coalesce(first_opened_at, $2), last_opened_at = $2
  WHERE id = $1 RETURNING first_opened_at`)

/** How many browsers and addresses are kept of a link. */
const MAX_VISITORS = 100

/** Who came by a link: a browser, or an address that was confirmed. */
export const addVisitor = rawWrite<
  [linkId: string, visitor: string, email: string | null, at: Timestamp]
>(`
  INSERT INTO link_visitors (link_id, visitor, email, first_at, last_at, seconds)
  SELECT id, $2, $3, $4, $4, 0 FROM page_links WHERE id = $1 AND (
    EXISTS (SELECT 1 FROM link_visitors WHERE link_id = $1 AND visitor = $2)
    OR (SELECT count(*) FROM link_visitors WHERE link_id = $1) < ${MAX_VISITORS})
  ON CONFLICT (link_id, visitor) DO UPDATE SET last_at = excluded.last_at`)

export const findVisitor = rowBy('link_visitors', ['link_id', 'visitor'], ['last_at'])

export const addProgress = rawWrite<
  [linkId: string, visitor: string, seconds: number, sheet: number, sections: number]
>(`
  UPDATE link_visitors SET seconds = seconds + $3,
    last_sheet = CASE WHEN $4 > coalesce(last_sheet, 0) THEN $4 ELSE last_sheet END,
    sections = CASE WHEN $5 > coalesce(sections, 0) THEN $5 ELSE sections END
  WHERE link_id = $1 AND visitor = $2`)

/** What is known of all visitors of a link together. */
interface LinkReading {
  link_id: string
  devices: number
  seconds: number
  sheet: number | null
  sections: number | null
}

export const listReadings = rawList<LinkReading>(
  (list) => `
  SELECT link_id, sum(CASE WHEN email IS NULL THEN 1 ELSE 0 END) AS devices,
    sum(seconds) AS seconds, max(last_sheet) AS sheet, max(sections) AS sections
  FROM link_visitors WHERE link_id IN ${list} GROUP BY link_id`,
)

export const listAddresses = rawList<{ link_id: string; email: string }>(
  (list) => `
  SELECT link_id, email FROM link_visitors WHERE link_id IN ${list} AND email IS NOT NULL
  ORDER BY first_at, email`,
)

/** The links of a page that came up with these addresses, in the order of their first use. */
export const listByAddresses = rawList<
  { email: string; link_id: string; label: string },
  [pageId: string]
>(
  (emails) => `
    SELECT v.email, l.id AS link_id, l.label
    FROM link_visitors v JOIN page_links l ON l.id = v.link_id
    WHERE l.page_id = $2 AND v.email IN ${emails} ORDER BY v.first_at, l.id`,
)

export const listReminders = raw<
  { recipient: string; count: number; last_at: Timestamp },
  [pageId: string]
>('SELECT recipient, count, last_at FROM link_reminders WHERE page_id = $1')

/**
 * Counts a reminder at `$3`, where there are fewer than `$4` and none after `$5`. It is one
 * statement, so that it is exact on any number of nodes. @returns false where there may be none
 */
export const takeReminder = rawChange<
  [pageId: string, recipient: string, at: Timestamp, most: number, before: Timestamp]
>(`
  INSERT INTO link_reminders (page_id, recipient, count, last_at) VALUES ($1, $2, 1, $3)
  ON CONFLICT (page_id, recipient) DO UPDATE SET count = link_reminders.count + 1,
    last_at = excluded.last_at
    WHERE link_reminders.count < $4 AND link_reminders.last_at <= $5
  RETURNING count`)

export const insertStop = insertOnceInto('link_mail_stops')
export const listStops = rowsBy('link_mail_stops', ['account_id'], { order: 'recipient' })
