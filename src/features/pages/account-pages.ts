import type { Database, Tx } from '../../platform/db/index.ts'
import { announceChange, type PageChanges } from './changes.ts'
import type { FreedSlugs } from './freed-slugs/freed-slugs.ts'
import * as store from './store.ts'

/** All pages of an account that is deleted or suspended. */
export interface AccountPages {
  /** Has every node read them again: the state of their account changes in the transaction. */
  announceAll(tx: Tx, accountId: string): Promise<void>
  /** Unpublishes them in the transaction, on every node. */
  closeAll(tx: Tx, accountId: string): Promise<void>
  /** Deletes them, each in its own transaction. */
  deleteAll(accountId: string): Promise<void>
}

export interface AccountPagesDeps {
  database: Database
  changes: PageChanges
  freedSlugs: FreedSlugs
}

export function createAccountPages({
  database,
  changes,
  freedSlugs,
}: AccountPagesDeps): AccountPages {
  /** What the pages' store has of the account besides its pages. */
  async function forget(tx: Tx, accountId: string): Promise<void> {
    await store.deleteIdempotencyKeysOf(tx, accountId)
    await freedSlugs.disown(tx, accountId)
  }
  const announceAll = (tx: Tx, accountId: string) => announceChange(database, tx, accountId)

  return {
    announceAll,
    async closeAll(tx, accountId) {
      await forget(tx, accountId)
      await store.closePages(tx, accountId)
      await announceAll(tx, accountId)
    },
    async deleteAll(accountId) {
      for (const id of await store.listAllIds(database.read, accountId)) {
        await changes.removeOf(accountId, id)
      }
      await database.write((tx) => forget(tx, accountId), 'freeing')
    },
  }
}
