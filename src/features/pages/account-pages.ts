import type { Database, Tx } from '../../platform/db/index.ts'
import { announceChange, type PageChanges } from './changes.ts'
import * as store from './store.ts'

/** All pages of an account that is deleted. */
export interface AccountPages {
  /** Unpublishes them in the transaction, on every node. */
  closeAll(tx: Tx, accountId: string): Promise<void>
  /** Deletes them, each in its own transaction. */
  deleteAll(accountId: string): Promise<void>
}

export function createAccountPages(database: Database, changes: PageChanges): AccountPages {
  return {
    async closeAll(tx, accountId) {
      await store.deleteIdempotencyKeysOf(tx, accountId)
      for (const slug of await store.closePages(tx, accountId)) {
        await announceChange(database, tx, slug)
      }
    },
    async deleteAll(accountId) {
      for (const id of await store.listAllIds(database.read, accountId)) {
        await changes.removeOf(accountId, id)
      }
      await database.write((tx) => store.deleteIdempotencyKeysOf(tx, accountId), 'freeing')
    },
  }
}
