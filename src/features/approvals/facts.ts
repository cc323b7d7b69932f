import type { Page } from '../../model/page/index.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import type { ApprovalFacts, PublishedContent } from './rules.ts'
import * as store from './store.ts'

interface FactsDeps {
  database: Database
  versions: { numberOf(pageId: string, manifestId: string, db?: Db): Promise<number | null> }
}

/** Reads the facts that the rules need. */
export type FactsOf = (page: Page, db?: Db) => Promise<ApprovalFacts>

export function createFacts({ database, versions }: FactsDeps): FactsOf {
  async function publishedOf(page: Page, db: Db): Promise<PublishedContent | null> {
    const { id, published_id } = page
    if (published_id === null) return null
    const versionNo = await versions.numberOf(id, published_id, db)
    // Null only if other content was published and this version pruned since the page was read.
    return versionNo === null ? null : { manifest_id: published_id, version_no: versionNo }
  }

  return async (page, db = database.read) => {
    const history = await store.listAllDecisions(db, page.id)
    return {
      settings: page.settings,
      published: await publishedOf(page, db),
      decisions: history.filter(({ imported_at: at }) => at === null),
      history,
      asked: await store.listRequests(db, page.id),
    }
  }
}
