import { type SqlBool, sql } from 'kysely'
import { refuse } from '../../model/errors.ts'
import {
  DEFAULT_SETTINGS,
  type Page,
  type PageSettings,
  type PageState,
  type Source,
  searchTextOf,
} from '../../model/page/index.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { futureTimes } from '../../platform/db/future-times.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import {
  raw,
  rawChange,
  rawCount,
  rawExists,
  rawList,
  rawRow,
  rawValues,
} from '../../platform/db/raw.ts'
import { deleteBy, rowsInto, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { suspendedAt } from '../accounts/index.ts'
import { contentKind, hasManifest, isFileNamed } from '../content/index.ts'
import { isLimitReached, viewCount } from '../views/index.ts'
import type { ListInput } from './contract.ts'
import { escapeWildcards, firstFree, isListed, titleWith } from './rules.ts'

export * from './records/store.ts'

const SUSPENDED_AT = suspendedAt('pages.account_id')
const COLUMNS = `*, ${SUSPENDED_AT} AS suspended_at`
const SELECT_SHOWN = `SELECT ${COLUMNS} FROM pages WHERE importing_at IS NULL`

/**
 * The pages of lists: not one that an import is bringing, that is being deleted, or in the trash.
 */
function shownIn(db: Db) {
  return storedIn(db).where('trashed_at', 'is', null)
}

function storedIn(db: Db) {
  return db.selectFrom('pages').where('importing_at', 'is', null)
}

const insertRows = rowsInto('pages')
/**
 * @param importingAt of a page that an import is bringing: nobody sees it before `updatePage`
 * @throws Refusal `slug_taken`, `duplicate_title`
 */
export async function insertPage(
  tx: Tx,
  page: Page,
  importingAt: Timestamp | null = null,
): Promise<void> {
  await insertRows(tx, [{ ...rowOf(page), importing_at: importingAt }]).catch(throwTaken)
}

/** @returns false where the page is gone: its import was taken for abandoned */
export const keepImporting = rawChange<[id: string, now: Timestamp]>(
  `UPDATE pages SET importing_at = $2 WHERE id = $1 AND importing_at > '' RETURNING id`,
)

/** No step of its import writes any more. @returns undefined of a page that is not hidden */
export const abandonImport = rawRow<
  Pick<Tables['pages'], 'id' | 'account_id' | 'draft_id' | 'published_id'>,
  [id: string]
>(`
  UPDATE pages SET importing_at = '' WHERE id = $1 AND importing_at IS NOT NULL
  RETURNING id, account_id, draft_id, published_id`)

/** Nobody sees the page any more, and its slug and title are free. What it has is deleted next. */
export const hidePage = (tx: Tx, id: string) =>
  update(tx, [id], { importing_at: '', slug: id, title: null, is_listed: 0 })
const update = updateBy('pages', 'id')

/**
 * Reads the page as it is now and increases its revision. On both engines this locks the row, so
 * that what the transaction decides on it still holds when it writes. One that is being deleted
 * is not there.
 */
export const lockPage: (tx: Tx, key: [id: string]) => Promise<Page | undefined> = pageWhere(`
  UPDATE pages SET revision = revision + 1
  WHERE id = $1 AND (importing_at IS NULL OR importing_at > '') RETURNING ${COLUMNS}`)

/** @throws Refusal `slug_taken`, `duplicate_title` */
export async function updatePage(tx: Tx, page: Page): Promise<void> {
  const { id, ...row } = rowOf(page)
  await update(tx, [id], row).catch(throwTaken)
}

/** The ids of all pages of an account. Each part has an index, which the whole has not. */
const IDS_OF_ACCOUNT = `
  SELECT id AS value FROM pages WHERE account_id = $1 AND trashed_at IS NULL UNION ALL
  SELECT id AS value FROM pages WHERE account_id = $1 AND trashed_at IS NOT NULL`

export const deletePage = deleteBy('pages', 'id')

function pageWhere<P extends readonly unknown[]>(statement: string) {
  const run = rawRow<PageRow, P>(statement)
  return async (db: Db, parameters: P): Promise<Page | undefined> => {
    const row = await run(db, parameters)
    return row && pageWith(row, settingsOf(row.settings))
  }
}
export const findPage = pageWhere<[id: string]>(`${SELECT_SHOWN} AND id = $1`)
export const findPageBySlug = pageWhere<[slug: string]>(`${SELECT_SHOWN} AND slug = $1`)

/** The ids of a list's pages, in its order: sorting whole rows is slow. */
export async function listIds(db: Db, query: PageQuery): Promise<string[]> {
  return (await selectIds(db, query).execute()).map(({ id }) => id)
}

/** Scanning more would delay other requests. */
const MANY = 1000

/** @param accountId null: of all accounts */
export async function hasManyPages(db: Db, accountId: string | null): Promise<boolean> {
  const pages = accountId === null ? firstPages(db, []) : firstPagesOf(db, [accountId])
  return (await pages) >= MANY
}
const firstPages = rawCount<[]>(
  `SELECT count(*) AS count FROM (SELECT 1 FROM pages LIMIT ${MANY}) AS found`,
)
const firstPagesOf = rawCount<[accountId: string]>(
  `SELECT count(*) AS count FROM (${IDS_OF_ACCOUNT} LIMIT ${MANY}) AS found`,
)

/** Pages in the order of their ids. Those that are not there are left out. */
export async function findPages(db: Db, ids: readonly string[]): Promise<Page[]> {
  const pages = pagesOf(await selectPages(db, ids))
  const byId = new Map(pages.map((page) => [page.id, page]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
const selectPages = rawList<PageRow>((list) => `${SELECT_SHOWN} AND id IN ${list}`)

function selectIds(db: Db, query: PageQuery) {
  const { account_id, words, name, access, state, kind, order, taken_down: isDown } = query
  const from = state === 'trash' ? storedIn(db).where('trashed_at', 'is not', null) : shownIn(db)
  let pages = from.select('id')
  if (account_id !== null) pages = pages.where('account_id', '=', account_id)
  if (query.ids) pages = pages.where('id', 'in', query.ids)
  if (isDown !== undefined) pages = pages.where('taken_down_at', isDown ? 'is not' : 'is', null)
  if (name !== undefined) {
    const isFile = isFileNamed(sql.ref('draft_id'), name)
    pages = pages.where(sql<SqlBool>`(title = ${name} OR ${isFile})`)
  }
  if (access !== undefined) pages = pages.where('access', '=', access)
  if (query.folder !== undefined) pages = pages.where('folder', '=', query.folder)
  for (const word of words) {
    const pattern = `%${escapeWildcards(word)}%`
    pages = pages.where(sql<SqlBool>`search_text LIKE ${pattern} ESCAPE '!'`)
  }
  if (state !== undefined && state !== 'trash') pages = pages.where(isIn(state, query.now))
  if (kind !== undefined) pages = pages.where(contentKind(sql.ref('draft_id')), '=', kind)
  const isByTime = state === 'trash' && query.sort === 'updated'
  const key = isByTime ? sql.ref('trashed_at') : SORT_KEYS[query.sort]
  const sorted = pages.orderBy(key, order).orderBy('id', order)
  return sorted.limit(query.limit).offset(query.offset)
}

const SORT_KEYS = {
  updated: sql.ref('updated_at'),
  created: sql.ref('created_at'),
  title: sql.ref('search_text'),
  views: viewCount(sql.ref('pages.id')),
} satisfies Record<PageQuery['sort'], unknown>

/** The same state as `present.ts` computes for one page. */
function isIn(state: Exclude<PageState, 'trash'>, now: Timestamp) {
  if (state === 'draft') return sql<SqlBool>`published_id IS NULL`
  const isClosed = sql`(taken_down_at IS NOT NULL OR coalesce(expires_at <= ${now}, false)
    OR ${isLimitReached(sql.ref('pages.id'))})`
  if (state === 'closed') return sql<SqlBool>`published_id IS NOT NULL AND ${isClosed}`
  if (state === 'live') return sql<SqlBool>`published_id = draft_id AND NOT ${isClosed}`
  return sql<SqlBool>`published_id <> draft_id AND NOT ${isClosed}`
}

export const listIdsOf = rawValues<[accountId: string]>(`
  SELECT id AS value FROM pages
  WHERE account_id = $1 AND importing_at IS NULL AND trashed_at IS NULL ORDER BY id`)

/** The ids of an account's pages, for queries of other features. */
export function idsOfAccount(accountId: string) {
  return sql<string>`(SELECT id FROM pages
    WHERE account_id = ${accountId} AND importing_at IS NULL AND trashed_at IS NULL)`
}

/** Includes pages that are being imported, and those in the trash. */
export const listAllIds = rawValues<[accountId: string]>(IDS_OF_ACCOUNT)

/** Pages whose import has not written since then. @returns their ids */
export const listAbandoned = rawValues<[before: Timestamp]>(
  'SELECT id AS value FROM pages WHERE importing_at < $1',
)

/** Pages that came to the trash before a time, the first first. */
export const listTrashed = raw<
  Pick<Page, 'id' | 'account_id'>,
  [before: Timestamp, limit: number]
>(`
  SELECT id, account_id FROM pages WHERE trashed_at < $1 AND importing_at IS NULL
  ORDER BY trashed_at LIMIT $2`)

export const listFolders = raw<{ name: string; pages: number }, [accountId: string]>(`
  SELECT folder AS name, count(*) AS pages FROM pages
  WHERE account_id = $1 AND folder IS NOT NULL AND importing_at IS NULL AND trashed_at IS NULL
  GROUP BY folder ORDER BY folder LIMIT 1000`)

/** When imports that are under way wrote last. */
export const importTimes = futureTimes('pages', 'importing_at')

/** @param accountId null: of all accounts */
export async function countPages(db: Db, accountId: string | null) {
  return shownIn(db)
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
    .select(({ fn }) => [
      fn.countAll<number>().as('pages'),
      fn.count<number>('published_id').as('published_pages'),
      fn.count<number>('taken_down_at').as('taken_down_pages'),
    ])
    .executeTakeFirstOrThrow()
}

/** Pages that search engines may list and that have not expired, the last edited first. */
export const listIndexable = raw<
  Pick<Tables['pages'], 'id' | 'slug' | 'published_at'>,
  [now: Timestamp, limit: number]
>(`
  SELECT id, slug, published_at FROM pages
  WHERE importing_at IS NULL AND is_listed = 1 AND ${SUSPENDED_AT} IS NULL
    AND (expires_at IS NULL OR expires_at > $1)
  ORDER BY updated_at DESC LIMIT $2`)

const hasTitled = rawExists<[accountId: string, title: string]>(
  'SELECT 1 FROM pages WHERE account_id = $1 AND title = $2 AND trashed_at IS NULL',
)

/** The title, with the first number that makes it one that the account has no page of. */
export async function freeTitle(db: Db, accountId: string, title: string): Promise<string> {
  const numbered = (n: number) => (n === 1 ? title : titleWith(title, ` (${n})`))
  return numbered(await firstFree((n) => hasTitled(db, [accountId, numbered(n)])))
}

const CONTENTS = ['draft_id', 'published_id', 'trashed_published_id'] as const

export async function manifestsInUse(db: Db, ids: string[]): Promise<string[]> {
  const rows = await selectUsing(db, ids)
  return rows.flatMap((row) => CONTENTS.flatMap((name) => row[name] ?? []))
}
const selectUsing = rawList<Pick<Tables['pages'], (typeof CONTENTS)[number]>>(
  (ids) => `SELECT ${CONTENTS} FROM pages WHERE draft_id IN ${ids}
    OR published_id IN ${ids} OR trashed_published_id IN ${ids}`,
)

/** Pages with this address in some setting; the caller checks in which. */
export async function listPagesNaming(db: Db, email: string): Promise<Page[]> {
  return pagesOf(await selectNaming(db, [`%${escapeWildcards(JSON.stringify(email))}%`]))
}
const selectNaming = raw<PageRow>(
  `${SELECT_SHOWN} AND trashed_at IS NULL AND settings LIKE $1 ESCAPE '!'`,
)

/** Pages whose draft, or what is published, is not stored. @returns their ids */
export const findWithoutContent = rawValues<[limit: number]>(`
  SELECT id AS value FROM pages WHERE NOT (${hasManifest('draft_id')}
    AND ${hasManifest('coalesce(published_id, draft_id)')}) LIMIT $1`)

/** Any page with a password, which is sealed with the key of the server. */
export const findWithPassword = pageWhere<[]>(
  `SELECT ${COLUMNS} FROM pages WHERE password_sealed IS NOT NULL LIMIT 1`,
)

/** Another page has the slug, or another account gave it up within a year: which, is not told. */
export function slugTaken() {
  return refuse.conflict('slug_taken', 'This slug is taken: choose another.', { param: 'slug' })
}

/** Translates the database's error where a slug or a title is taken. */
function throwTaken(err: unknown): never {
  if (isUniqueViolation(err, 'pages.slug')) throw slugTaken()
  if (isUniqueViolation(err, 'pages.title')) {
    const message = 'Another page of this account has this title: choose another.'
    throw refuse.conflict('duplicate_title', message, { param: 'title' })
  }
  throw err
}

/** A row as it is read: with what its account says about it. */
export type PageRow = Tables['pages'] & Pick<Page, 'suspended_at'>

/** Columns with copies of settings are for queries only. */
export function rowOf(page: Page): Tables['pages'] {
  const { settings, suspended_at, ...columns } = page
  return {
    ...columns,
    settings: JSON.stringify(settings),
    is_listed: isListed(page) ? 1 : 0,
    access: settings.access,
    expires_at: settings.expires_at,
    folder: settings.folder,
    search_text: searchTextOf(page),
    importing_at: null,
  }
}

/** Most pages of an account have the same settings, which are parsed once. */
export function pagesOf(rows: readonly PageRow[]): Page[] {
  const settingsByText = new Map<string, PageSettings>()
  return rows.map((row) => {
    return pageWith(row, settingsByText.getOrInsertComputed(row.settings, settingsOf))
  })
}

/** A setting that was added after the row was written has its default. */
function settingsOf(text: string): PageSettings {
  return { ...DEFAULT_SETTINGS, ...JSON.parse(text) }
}

function pageWith(row: PageRow, settings: PageSettings): Page {
  const { is_listed, access, expires_at, folder, search_text, importing_at, ...columns } = row
  // However many pages an account has, its row alone closes them: nothing of it is public then.
  const closed = row.suspended_at === '' && { published_id: null, published_at: null }
  const source = row.source as Source
  return { ...columns, ...closed, settings, source, suspended_at: row.suspended_at || null }
}

/** Which pages a list has, and in which order. */
export interface PageQuery extends Omit<ListInput, 'search' | 'sort' | 'order'> {
  /** Null: of all accounts, for the operator. */
  account_id: string | null
  ids?: readonly string[] | null | undefined
  /** Only those that are taken down, or only others. */
  taken_down?: boolean | undefined
  sort: NonNullable<ListInput['sort']>
  words: readonly string[]
  order: 'asc' | 'desc'
  /** The time at which the states of pages are asked for. */
  now: Timestamp
}
