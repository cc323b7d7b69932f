import type { Approvals } from './features/approvals/index.ts'
import { approvalVisitorOperations } from './features/approvals/operations.ts'
import type { Comments } from './features/comments/index.ts'
import { commentVisitorOperations } from './features/comments/operations.ts'
import type { Polls } from './features/polls/index.ts'
import { pollVisitorOperations } from './features/polls/operations.ts'
import type { Responses } from './features/responses/index.ts'
import { responseVisitorOperations } from './features/responses/operations.ts'
import type { VisitorOperation } from './model/operation.ts'

interface VisitorFeatures {
  responses: Responses
  polls: Polls
  approvals: Approvals
  comments: Comments
}

/** All visitor operations: those of pages and of the panel. */
export function visitorOperations(features: VisitorFeatures): VisitorOperation[] {
  return [
    ...responseVisitorOperations(features.responses),
    ...pollVisitorOperations(features.polls),
    ...approvalVisitorOperations(features.approvals),
    ...commentVisitorOperations(features.comments),
  ]
}
