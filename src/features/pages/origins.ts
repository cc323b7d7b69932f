import type { Account } from '../../model/account.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import * as imports from './records/store.ts'
import * as store from './store.ts'

export interface SamePage {
  page: Page
  /** Whether its slug alone is the same. */
  hasSlugAlone: boolean
}

/** Recognizes pages that were exported and imported, also several times. */
export function createOrigins(db: Db) {
  async function findMade(accountId: string, ids: readonly string[]): Promise<Page | null> {
    for (const id of ids) {
      const imported = await imports.findFrom(db, accountId, id)
      const page = await store.findPage(db, imported?.page_id ?? id)
      if (page?.account_id === accountId) return page
    }
    return null
  }

  return {
    async findSame(
      { id: accountId }: Account,
      { slug, ids }: { slug: string; ids: readonly string[] },
    ): Promise<SamePage | null> {
      const made = await findMade(accountId, ids)
      if (made !== null) return { page: made, hasSlugAlone: false }
      const page = await store.findPageBySlug(db, slug)
      return page?.account_id === accountId ? { page, hasSlugAlone: true } : null
    },
    async originOf(pageId: string) {
      const row = await imports.findOrigin(db, pageId)
      return row === undefined ? null : { server: row.from_server, page_id: row.from_page_id }
    },
  }
}
