import type { Live } from '../../../features/pages/index.ts'
import type { Grant } from './visit-tokens.ts'
import type { Target } from './target.ts'
import type { Visitor } from './identity.ts'

/** One request, once its page is known. */
export interface Opening {
  request: Request
  live: Live
  target: Target
  visitor: Visitor
  is_limited: boolean
  /** Part of a visit that was counted before. */
  is_admitted: boolean
  /** Addressed by a capability that holds. */
  has_cap: boolean
  /** What a gate let the visitor in by: passed on to what the page loads. */
  grant: Grant | null
  /** For the signed-in owner: why visitors cannot open the page. */
  owner_bar: string | null
  now_s: number
}
