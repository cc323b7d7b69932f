import type { Insertable, Updateable } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { PageLinksTable } from '../../platform/db/link-tables.ts'
import { raw, rawList, rawRow, rawWrite } from '../../platform/db/raw.ts'
import type { LinkMail } from '../mail/index.ts'

export type LinkRow = PageLinksTable

export async function insertAll(tx: Tx, rows: readonly Insertable<LinkRow>[]): Promise<void> {
  await tx.insertInto('page_links').values(rows).execute()
}

export function find(db: Db, pageId: string, id: string): Promise<LinkRow | undefined> {
  const ofPage = db.selectFrom('page_links').selectAll().where('page_id', '=', pageId)
  return ofPage.where('id', '=', id).executeTakeFirst()
}

export const findByToken = rawRow<LinkRow, [token: string]>(
  'SELECT * FROM page_links WHERE token = $1',
)

export const listLabels = rawList<Pick<LinkRow, 'id' | 'label'>>(
  (list) => `SELECT id, label FROM page_links WHERE id IN ${list}`,
)

/** The newest first. */
export function list(
  db: Db,
  pageId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<LinkRow[]> {
  const ofPage = db.selectFrom('page_links').selectAll().where('page_id', '=', pageId)
  return ofPage.orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()
}

/** All of a page, the newest first: bounded by how many it can have. */
export const listOfPage = raw<LinkRow, [pageId: string]>(
  'SELECT * FROM page_links WHERE page_id = $1 ORDER BY created_at DESC, id',
)

const countRows = rawRow<{ of_page: number; of_account: number }, [page: string, account: string]>(`
  SELECT (SELECT count(*) FROM page_links WHERE page_id = $1) AS of_page,
    (SELECT count(*) FROM page_links WHERE account_id = $2) AS of_account`)

export async function count(db: Db, page: { id: string; account_id: string }) {
  const counted = await countRows(db, [page.id, page.account_id])
  return { ofPage: Number(counted!.of_page), ofAccount: Number(counted!.of_account) }
}

export function update(
  tx: Tx,
  { id, page_id }: Pick<LinkRow, 'id' | 'page_id'>,
  change: Updateable<LinkRow>,
): Promise<LinkRow | undefined> {
  const one = tx.updateTable('page_links').set(change).where('id', '=', id)
  return one.where('page_id', '=', page_id).returningAll().executeTakeFirst()
}

/** @returns whether there was one */
export async function remove(tx: Tx, pageId: string, id: string): Promise<boolean> {
  const one = tx.deleteFrom('page_links').where('id', '=', id).where('page_id', '=', pageId)
  return (await one.executeTakeFirst()).numDeletedRows > 0n
}

const addOpen = raw<{ id: string }>(`
  UPDATE page_links SET opens = opens + 1
  WHERE id = $1 AND page_id = $2 AND off_at IS NULL AND (max_views IS NULL OR opens < max_views)
  RETURNING id`)
const takeOpenBack = rawWrite<[id: string]>(
  'UPDATE page_links SET opens = opens - 1 WHERE id = $1 AND opens > 0',
)

/**
 * Counts one view by a link, in the transaction that counts the page's. It is one statement, so the
 * limit of the link is exact however many nodes count at once.
 *
 * @returns false where the link opens nothing more
 */
async function countOpen(tx: Tx, pageId: string, id: string): Promise<boolean> {
  return (await addOpen(tx, [id, pageId])).length > 0
}

/** The page had no view left for it. */
async function uncountOpen(tx: Tx, id: string): Promise<void> {
  await takeOpenBack(tx, [id])
}

export const linkCounts = { countOpen, uncountOpen }

const updateBounced = rawWrite<[id: string, at: Timestamp | null, mail: Timestamp]>(
  'UPDATE page_links SET bounced_at = $2 WHERE id = $1 AND sent_at <= $3',
)

/** What became of the newest mail with a link. A mail is made after the time in `sent_at`. */
export async function recordBounce(
  tx: Tx,
  { link_id, created_at }: LinkMail,
  at: Timestamp | null,
): Promise<void> {
  await updateBounced(tx, [link_id, at, created_at])
}

const forgetSomeOld = rawWrite<[before: Timestamp, most: number], object>(`
  UPDATE page_links SET first_opened_at = NULL, last_opened_at = NULL, sent_at = NULL,
    bounced_at = NULL, opens = CASE WHEN max_views IS NULL THEN 0 ELSE opens END
  WHERE id IN (SELECT id FROM page_links WHERE coalesce(last_opened_at, sent_at) < $1 LIMIT $2)
  RETURNING id`)

/**
 * Forgets when links were sent and opened where that was before, and how often where no limit
 * needs it. @returns how many, at most `most`
 */
export async function forgetOld(tx: Tx, before: Timestamp, most: number): Promise<number> {
  return (await forgetSomeOld(tx, [before, most])).length
}

/** Deletes the links for an address. @param accountId null: of all. @returns how many */
export async function deleteFor(tx: Tx, email: string, accountId: string | null): Promise<number> {
  const all = tx.deleteFrom('page_links').where('email', '=', email)
  const some = accountId === null ? all : all.where('account_id', '=', accountId)
  return Number((await some.executeTakeFirst()).numDeletedRows)
}

/** Locks the row. */
export const markOpened = rawWrite<[id: string, now: Timestamp], { first_opened_at: Timestamp }>(`
  UPDATE page_links SET first_opened_at = coalesce(first_opened_at, $2), last_opened_at = $2
  WHERE id = $1 RETURNING first_opened_at`)
