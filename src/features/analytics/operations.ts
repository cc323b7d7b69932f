import { implement, type Operation } from '../../model/operation.ts'
import type { Analytics } from './analytics.ts'
import * as contracts from './contract.ts'

export function analyticsOperations(analytics: Analytics): Operation[] {
  return [
    implement(contracts.getAnalytics, async ({ account, page }, query) => ({
      data: await analytics.ofPage(account, page, query),
    })),
    implement(contracts.getAccountAnalytics, async ({ account }, query) => ({
      data: await analytics.ofAccount(account, query),
    })),
    implement(contracts.listViewers, ({ page }, query) => analytics.viewers(page, query)),
  ]
}
