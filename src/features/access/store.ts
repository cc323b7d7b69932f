import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawList, rawRow } from '../../platform/db/raw.ts'
import { existsBy, insertOnceInto, rowsInto } from '../../platform/db/rows.ts'
import { isOfShownPage } from '../../platform/db/shown-pages.ts'
import type { AccessRequest } from './contract.ts'

const COLUMNS = 'id, email, created_at, decided_at, decision'

/** @returns false where the address asked before, so that the owner is mailed once */
export const insertRequest = insertOnceInto('access_requests')

export const hasAsked = existsBy('access_requests', 'page_id', 'email')

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
  const counting = openOf(db, accountId).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counting.executeTakeFirstOrThrow()).count
}

export const findRequests = rawList<AccessRequest>(
  (list) => `SELECT ${COLUMNS} FROM access_requests WHERE id IN ${list}`,
)

export const listRequests = raw<AccessRequest, [pageId: string]>(
  `SELECT ${COLUMNS} FROM access_requests WHERE page_id = $1 ORDER BY created_at DESC`,
)

/** @returns undefined where the page has no such request */
export const decideRequest = rawRow<
  AccessRequest,
  [pageId: string, id: string, decision: 'approve' | 'deny', at: Timestamp]
>(`
  UPDATE access_requests SET decision = $3, decided_at = $4 WHERE page_id = $1 AND id = $2
  RETURNING ${COLUMNS}`)

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
