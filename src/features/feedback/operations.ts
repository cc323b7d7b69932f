import { assertMayUse } from '../../model/account.ts'
import { implement, type Operation } from '../../model/operation.ts'
import { getFeedback, getPageFeedback } from './contract.ts'
import type { Feedback } from './index.ts'

export function feedbackOperations(feedback: Feedback): Operation[] {
  return [
    implement(getFeedback, async ({ account, context }, { page_id: name, ...query }) => {
      const page = name === undefined ? null : await feedback.pageNamed(account, name)
      if (page !== null && context.key) assertMayUse(context.key, page.id)
      return { data: await feedback.read(account, { ...query, page }, context) }
    }),
    implement(getPageFeedback, async ({ account, page, context }, query) => ({
      data: await feedback.read(account, { ...query, page }, context),
    })),
  ]
}
