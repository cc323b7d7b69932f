import { type Newest, type NewestRange, newestIn } from '../../model/newest-first.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { LatestDecision } from './contract.ts'
import * as store from './store.ts'

/** The latest decision of an approver about one of several pages. */
export interface PageDecision extends LatestDecision {
  id: string
  page_id: string
}

/** The latest decision of each approver, of those pages that collect approvals now. */
export async function newestDecisions(
  db: Db,
  pages: readonly Page[],
  range: NewestRange,
): Promise<Newest<PageDecision>> {
  const collecting = new Map(
    pages.filter(({ settings }) => settings.collect_approvals).map((page) => [page.id, page]),
  )
  const latest = await store.listLatest(db, [...collecting.keys()])
  const counting = latest.filter(({ page_id: pageId, email }) =>
    collecting.get(pageId)!.settings.approver_emails.includes(email),
  )
  const ids = newestIn(counting, range).map(({ id }) => id)
  const found = await store.findDecisions(db, ids)
  const items = found.map(({ manifest_id: manifestId, ...row }) => ({
    ...row,
    is_current: manifestId === collecting.get(row.page_id)!.published_id,
  }))
  return { count: counting.length, items }
}
