import type { Accounts } from '../features/accounts/index.ts'
import type { Sessions } from '../features/sessions/index.ts'
import { createCookies } from './kit/cookies.ts'
import { isOwnOrigin } from './kit/csrf.ts'
import type { KeyPrincipal, SessionPrincipal } from './kit/principal.ts'

export interface AuthenticationDeps {
  accounts: Accounts
  sessions: Sessions
  baseUrl: string
}

/** How requests are authenticated: each route is given the one way that it accepts. */
export function createAuthentication({ accounts, sessions, baseUrl }: AuthenticationDeps) {
  const cookies = createCookies(baseUrl)

  return {
    /**
     * Authenticates by the `Authorization` header, for the API and MCP. Cookies do not count there:
     * a page could make its visitor's browser send them.
     *
     * @throws Refusal `unauthenticated`
     */
    async byHeader({ headers }: Request): Promise<KeyPrincipal> {
      const { account, keyId } = await accounts.authenticate(headers.get('authorization'))
      return { kind: 'key', account, key_id: keyId }
    },
    /**
     * Authenticates by the session cookie, for our own pages. The session of a write counts only
     * where one of these pages sent it.
     */
    async bySession(request: Request): Promise<SessionPrincipal | null> {
      const token = cookies.sessionOf(request)
      if (token === null || (isWrite(request) && !isOwnOrigin(request, baseUrl))) return null
      const session = await sessions.find(token)
      return session && { kind: 'session', ...session }
    },
  }
}
export type Authentication = ReturnType<typeof createAuthentication>

function isWrite({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
