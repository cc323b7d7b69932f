import { CompiledQuery } from 'kysely'
import type { FormControl } from '../../model/form.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { ResponseCountersTable, ResponsesTable } from '../../platform/db/tables.ts'
import type { StoredResponse } from './report/index.ts'
import type { Kept } from './rules.ts'

/** A viewer's own response, as far as the next submission needs it. */
export type Own = Pick<
  ResponsesTable,
  'id' | 'submitted_at' | 'submit_count' | 'size_bytes' | 'submissions'
>

/** What each submission runs, compiled once: only the parameters are filled in. */
const FIND_OWN = `
  SELECT id, submitted_at, submit_count, size_bytes, submissions
  FROM responses WHERE page_id = $1 AND viewer = $2`
const RESERVE_QUOTA = `
  UPDATE response_counters SET
    count = count + $1, bytes = bytes + $2, revision = revision + 1,
    last_us = CASE WHEN last_us < $3 THEN $3 ELSE last_us + 1 END
  WHERE page_id = $4 AND ($1 = 0 OR (count + $1 <= $5 AND bytes + $2 <= $6))
  RETURNING last_us`
const BEGIN_COUNTER = `
  INSERT INTO response_counters (page_id, count, bytes, last_us, revision)
  VALUES ($1, 0, 0, 0, 0) ON CONFLICT (page_id) DO NOTHING`
const INSERT = `
  INSERT INTO responses (id, page_id, viewer, respondent, submitted_at, created_at, submissions,
    submit_count, name, page_version, path, data, controls, size_bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $12, $13)
  ON CONFLICT (page_id, viewer) DO NOTHING RETURNING id`
const REPLACE = `
  UPDATE responses SET submitted_at = $1, submissions = $2, submit_count = submit_count + 1,
    name = $3, page_version = $4, path = $5, data = $6, controls = $7, size_bytes = $8
  WHERE id = $9 AND submit_count = $10 RETURNING id`

export async function findOwn(db: Db, pageId: string, viewer: string): Promise<Own | undefined> {
  return (await run<Own>(db, FIND_OWN, [pageId, viewer]))[0]
}

export interface Reservation {
  page_id: string
  /** 1 for a response that is not there yet. */
  count: 0 | 1
  /** More than now, or fewer. */
  bytes: number
  nowUs: number
  max_count: number
  max_bytes: number
}

/**
 * Reserves quota for a response, and settles when it was submitted, in one statement: exact however
 * many nodes ask at once. A response that replaces one is never refused.
 *
 * @returns microseconds since the epoch, later than any given before; undefined: over the quota
 */
export async function reserveQuota(tx: Tx, asked: Reservation): Promise<number | undefined> {
  const { page_id: pageId, count, bytes, nowUs, max_count: maxCount, max_bytes: maxBytes } = asked
  const values = [count, bytes, nowUs, pageId, maxCount, maxBytes]
  return (await run<{ last_us: number }>(tx, RESERVE_QUOTA, values))[0]?.last_us
}

/** @throws a foreign key violation where the page is gone */
export async function beginCounter(tx: Tx, pageId: string): Promise<void> {
  await run(tx, BEGIN_COUNTER, [pageId])
}

export type First = Kept &
  Pick<ResponsesTable, 'id' | 'page_id' | 'viewer' | 'respondent' | 'submitted_at' | 'submissions'>

/** @returns false where the viewer has a response by now */
export async function insertFirst(tx: Tx, first: First): Promise<boolean> {
  const { id, page_id: pageId, viewer, respondent, submitted_at: submittedAt, submissions } = first
  const own = [id, pageId, viewer, respondent, submittedAt, submittedAt, submissions]
  return (await run(tx, INSERT, [...own, ...valuesOf(first)])).length > 0
}

export type Next = Kept & Pick<ResponsesTable, 'submitted_at' | 'submissions'>

/** @returns false where it is no longer what was read */
export async function replace(tx: Tx, before: Own, next: Next): Promise<boolean> {
  const { submitted_at: submittedAt, submissions } = next
  const values = [submittedAt, submissions, ...valuesOf(next), before.id, before.submit_count]
  return (await run(tx, REPLACE, values)).length > 0
}

function valuesOf({
  name,
  page_version: pageVersion,
  path,
  data,
  controls,
  size_bytes: sizeBytes,
}: Kept): unknown[] {
  return [name, pageVersion, path, data, controls, sizeBytes]
}

/** @returns false where the page has no such response */
export async function deleteOne(tx: Tx, pageId: string, id: string): Promise<boolean> {
  // The counter first, as submissions take them: two in the other order would wait for each other.
  await tx
    .updateTable('response_counters')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('page_id', '=', pageId)
    .execute()
  const deleted = await tx
    .deleteFrom('responses')
    .where('id', '=', id)
    .where('page_id', '=', pageId)
    .returning('size_bytes')
    .executeTakeFirst()
  if (deleted === undefined) return false
  await tx
    .updateTable('response_counters')
    .set((eb) => ({
      count: eb('count', '-', 1),
      bytes: eb('bytes', '-', deleted.size_bytes),
    }))
    .where('page_id', '=', pageId)
    .execute()
  return true
}

export type Counter = Pick<ResponseCountersTable, 'count' | 'bytes' | 'revision'>

export async function findCounter(db: Db, pageId: string): Promise<Counter> {
  const row = await db
    .selectFrom('response_counters')
    .select(['count', 'bytes', 'revision'])
    .where('page_id', '=', pageId)
    .executeTakeFirst()
  return row ?? { count: 0, bytes: 0, revision: 0 }
}

async function run<R>(db: Db, statement: string, values: unknown[]): Promise<R[]> {
  const query = CompiledQuery.raw(statement, values)
  return (await db.executeQuery<R>(query as CompiledQuery<never>)).rows
}

/** A page's responses, or those of them that were submitted after an instant. */
export interface ResponseFilter {
  page_id: string
  since: string | undefined
}

const COLUMNS = [
  'id',
  'respondent',
  'name',
  'submitted_at',
  'created_at',
  'page_version',
  'path',
  'submit_count',
  'data',
  'controls',
] as const

export async function listOldest(
  db: Db,
  filter: ResponseFilter,
  { after, limit }: { after: string; limit: number },
): Promise<StoredResponse[]> {
  const rows = select(db, filter).where('created_at', '>', after).orderBy('created_at')
  return storedOf(await rows.limit(limit).execute())
}

export interface Newest {
  /** The `created_at` of the last one read before. */
  before?: string | undefined
  offset?: number | undefined
  limit: number
}

export async function listNewest(
  db: Db,
  filter: ResponseFilter,
  { before, offset = 0, limit }: Newest,
): Promise<StoredResponse[]> {
  const all = select(db, filter).orderBy('created_at', 'desc').limit(limit).offset(offset)
  return storedOf(
    await (before === undefined ? all : all.where('created_at', '<', before)).execute(),
  )
}

function select(db: Db, { page_id: pageId, since }: ResponseFilter) {
  const all = db.selectFrom('responses').select(COLUMNS).where('page_id', '=', pageId)
  return since === undefined ? all : all.where('submitted_at', '>', since)
}

type Row = Pick<ResponsesTable, (typeof COLUMNS)[number]>

/** Controls that are the same text become the same list: a form sends the same each time. */
function storedOf(rows: Row[]): StoredResponse[] {
  const read = new Map<string, FormControl[]>()
  function controlsIn(text: string | null): FormControl[] | null {
    if (text === null) return null
    const controls = read.get(text) ?? (JSON.parse(text) as FormControl[])
    read.set(text, controls)
    return controls
  }
  // In place: these are read by the ten thousand.
  return rows.map((row) => Object.assign(row, { controls: controlsIn(row.controls) }))
}
