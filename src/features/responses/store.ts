import type { Expression } from 'kysely'
import type { FormControl } from '../../model/form.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawCounts, rawList, rawRow, rawWrite } from '../../platform/db/raw.ts'
import { rowBy, rowsInto, updateBy, upsertInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { StoredResponse } from './report/index.ts'

/** A viewer's current response: the columns that the next submission needs. */
export const findByViewer = rowBy(
  'responses',
  ['page_id', 'viewer'],
  [
    ...(['id', 'submitted_at', 'submit_count', 'size_bytes', 'submissions'] as const),
    ...(['name', 'created_at', 'respondent'] as const),
  ],
)

/**
 * Locks the responses of a page until the transaction ends, so that they are stored one by one.
 *
 * @throws a foreign key violation if the page is deleted
 */
export const lockCounter = rawWrite<[pageId: string]>(`
  INSERT INTO response_counters (page_id, count, bytes, last_us, revision)
  VALUES ($1, 0, 0, 0, 0)
  ON CONFLICT (page_id) DO UPDATE SET count = response_counters.count`)

/**
 * Reserves quota and a submission time: `count` is 1 for a viewer's first response, and 0 for one
 * that replaces another, which is never refused. `bytes` is how many more are stored afterwards.
 *
 * @returns a time later than any before, in microseconds; undefined if over the quota
 */
export const reserveQuota = rawRow<
  Pick<Tables['response_counters'], 'last_us' | 'list_types'>,
  [pageId: string, count: 0 | 1, bytes: number, nowUs: number, maxCount: number, maxBytes: number]
>(`
  UPDATE response_counters SET
    count = count + $2, bytes = bytes + $3, revision = revision + 1,
    last_us = CASE WHEN last_us < $4 THEN $4 ELSE last_us + 1 END
  WHERE page_id = $1 AND ($2 = 0 OR (count + $2 <= $5 AND bytes + $3 <= $6))
  RETURNING last_us, list_types`)

export const updateCounter = updateBy('response_counters', 'page_id')

/** Stores a viewer's response, in the place of an earlier one. */
export const save = upsertInto('responses', 'page_id', 'viewer')

/** @returns false if the page has no such response */
export async function deleteOne(tx: Tx, pageId: string, id: string): Promise<boolean> {
  // Locks the counter before the response, as submissions do; the other order could deadlock.
  await lockCounter(tx, [pageId])
  const deleted = await deleteResponse(tx, [pageId, id])
  if (deleted === undefined) return false
  await takeFromCounter(tx, [pageId, deleted.size_bytes])
  // The types of fields are deleted with the page's last response.
  await updateEmpty(tx, [pageId, 0], { list_types: '[]' })
  return true
}

const deleteResponse = rawRow<{ size_bytes: number }, [pageId: string, id: string]>(
  'DELETE FROM responses WHERE page_id = $1 AND id = $2 RETURNING size_bytes',
)
const takeFromCounter = rawWrite<[pageId: string, bytes: number]>(`
  UPDATE response_counters SET revision = revision + 1, count = count - 1, bytes = bytes - $2
  WHERE page_id = $1`)
const updateEmpty = updateBy('response_counters', 'page_id', 'count')

export type Counter = Pick<
  Tables['response_counters'],
  'count' | 'bytes' | 'revision' | 'list_types'
>

const selectCounter = rowBy('response_counters', ['page_id'])

export async function findCounter(db: Db, pageId: string): Promise<Counter> {
  const row = await selectCounter(db, [pageId])
  return row ?? { count: 0, bytes: 0, revision: 0, list_types: '[]' }
}

/** The number of responses of each page; pages without any are left out. */
export const countByPage = rawCounts(
  (list) => `SELECT page_id AS key, count FROM response_counters WHERE page_id IN ${list}`,
)

/** A page's responses: all of them, or those submitted after `since`. */
export interface ResponseFilter {
  page_id: string
  since: string | undefined
}

const SHORT_COLUMNS = [
  ...(['id', 'respondent', 'name', 'submitted_at', 'created_at', 'path', 'submit_count'] as const),
]
const WHOLE_COLUMNS = [...SHORT_COLUMNS, 'page_version', 'data'] as const
const COLUMNS = [...WHOLE_COLUMNS, 'controls'] as const
/** So large are responses whose fields a list of many kinds of things shows. */
const SHORT_BYTES = 8 * 1024

export type Order = 'asc' | 'desc'

interface ChunkRange {
  order: Order
  /** The `created_at` of the last response of the chunk before, in this order. */
  after: string | undefined
  offset: number
  limit: number
}

export async function listChunk(
  db: Db,
  { page_id, since }: ResponseFilter,
  { order, after, offset, limit }: ChunkRange,
): Promise<StoredResponse[]> {
  const rows = await db
    .selectFrom('responses')
    .select(COLUMNS)
    .where('page_id', '=', page_id)
    .$if(since !== undefined, (all) => all.where('submitted_at', '>', since!))
    .$if(after !== undefined, (all) => all.where('created_at', order === 'asc' ? '>' : '<', after!))
    .orderBy('created_at', order)
    .limit(limit)
    .offset(offset)
    .execute()
  return parseRows(rows)
}

type Row = Pick<Tables['responses'], (typeof COLUMNS)[number]>

/** Parses the controls. Equal texts share one array, since a form sends the same text each time. */
function parseRows(rows: Row[]): StoredResponse[] {
  const parsedTexts = new Map<string, FormControl[]>()
  const parseControls = (text: string | null) =>
    text === null ? null : parsedTexts.getOrInsertComputed(text, () => JSON.parse(text))
  // Changes the rows instead of copying them: a report reads tens of thousands.
  return rows.map((row) => Object.assign(row, { controls: parseControls(row.controls) }))
}

/** Responses of any pages; `data` is null where it is large. */
export const findShort = rawList<
  Pick<Tables['responses'], (typeof SHORT_COLUMNS)[number]> & { data: string | null }
>(
  (list) => `SELECT ${SHORT_COLUMNS.join()},
    CASE WHEN size_bytes <= ${SHORT_BYTES} THEN data END AS data
    FROM responses WHERE id IN ${list}`,
)

/** In bytes. */
export const sizesOf = rawCounts(
  (list) => `SELECT id AS key, size_bytes AS count FROM responses WHERE id IN ${list}`,
)

/** Responses of any pages, with all they have. */
export const findWhole = rawList<Pick<Tables['responses'], (typeof WHOLE_COLUMNS)[number]>>(
  (list) => `SELECT ${WHOLE_COLUMNS.join()} FROM responses WHERE id IN ${list}`,
)

/** The sum of the counters of these pages; of all pages if not given. */
export async function sumCounters(db: Db, pageIds?: Expression<string>) {
  const all = db
    .selectFrom('response_counters')
    .select(({ fn, val }) => [
      fn.coalesce(fn.sum<number>('count'), val(0)).as('count'),
      fn.coalesce(fn.sum<number>('bytes'), val(0)).as('bytes'),
    ])
  const counters = pageIds === undefined ? all : all.where('page_id', 'in', pageIds)
  return counters.executeTakeFirstOrThrow()
}

/** Responses of a page for an export, oldest first. */
export const listToExport = raw<
  Tables['responses'],
  [pageId: string, after: string, limit: number]
>('SELECT * FROM responses WHERE page_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $3')

/** Stores the responses of an imported page, which has none before. */
export const insertAll = rowsInto('responses', { most: 32 })

export const insertCounters = rowsInto('response_counters')

/** How many responses each viewer of a page has given. */
export const countByViewer = rawCounts<[pageId: string]>(
  (viewers) => `SELECT viewer AS key, count(*) AS count FROM responses
    WHERE page_id = $2 AND viewer IN ${viewers} GROUP BY viewer`,
)
