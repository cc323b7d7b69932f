import type { Page } from '../../model/page/index.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import type { ApprovalFacts } from './rules.ts'
import * as store from './store.ts'

export interface VersionNumbers {
  numberOf(pageId: string, manifestId: string, db?: Db): Promise<number | null>
}

/** Reads the facts that the rules need. */
export type FactsOf = (page: Page, db?: Db) => Promise<ApprovalFacts>

export function createFacts(database: Database, versions: VersionNumbers): FactsOf {
  return async ({ id, settings, published_id: manifestId }, db = database.read) => {
    const history = await store.listAllDecisions(db, [id])
    const versionNo = manifestId && (await versions.numberOf(id, manifestId, db))
    return {
      settings,
      // No version only if other content was published and this one pruned since the page was read.
      published:
        manifestId && versionNo ? { manifest_id: manifestId, version_no: versionNo } : null,
      decisions: history.filter(({ imported_at: at }) => at === null),
      history,
      requests: await store.listWholeRequests(db, [id]),
    }
  }
}
