import type { Account } from '../../model/account.ts'

/** The account of a request, and how it was authenticated. */
export type Principal = KeyPrincipal | SessionPrincipal

export interface KeyPrincipal {
  kind: 'key'
  account: Account
  key_id: string
}

export interface SessionPrincipal {
  kind: 'session'
  account: Account
  session_id: string
}

/** Authenticates a request. @throws Refusal `unauthenticated` */
export type Authenticate = (request: Request) => Promise<Principal>

/** Finds who is signed in. Null where the request has no valid session, or must not use it. */
export type ResolveSession = (request: Request) => Promise<SessionPrincipal | null>

/** The session of a principal; null where an API key authenticated it. */
export function sessionIdOf(principal: Principal): string | null {
  return principal.kind === 'session' ? principal.session_id : null
}

/** Identifies the credential of a request: rate limits count by it. */
export function credentialId(principal: Principal): string {
  return principal.kind === 'key' ? principal.key_id : principal.session_id
}
