import type { Page } from '../../model/page/index.ts'
import type { InboxRows } from '../../platform/db/inbox-rows.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { LatestDecision } from './contract.ts'
import * as store from './store.ts'

/** The newest decision of each current approver of each page. */
export interface LatestDecisions {
  newestDecisions: InboxRows
  /** Decisions by id. @param pages the pages of these decisions */
  readDecisions(
    db: Db,
    pages: ReadonlyMap<string, Page>,
    ids: readonly string[],
  ): Promise<Map<string, LatestDecision>>
  /** Updates the inbox after the approvers of the page have changed. Runs in that transaction. */
  onPageChange(tx: Tx, before: Page, after: Page): Promise<void>
}

export const latestDecisions: LatestDecisions = {
  newestDecisions: store.newestDecisions,
  async readDecisions(db, pages, ids) {
    const found = await store.findDecisions(db, ids)
    return new Map(
      found.map(({ id, page_id: pageId, manifest_id: manifestId, ...decision }) => {
        const isCurrent = manifestId === pages.get(pageId)?.published_id
        return [id, { ...decision, is_current: isCurrent }]
      }),
    )
  },
  async onPageChange(tx, before, after) {
    const approvers = askedBy(after)
    const isSame = new Set(askedBy(before)).symmetricDifference(new Set(approvers)).size === 0
    if (!isSame) await store.listInInbox(tx, after.id, approvers)
  },
}

function askedBy({ settings }: Page): string[] {
  return settings.collect_approvals ? settings.approver_emails : []
}
