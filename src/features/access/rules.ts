import type { Admission, Gated, Purpose } from '../../model/page/admission.ts'
import type { Access, AgreementSetting, Page } from '../../model/page/index.ts'
import { isPersonalDomain } from '../../model/personal-domains/index.ts'

/** The state of a page that its gate depends on, as it is at this request. */
export interface Gate {
  /** The account that the page belongs to, by the operator of the server. */
  is_suspended: boolean
  /** It is in the trash of its owner. */
  is_trashed: boolean
  is_published: boolean
  /** By the operator of the server. */
  is_taken_down: boolean
  access: Access
  allowed_emails: readonly string[]
  allowed_domains: readonly string[]
  business_only: boolean
  require_signin: boolean
  allow_access_requests: boolean
  /** What everybody but the owner accepts first. */
  agreement: AgreementSetting | null
  /** Milliseconds since the epoch: parsing a timestamp would take longer than the decision. */
  expires_ms: number | null
}

/** What has been verified about a visitor. Nothing here is an unverified claim of the request. */
export interface VisitorFacts {
  is_owner: boolean
  /** Addresses that were confirmed by mail in this browser. It is enough if the gate admits one. */
  emails: readonly string[]
  /** An account is signed in here, and its address is among `emails`. */
  is_signed_in: boolean
  gave_password: boolean
  /** The version of the page's agreement that was accepted in this browser. */
  agreed_version: number | null
  /** The view limit was reached before this view; false for a view that the limit granted. */
  isBeyondLimit: boolean
  /** The named link that the visitor came by is switched off, over or used up. */
  isLinkClosed: boolean
}

export type Notice =
  | 'suspended'
  | 'not_published'
  | 'taken_down'
  | 'expired'
  | 'link_closed'
  | 'view_limit'
export type Question = 'password' | 'email' | 'sign_in' | 'another_email' | 'owner' | 'agreement'

export type Decision<P extends Purpose = 'view'> = Admission<P> | Closed
export type Closed =
  | { outcome: 'notice'; notice: Notice }
  | { outcome: 'ask'; question: Question; mayRequest: boolean }

/** Decides whether a visitor may open a page. The order of the checks is what visitors see. */
export function decide(gate: Gate, visitor: VisitorFacts, nowMs: number): Decision
/** Decides whether a visitor may look at a draft or version, by a preview address of its owner. */
export function decide(
  gate: Gate,
  visitor: VisitorFacts,
  nowMs: number,
  purpose: 'preview',
): Decision<'preview'>
export function decide(
  gate: Gate,
  visitor: VisitorFacts,
  nowMs: number,
  purpose: Purpose = 'view',
): Decision | Decision<'preview'> {
  if (gate.is_suspended) return notice('suspended')
  // Nothing of it is served to anybody: its owner takes it back first.
  if (gate.is_trashed) return notice('not_published')
  if (purpose === 'preview') return decidePreview(gate, visitor)
  if (visitor.is_owner) return admit(gate)
  if (!gate.is_published) return notice('not_published')
  if (gate.is_taken_down) return notice('taken_down')
  if (gate.expires_ms !== null && gate.expires_ms <= nowMs) return notice('expired')
  if (visitor.isLinkClosed) return notice('link_closed')
  if (visitor.isBeyondLimit) return notice('view_limit')
  const decision = decideAccess(gate, visitor)
  return decision.outcome === 'open' ? decideAgreement(gate, visitor) : decision
}

function decideAccess(gate: Gate, visitor: VisitorFacts): Decision {
  switch (gate.access) {
    case 'link':
      return admit(gate)
    case 'private':
      return ask('owner')
    case 'password':
      return visitor.gave_password ? admit(gate) : ask('password')
    case 'email_gate':
      return decideEmail(gate, visitor)
    case 'people':
      return decidePeople(gate, visitor)
  }
}

/** Whoever the page's own gate lets in has to accept its agreement, in the version that it has. */
function decideAgreement(gate: Gate, visitor: VisitorFacts): Decision {
  if (gate.agreement === null) return admit(gate)
  const { require, version } = gate.agreement
  if (require === 'email' && visitor.emails.length === 0) return ask('email')
  return visitor.agreed_version === version ? admit(gate) : ask('agreement')
}

/** What is behind a gate, for the visitor whom `decide` has admitted there. */
export function open<Content extends Record<Purpose, object>, P extends Purpose>(
  gated: Gated<Content>,
  { gate }: Admission<P>,
): Content[P] {
  if (gate !== gated.gate) throw new Error('This admission is to another page.')
  return gated as unknown as Content[P]
}

/**
 * The confirmed address that identifies the visitor on this page: the one that the gate admits.
 * Null where neither the gate nor the agreement asks for an address.
 */
export function admittedEmail(gate: Gate, visitor: VisitorFacts): string | null {
  const isAsked = gate.access === 'people' || gate.access === 'email_gate'
  if (!isAsked && gate.agreement?.require !== 'email') return null
  const { emails } = visitor
  const admitted = emails.find((email) => admitsEmail(gate, email))
  return admitted ?? (visitor.is_owner ? (emails[0] ?? null) : null)
}

type EmailRules = Pick<Gate, 'access' | 'allowed_emails' | 'allowed_domains' | 'business_only'>

/** Whether an address, once confirmed, opens the page. A gate without addresses refuses none. */
export function admitsEmail(rules: EmailRules, email: string): boolean {
  if (rules.access === 'people') return rules.allowed_emails.includes(email)
  if (rules.access !== 'email_gate') return true
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (rules.business_only && isPersonalDomain(domain)) return false
  return rules.allowed_domains.length === 0 || rules.allowed_domains.includes(domain)
}

/**
 * Everybody but the owner is shut out, whatever the gate lets others see. Unlike the page itself,
 * an address that was copied shows nothing once the page was taken down.
 */
function decidePreview(gate: Gate, visitor: VisitorFacts): Decision<'preview'> {
  if (gate.is_taken_down) return notice('taken_down')
  if (!visitor.is_owner) return ask('owner')
  return { outcome: 'open', purpose: 'preview', gate } as Admission<'preview'>
}

function decideEmail(gate: Gate, visitor: VisitorFacts): Decision {
  if (visitor.emails.length === 0) return ask('email')
  return isAdmitted(gate, visitor) ? admit(gate) : ask('another_email')
}

function decidePeople(gate: Gate, visitor: VisitorFacts): Decision {
  const mayRequest = gate.allow_access_requests
  if (gate.require_signin && !visitor.is_signed_in) return ask('sign_in', mayRequest)
  if (visitor.emails.length === 0) return ask('email', mayRequest)
  return isAdmitted(gate, visitor) ? admit(gate) : ask('another_email', mayRequest)
}

function isAdmitted(gate: Gate, { emails }: VisitorFacts): boolean {
  return emails.some((email) => admitsEmail(gate, email))
}

function admit(gate: Gate): Admission {
  return { outcome: 'open', purpose: 'view', gate } as Admission
}

function notice(notice: Notice): Closed {
  return { outcome: 'notice', notice }
}

function ask(question: Question, mayRequest = false): Closed {
  return { outcome: 'ask', question, mayRequest }
}

/** Whether viewers can ask for access now. */
export function takesRequests({ settings }: Pick<Page, 'settings'>): boolean {
  return settings.access === 'people' && settings.allow_access_requests
}
