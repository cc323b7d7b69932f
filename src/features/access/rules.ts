import type { Access } from '../../model/page/index.ts'
import { millisecondsOf } from '../../model/timestamp.ts'

/** What a page asks of its visitors: facts of the page, as they are at this request. */
export interface Gate {
  is_published: boolean
  access: Access
  allowed_emails: readonly string[]
  allowed_domains: readonly string[]
  business_only: boolean
  require_signin: boolean
  allow_access_requests: boolean
  expires_at: string | null
}

/** Who asks: facts settled before, never claims of the request. */
export interface Visit {
  is_owner: boolean
  /** Confirmed by mail in this browser. Any of them may be the one that opens. */
  emails: readonly string[]
  /** An account is signed in here, and its address is among `emails`. */
  is_signed_in: boolean
  gave_password: boolean
  /** The view limit was reached before it came; never true of a visit that the limit let in. */
  isBeyondLimit: boolean
  /** Whether a domain is one of personal mail. */
  isPersonalDomain(domain: string): boolean
}

export type Notice = 'not_published' | 'expired' | 'view_limit'
export type Question = 'password' | 'email' | 'sign_in' | 'another_email' | 'owner'

export type Decision =
  | { outcome: 'open' }
  | { outcome: 'notice'; notice: Notice }
  | { outcome: 'ask'; question: Question; mayRequest: boolean }

const OPEN: Decision = { outcome: 'open' }

/** The whole gate, top to bottom: what every visitor meets first comes first. */
export function decide(gate: Gate, visit: Visit, nowMs: number): Decision {
  if (visit.is_owner) return OPEN
  if (!gate.is_published) return notice('not_published')
  if (gate.expires_at !== null && millisecondsOf(gate.expires_at) <= nowMs) return notice('expired')
  if (visit.isBeyondLimit) return notice('view_limit')
  switch (gate.access) {
    case 'link':
      return OPEN
    case 'private':
      return ask('owner')
    case 'password':
      return visit.gave_password ? OPEN : ask('password')
    case 'email_gate':
      return decideEmail(gate, visit)
    case 'people':
      return decidePeople(gate, visit)
  }
}

/**
 * The confirmed address that a page knows its visitor by: the one that opens it. Null where a page
 * asks for none.
 */
export function openingEmail(gate: Gate, visit: Visit): string | null {
  if (gate.access !== 'people' && gate.access !== 'email_gate') return null
  const found = visit.emails.find((email) => opensGate(gate, visit, email))
  return found ?? (visit.is_owner ? (visit.emails[0] ?? null) : null)
}

function opensGate(gate: Gate, { isPersonalDomain }: Visit, email: string): boolean {
  if (gate.access === 'people') return gate.allowed_emails.includes(email)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (gate.business_only && isPersonalDomain(domain)) return false
  return gate.allowed_domains.length === 0 || gate.allowed_domains.includes(domain)
}

function decideEmail(gate: Gate, visit: Visit): Decision {
  if (visit.emails.length === 0) return ask('email')
  const opens = visit.emails.some((email) => opensGate(gate, visit, email))
  return opens ? OPEN : ask('another_email')
}

function decidePeople(gate: Gate, visit: Visit): Decision {
  const mayRequest = gate.allow_access_requests
  if (gate.require_signin && !visit.is_signed_in) return ask('sign_in', mayRequest)
  if (visit.emails.length === 0) return ask('email', mayRequest)
  const isInvited = visit.emails.some((email) => opensGate(gate, visit, email))
  return isInvited ? OPEN : ask('another_email', mayRequest)
}

function notice(notice: Notice): Decision {
  return { outcome: 'notice', notice }
}

function ask(question: Question, mayRequest = false): Decision {
  return { outcome: 'ask', question, mayRequest }
}
