import { type Page, searchWordsIn } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { announceChange, type PageChanges } from './changes.ts'
import type { FreedSlugs } from './freed-slugs.ts'
import type { FindListed } from './list.ts'
import type { Presenter } from './present.ts'
import * as store from './store.ts'

/** Pages of all accounts, for the operator of the server. */
export interface AllPages {
  /** A list with the owner of each page, the last written first. */
  listAll(query: AllPagesQuery): Promise<{ pages: OwnedPage[]; next_offset: number | null }>
  countAll(): Promise<{ pages: number; published_pages: number; taken_down_pages: number }>
  /**
   * Takes a page down, or gives it back with null. Visitors get a notice at once, on every node.
   *
   * @returns the page as it is then
   */
  setTakedown(tx: Tx, page: Page, reason: string | null): Promise<Page>
}

interface AllPagesQuery {
  search: string
  taken_down?: boolean | undefined
  limit: number
  offset: number
}

interface OwnedPage {
  account_id: string
  page: PageObject
}

interface AllPagesDeps {
  database: Database
  findListed: FindListed
  clock: Clock
  changes: PageChanges
  presentAll: Presenter['presentAll']
}

export function createAllPages({
  database,
  findListed,
  clock,
  changes,
  presentAll,
}: AllPagesDeps): AllPages {
  const { read } = database
  return {
    async listAll({ search, limit, offset, ...filters }) {
      const now = clock.now()
      const rows = await findListed({
        ...filters,
        account_id: null,
        words: searchWordsIn(search),
        sort: 'updated',
        order: 'desc',
        limit: limit + 1,
        offset,
        now,
      })
      const accounts = new Map(rows.map((page) => [page.id, page.account_id]))
      const pages = await presentAll(rows.slice(0, limit), now)
      return {
        pages: pages.map((page) => ({ account_id: accounts.get(page.id)!, page })),
        next_offset: rows.length > limit ? offset + limit : null,
      }
    },
    countAll: () => store.countPages(read, null),
    setTakedown: (tx, page, reason) =>
      changes.changeWithin(tx, page, {
        onDraft: false,
        apply: async (_tx, current) => ({
          ...current,
          taken_down_at: reason === null ? null : (current.taken_down_at ?? clock.now()),
          taken_down_reason: reason,
        }),
      }),
  }
}

/** All pages of an account that is deleted or suspended. */
export interface AccountPages {
  /** Has every node read them again: the state of their account changes in the transaction. */
  announceAll(tx: Tx, accountId: string): Promise<void>
  /** Unpublishes them in the transaction, on every node. */
  closeAll(tx: Tx, accountId: string): Promise<void>
  /** Deletes them, each in its own transaction. */
  deleteAll(accountId: string): Promise<void>
}

interface AccountPagesDeps {
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
