import { decide, type VisitorFacts } from '../../../features/access/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Access } from '../../../model/page/index.ts'

/** A visitor whom every gate admits: what refuses this one refuses everybody. */
const WELCOME: VisitorFacts = {
  is_owner: false,
  emails: [],
  is_signed_in: true,
  gave_password: true,
  isBeyondLimit: false,
  isPersonalDomain: () => false,
}

const WHO: Record<Access, string> = {
  link: 'Anyone with the link can open this page.',
  people: 'Only people you invite can open this page.',
  private: 'Only you can open this page.',
  password: 'Anyone with the password can open this page.',
  email_gate: 'Anyone who confirms an email can open this page.',
}
const CLOSED = {
  not_published: 'Not published: visitors see a notice. This is your draft.',
  taken_down: 'The operator of this server took it down: visitors see a notice.',
  expired: 'The link has expired: visitors see a notice.',
  view_limit: 'The view limit is reached: visitors see a notice.',
}

/** The text that the owner sees above the page: who can open it, or why nobody can. */
export function ownerBar({ gate, max_views: maxViews }: PublishedPage, nowMs: number): string {
  const decision = decide(gate, WELCOME, nowMs)
  if (decision.outcome === 'notice') return CLOSED[decision.notice]
  return maxViews === null
    ? WHO[gate.access]
    : `${WHO[gate.access]} It closes after ${maxViews} views.`
}
