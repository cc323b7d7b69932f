import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import { inMegabytes } from '../../../model/plan.ts'

/** @throws Refusal `content_too_large`, which says that `what` is larger than the plan allows */
export function assertSize(
  sizeBytes: number,
  { plan }: Account,
  { limit, what }: { limit: number; what: string },
): void {
  if (sizeBytes <= limit) return
  throw refuse.tooLarge(
    'content_too_large',
    `${what} is ${inMegabytes(sizeBytes)}; the ${plan} plan allows ${inMegabytes(limit)}.`,
    { limit, plan },
  )
}
