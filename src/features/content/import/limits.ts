import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import { besideLimit } from '../../../model/plan.ts'

/** @throws Refusal `content_too_large`, which says that `what` is larger than the plan allows */
export function assertSize(
  sizeBytes: number,
  { plan, plan_name: planName }: Account,
  { limit, what, isAsset = false }: { limit: number; what: string; isAsset?: boolean },
): void {
  if (sizeBytes <= limit) return
  const shown = besideLimit(sizeBytes, limit)
  const rule = isAsset
    ? `an asset of a deck may have ${shown.limit} on every plan`
    : `the ${planName} plan allows ${shown.limit}`
  throw refuse.tooLarge('content_too_large', `${what} is ${shown.size}; ${rule}.`, { limit, plan })
}
