import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { LIMITS } from '../../model/plan.ts'
import { microsecondsOf } from '../../model/timestamp.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { ResponsesTable } from '../../platform/db/tables.ts'
import { newId } from '../../platform/ids.ts'
import * as store from './store.ts'

/** A response as another server had it. */
export type GivenResponse = Omit<
  ResponsesTable,
  'id' | 'page_id' | 'controls' | 'size_bytes' | 'submissions'
>

/** One response has up to 256 KiB. */
const BATCH = 50

/** All responses of a page as an export has them, oldest first. */
export async function* responsesOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const rows = await store.listToExport(db, pageId, { after, limit: BATCH })
    yield* rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.created_at
  }
}

/**
 * Stores the responses of an imported page, in the transaction that stores it.
 *
 * @throws Refusal `invalid_parameter` where they exceed the plan, or two are of one viewer
 */
export async function importResponses(
  tx: Tx,
  { account, pageId }: { account: Account; pageId: string },
  given: readonly GivenResponse[],
): Promise<void> {
  if (given.length === 0) return
  const rows = given.map((response) => ({
    ...response,
    id: newId('rsp'),
    page_id: pageId,
    controls: null,
    size_bytes: Buffer.byteLength(response.data),
    submissions: '',
  }))
  const bytes = rows.reduce((sum, row) => sum + row.size_bytes, 0)
  const { responsesPerPage, responseBytesPerPage } = LIMITS[account.plan]
  if (rows.length > responsesPerPage || bytes > responseBytesPerPage) {
    throw refused('It has more responses than your plan allows a page.')
  }
  const isDistinct = (member: 'viewer' | 'created_at') =>
    new Set(rows.map((row) => row[member])).size === rows.length
  if (!isDistinct('viewer') || !isDistinct('created_at')) {
    throw refused('Two of its responses are of one viewer or of one time.')
  }
  const newest = rows.reduce((last, row) => (row.submitted_at > last ? row.submitted_at : last), '')
  const counter = { page_id: pageId, count: rows.length, bytes, revision: 1 }
  await store.insertAll(tx, rows, { ...counter, last_us: microsecondsOf(newest) })
}

function refused(message: string) {
  return refuse.invalid('invalid_parameter', message)
}
