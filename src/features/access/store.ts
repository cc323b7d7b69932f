import type { Timestamp } from '../../platform/clock.ts'
import { rowsInto } from '../../platform/db/chunks.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rawExists } from '../../platform/db/raw.ts'
import { isOfShownPage } from '../../platform/db/shown-pages.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { AccessRequest } from './contract.ts'

const COLUMNS = ['id', 'email', 'created_at', 'decided_at', 'decision'] as const

/** @returns null where the address asked before, so that the owner is mailed once */
export async function insertRequest(
  tx: Tx,
  row: Omit<Tables['access_requests'], 'decided_at' | 'decision'>,
): Promise<AccessRequest | null> {
  const inserted = await tx
    .insertInto('access_requests')
    .values({ ...row, decided_at: null, decision: null })
    .onConflict((conflict) => conflict.columns(['page_id', 'email']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
  return (inserted ?? null) as AccessRequest | null
}

export const hasAsked = rawExists<[pageId: string, email: string]>(
  'SELECT 1 FROM access_requests WHERE page_id = $1 AND email = $2',
)

function openOf(db: Db, accountId: string) {
  return db
    .selectFrom('access_requests')
    .where('account_id', '=', accountId)
    .where('decided_at', 'is', null)
    .where(isOfShownPage(accountId))
}

/** The newest undecided requests for the pages of an account. */
export function listOpen(db: Db, accountId: string, limit: number) {
  return openOf(db, accountId)
    .select(['id', 'page_id', 'email', 'created_at'])
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

export async function findRequests(db: Db, ids: readonly string[]): Promise<AccessRequest[]> {
  if (ids.length === 0) return []
  const query = db.selectFrom('access_requests').select(COLUMNS).where('id', 'in', ids)
  return (await query.execute()) as AccessRequest[]
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
  { id, page_id, ...values }: DecidedRequest,
): Promise<AccessRequest | undefined> {
  const row = await tx
    .updateTable('access_requests')
    .set(values)
    .where('id', '=', id)
    .where('page_id', '=', page_id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row as AccessRequest | undefined
}

/** @param accountId null: of all pages. @returns the ids */
export async function deleteRequests(
  tx: Tx,
  email: string,
  accountId: string | null,
): Promise<string[]> {
  const all = tx.deleteFrom('access_requests').where('email', '=', email)
  const some = accountId === null ? all : all.where('account_id', '=', accountId)
  return (await some.returning('id').execute()).map(({ id }) => id)
}

export const insertAll = rowsInto('access_requests')
