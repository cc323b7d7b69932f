import { type SqlBool, sql } from 'kysely'
import type { Newest, NewestRange } from '../../model/newest-first.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { inChunks } from '../../platform/db/chunks.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { AccessRequest } from './contract.ts'

const COLUMNS = ['id', 'email', 'created_at', 'decided_at', 'decision'] as const

/** @returns null where the address asked before, so that the owner is mailed once */
export async function insertRequest(
  tx: Tx,
  row: { id: string; page_id: string; account_id: string; email: string; created_at: string },
): Promise<AccessRequest | null> {
  const inserted = await tx
    .insertInto('access_requests')
    .values({ ...row, decided_at: null, decision: null })
    .onConflict((conflict) => conflict.columns(['page_id', 'email']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
  return (inserted ?? null) as AccessRequest | null
}

export async function hasAsked(db: Db, pageId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('access_requests')
    .select('id')
    .where('page_id', '=', pageId)
    .where('email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

function openOf(db: Db, accountId: string) {
  return db
    .selectFrom('access_requests')
    .where('account_id', '=', accountId)
    .where('decided_at', 'is', null)
}

/** The newest undecided requests for the pages of an account. */
export function listOpen(db: Db, accountId: string, limit: number) {
  return openOf(db, accountId)
    .select(['id', 'page_id', 'email'])
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}

export async function countOpen(db: Db, accountId: string): Promise<number> {
  const { count } = await openOf(db, accountId)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface PageRequest extends AccessRequest {
  page_id: string
}

/** The newest undecided requests for these pages of an account. */
export async function listOpenOf(
  db: Db,
  { accountId, pageIds }: { accountId: string; pageIds: readonly string[] },
  { before, limit }: NewestRange,
): Promise<Newest<PageRequest>> {
  const newest: Newest<PageRequest> = { count: 0, items: [] }
  for (const ids of inChunks(pageIds)) {
    const open = openOf(db, accountId).where('page_id', 'in', ids)
    const counted = open.select((eb) => eb.fn.countAll().as('count'))
    newest.count += Number((await counted.executeTakeFirstOrThrow()).count)
    const rows = await open
      .select([...COLUMNS, 'page_id'])
      .$if(before !== null, (older) =>
        older.where(sql<SqlBool>`(created_at, id) < (${before!.at}, ${before!.id})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    newest.items.push(...(rows as PageRequest[]))
  }
  return newest
}

export async function listRequests(db: Db, pageId: string): Promise<AccessRequest[]> {
  const rows = await db
    .selectFrom('access_requests')
    .select(COLUMNS)
    .where('page_id', '=', pageId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows as AccessRequest[]
}

interface DecidedRequest {
  id: string
  page_id: string
  decision: 'approve' | 'deny'
  decided_at: Timestamp
}

/** @returns undefined where the page has no such request */
export async function decideRequest(
  tx: Tx,
  { id, page_id: pageId, ...decided }: DecidedRequest,
): Promise<AccessRequest | undefined> {
  const row = await tx
    .updateTable('access_requests')
    .set(decided)
    .where('id', '=', id)
    .where('page_id', '=', pageId)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row as AccessRequest | undefined
}

export async function insertAll(
  tx: Tx,
  page: { page_id: string; account_id: string },
  requests: readonly AccessRequest[],
): Promise<void> {
  for (const chunk of inChunks(requests, 100)) {
    await tx
      .insertInto('access_requests')
      .values(chunk.map((request) => ({ ...request, ...page })))
      .execute()
  }
}
