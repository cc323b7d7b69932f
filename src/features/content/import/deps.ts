import type { Account } from '../../../model/account.ts'
import { refuse } from '../../../model/errors.ts'
import { besideLimit } from '../../../model/plan.ts'
import type { GuardedFetch } from '../../../platform/fetch/index.ts'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { Content } from '../content.ts'
import type { Uploads } from '../uploads.ts'
import type { ContentWork } from '../work.ts'

/** The sources of content that is not in the request itself. */
export interface ImportDeps {
  uploads: Pick<Uploads, 'read' | 'pieces' | 'sizeOf'>
  temporaryFiles: TemporaryFiles
  fetch: GuardedFetch
  /** Has the bytes that a deck keeps, and takes those that are too many for memory. */
  content: Pick<Content, 'bytes' | 'putAhead'>
  work: ContentWork
}

/** @throws Refusal `content_too_large`, which says that `what` is larger than the plan allows */
export function assertSize(
  sizeBytes: number,
  { plan, plan_name }: Account,
  { limit, what }: { limit: number; what: string },
): void {
  if (sizeBytes <= limit) return
  const sizes = besideLimit(sizeBytes, limit)
  const message = `${what} is ${sizes.size}; the ${plan_name} plan allows ${sizes.limit}.`
  throw refuse.tooLarge('content_too_large', message, { limit, plan })
}
