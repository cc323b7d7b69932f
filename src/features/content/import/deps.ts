import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import { besideLimit } from '../../../model/plan.ts'
import type { GuardedFetch } from '../../../platform/fetch/index.ts'
import type { StoredBlobs } from '../stored-blobs.ts'
import type { Uploads } from '../uploads.ts'
import type { ContentWork } from '../work.ts'

/** The sources of content that is not in the request itself. */
export interface ImportDeps {
  uploads: Pick<Uploads, 'read' | 'sizeOf'>
  fetch: GuardedFetch
  /** Where a deck has the bytes that it keeps. */
  content: Pick<StoredBlobs, 'bytes'>
  work: ContentWork
}

/** @throws Refusal `content_too_large`, which says that `what` is larger than the plan allows */
export function assertSize(
  sizeBytes: number,
  { plan, plan_name }: Account,
  { limit, what, isAsset = false }: { limit: number; what: string; isAsset?: boolean },
): void {
  if (sizeBytes <= limit) return
  const sizes = besideLimit(sizeBytes, limit)
  const rule = isAsset
    ? `an asset of a deck may have ${sizes.limit} on every plan`
    : `the ${plan_name} plan allows ${sizes.limit}`
  throw refuse.tooLarge('content_too_large', `${what} is ${sizes.size}; ${rule}.`, { limit, plan })
}
