import { type Decision, decide, type VisitorFacts } from '../../../features/access/index.ts'
import { isPreviewToken, type PublishedPage } from '../../../features/pages/index.ts'
import type { Agent } from './agents.ts'
import type { Identity } from './identity.ts'
import { renewalOf, type Target } from './paths.ts'
import { isWindow } from './window.ts'

/** A request that has come to the gate of a page. */
export interface Arrival {
  request: Request
  target: Target
  /** Whether the request is for the page's own host. */
  isOwnHost: boolean
  publishedPage: PublishedPage
  identity: Identity
  agent: Agent
  nowMs: number
}

/** For what the request is: the page, or a preview of it. */
export type AnyDecision = Decision | Decision<'preview'>

export function decideOn(
  { publishedPage, identity, nowMs }: Arrival,
  facts: VisitorFacts,
): AnyDecision {
  const { gate } = publishedPage
  return identity.preview === null
    ? decide(gate, facts, nowMs)
    : decide(gate, facts, nowMs, 'preview')
}

/**
 * Whether an address has no token, or one that leads on. One that does not hold is like a missing
 * file, except in a window, which goes to the page's own address.
 */
export function isTokenFor({ request, target, identity }: Arrival): boolean {
  const { frameToken } = target
  if (frameToken === null || identity.hasFrameToken) return true
  if (renewalOf(request, target) !== null) return true
  return isWindow(request) && !isPreviewToken(frameToken)
}

/** A counted visit continues. The panel's token says whether its view was counted. */
export function checksLimit({ request, target, publishedPage, identity }: Arrival): boolean {
  if (publishedPage.max_views === null || identity.isCountedVisit) return false
  return renewalOf(request, target) !== 'viewer_renewal'
}

/** Preview agents get no content of pages that are gated or have a view limit, and no draft. */
export function isForStub({ agent, publishedPage, identity }: Arrival): boolean {
  if (!agent.isPreview) return false
  if (identity.preview !== null) return true
  const { access } = publishedPage.gate
  return access !== 'private' && (access !== 'link' || publishedPage.max_views !== null)
}
