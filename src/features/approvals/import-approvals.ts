import type { Db } from '../../platform/db/index.ts'
import * as store from './store.ts'

/** All decisions about a page as an export has them, oldest first. */
export async function* decisionsOf(db: Db, pageId: string): AsyncGenerator<object> {
  yield* await store.listDecisions(db, pageId)
}

/** What the owner asked of approvers, as an export has it. */
export async function* approvalRequestsOf(db: Db, pageId: string): AsyncGenerator<object> {
  yield* await store.listRequests(db, pageId)
}
