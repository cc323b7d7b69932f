import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './index.ts'
import type { Tables } from './tables.ts'

/** All pages of an account, or one of them. */
export interface InboxPages {
  accountId: string
  pageId: string | null
}

/** An item of an inbox: its id, its page, and the time that orders it. */
export interface InboxRow extends Moment {
  page_id: string
}

/** Reads the rows of one table that the inbox of an account lists. */
export interface InboxRows {
  /** The newest of a range, in its order. */
  newest(db: Db, pages: InboxPages, range: NewestRange): Promise<InboxRow[]>
  count(db: Db, pages: InboxPages): Promise<number>
  /** The number of rows of each page; pages without any are left out. */
  countByPage(db: Db, accountId: string): Promise<Map<string, number>>
}

interface Listed {
  table: keyof Tables
  /** The column with the time. */
  at: string
  /** The condition of the index, in SQL. */
  isListed: string
}

/** For tables with a `page_id`: leaves out pages that an import is bringing, or in the trash. */
export function isOfShownPage(accountId: string) {
  return sql<SqlBool>`page_id NOT IN (
    SELECT id FROM pages WHERE importing_at IS NOT NULL UNION ALL
    SELECT id FROM pages WHERE account_id = ${accountId} AND trashed_at IS NOT NULL)`
}

/** Reads by an index on `(account_id, at, id, page_id)` of the rows that are listed. */
export function inboxRows({ table, at, isListed }: Listed): InboxRows {
  const [from, time] = [sql.table(table), sql.ref(at)]

  function rowsOf({ accountId, pageId }: InboxPages): RawBuilder<unknown> {
    const isOfPage = pageId === null ? sql`` : sql`AND page_id = ${pageId}`
    return sql`FROM ${from} WHERE account_id = ${accountId} AND ${sql.raw(isListed)} ${isOfPage}
      AND ${isOfShownPage(accountId)}`
  }

  return {
    async newest(db, pages, { before, limit }) {
      const isOlder =
        before === null ? sql`` : sql`AND (${time}, id) < (${before.at}, ${before.id})`
      const { rows } = await sql<InboxRow>`SELECT id, page_id, ${time} AS at ${rowsOf(pages)}
        ${isOlder} ORDER BY ${time} DESC, id DESC LIMIT ${limit}`.execute(db)
      return rows
    },
    async count(db, pages) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count ${rowsOf(pages)}`.execute(db)
      return Number(rows[0]!.count)
    },
    async countByPage(db, accountId) {
      const { rows } = await sql<{ page_id: string; count: number }>`
        SELECT page_id, count(*) AS count ${rowsOf({ accountId, pageId: null })}
        GROUP BY page_id`.execute(db)
      return new Map(rows.map(({ page_id: id, count }) => [id, Number(count)]))
    },
  }
}

/** The time of an item. Items with the same time are ordered by id. */
export interface Moment {
  at: string
  id: string
}

/** A part of a list with the newest first: those before a moment, or the first ones. */
export interface NewestRange {
  before: Moment | null
  limit: number
}

/** The part of a whole list that is in the range, the newest first. */
export function newestIn<T extends Moment>(all: readonly T[], { before, limit }: NewestRange): T[] {
  const older = before === null ? all : all.filter((each) => compareNewest(each, before) > 0)
  return older.toSorted(compareNewest).slice(0, limit)
}

function compareNewest(a: Moment, b: Moment): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}
