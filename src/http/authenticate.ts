import type { Accounts } from '../features/accounts/index.ts'
import { type OAuth, TOKEN_PREFIX } from '../features/oauth/index.ts'
import type { Sessions } from '../features/sessions/index.ts'
import { bearerIn } from '../model/account.ts'
import { ACCOUNT_HEADER, APP_HEADER } from '../model/app-api.ts'
import { refuse } from '../model/errors.ts'
import type { Principal, SessionPrincipal } from './kit/call-operation.ts'
import { createCookies } from './kit/cookies.ts'
import { isOwnOrigin } from './kit/csrf.ts'

export interface AuthenticationDeps {
  accounts: Accounts
  oauth: Pick<OAuth, 'authenticate'>
  sessions: Sessions
  baseUrl: string
}

/** The ways to authenticate requests. Each route gets the one that it accepts. */
export function createAuthentication(deps: AuthenticationDeps) {
  const { accounts, oauth, sessions, baseUrl } = deps
  const cookies = createCookies(baseUrl)

  return {
    /**
     * Authenticates by the `Authorization` header, for the API and MCP: by an API key, or by the
     * access token of an app. Cookies do not count there: a page could make its visitor's browser
     * send them.
     *
     * @throws Refusal `unauthenticated`
     */
    async byHeader({ headers }: Request): Promise<Principal> {
      const authorization = headers.get('authorization')
      const token = bearerIn(authorization)
      const holder = token?.startsWith(TOKEN_PREFIX.access)
        ? await oauth.authenticate(token)
        : await accounts.authenticate(authorization)
      return { ...holder, session: null }
    },
    /**
     * Authenticates by the session cookie, for the scripts of our own pages: `/app/api`. Each
     * request has a header that only they can set, and a write names our origin. What was typed for
     * one account is not stored in another.
     *
     * @throws Refusal `foreign_origin` or `signed_out`
     */
    async byAppRequest(request: Request): Promise<Principal> {
      if (!isFromOurScript(request, baseUrl)) {
        const message = `Only pages of ${baseUrl} may send this, with the header ${APP_HEADER}.`
        throw refuse.forbidden('foreign_origin', message)
      }
      const token = cookies.sessionOf(request)
      const session = token === null ? null : await sessions.find(token)
      if (session === null) throw refuse.unauthenticated('signed_out', 'Sign in first.')
      const accountId = request.headers.get(ACCOUNT_HEADER)
      if (accountId !== null && accountId !== session.account.id) {
        const message = 'Another account is signed in in this browser now.'
        throw refuse.unauthenticated('signed_out', message)
      }
      return { account: session.account, key: null, session }
    },
    /**
     * Authenticates by the session cookie, for our own pages. The session of a write counts only
     * where one of these pages sent it.
     */
    async bySession(request: Request): Promise<SessionPrincipal | null> {
      const token = cookies.sessionOf(request)
      if (token === null || (isWrite(request) && !isOwnOrigin(request, baseUrl))) return null
      return sessions.find(token)
    },
  }
}
export type Authentication = ReturnType<typeof createAuthentication>

/** Browsers name the origin of a write, and of a read whose answer another site could get. */
function isFromOurScript(request: Request, baseUrl: string): boolean {
  const { headers } = request
  const origin = headers.get('origin') ?? (isWrite(request) ? null : baseUrl)
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  return headers.get(APP_HEADER) === '1' && origin === baseUrl && site === 'same-origin'
}

function isWrite({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
