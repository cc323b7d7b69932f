import type { Account } from '../../model/account.ts'

/** The account of a request, and how it was authenticated. */
export type Principal = KeyPrincipal | SessionPrincipal

export interface KeyPrincipal {
  kind: 'key'
  account: Account
}

export interface SessionPrincipal {
  kind: 'session'
  account: Account
  session_id: string
  /** It signed in within the last hour. */
  has_recent_sign_in: boolean
}

/** Authenticates a request. @throws Refusal `unauthenticated` */
export type Authenticate = (request: Request) => Promise<Principal>

/** Finds who is signed in. Null where the request has no valid session, or must not use it. */
export type ResolveSession = (request: Request) => Promise<SessionPrincipal | null>

/** The session of a principal; null where an API key authenticated it. */
export function sessionOf(principal: Principal): SessionPrincipal | null {
  return principal.kind === 'session' ? principal : null
}

/**
 * Whom rate limits count a request for: the account with all its keys together. Its sessions count
 * apart, so that a program which uses up the limit locks its owner out of nothing.
 */
export function callerOf({ kind, account }: Principal): string {
  return kind === 'key' ? account.id : `${account.id} app`
}
