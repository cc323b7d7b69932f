import type { PublishedPage } from '../../../features/pages/index.ts'
import type { VisitorIdentity } from './identity.ts'
import type { Target } from './target.ts'
import type { Claims } from './visit-tokens.ts'

/** One request, once its page is known. */
export interface PageRequest {
  request: Request
  live: PublishedPage
  target: Target
  visitor: VisitorIdentity
  isLimited: boolean
  /** Part of a visit that was counted before. */
  isAdmitted: boolean
  /** Addressed by a capability that holds. */
  hasCap: boolean
  /** What a gate let the visitor in by: passed on to what the page loads. */
  grant: Claims | null
  /** For the signed-in owner: why visitors cannot open the page. */
  ownerBar: string | null
  nowS: number
}
