import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import * as store from './records/store.ts'
import { slugTaken } from './store.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

interface SlugOf {
  slug: string
  account_id: string
}

/**
 * Slugs that accounts gave up, by a change of the slug or a deletion. For a year no other account
 * gets them: links to the former page are in mails and bookmarks.
 */
export interface FreedSlugs {
  /** Call it in the transaction that frees the slug; of a deleted account without its id. */
  keep(tx: Tx, of: { slug: string; account_id: string | null }): Promise<void>
  isKept(db: Db, of: SlugOf): Promise<boolean>
  /**
   * Call it after the write that takes the slug: on PostgreSQL that write waits for a transaction
   * that frees the slug, and only what is read later sees what it has written.
   * @throws Refusal `slug_taken`
   */
  assertFree(tx: Tx, of: SlugOf): Promise<void>
  /** Those of a deleted account stay, and nothing leads from them to it. */
  disown(tx: Tx, accountId: string): Promise<void>
}

export function createFreedSlugs(clock: Clock): FreedSlugs {
  async function isKept(db: Db, { slug, account_id }: SlugOf): Promise<boolean> {
    const freed = await store.findFreed(db, slug, clock.after(-YEAR_MS))
    return freed !== undefined && freed.account_id !== account_id
  }

  return {
    async keep(tx, of) {
      await store.deleteFreed(tx, clock.after(-YEAR_MS))
      await store.putFreed(tx, { ...of, freed_at: clock.now() })
    },
    isKept,
    async assertFree(tx, of) {
      if (await isKept(tx, of)) throw slugTaken()
    },
    disown: store.disownFreed,
  }
}
