import type { Secrets } from '../../../platform/secrets.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { scriptedPolicy } from '../../kit/layout.ts'
import type { ResolveSession, SessionPrincipal } from '../../kit/principal.ts'
import { documentResponse } from '../../kit/response.ts'
import { COPY_SCRIPT, newKeyPage } from './developer-pages.ts'
import { redirectResponse } from './page-response.ts'
import type { PageContext } from './pages.ts'

const TO_SIGN_IN = { location: '/app/sign-in?next=/app/developer', cookies: [] }
const NEW_KEY_CSP = scriptedPolicy(COPY_SCRIPT)

export interface NewKeyDeps {
  secrets: Secrets
  cookies: Cookies
  resolveSession: ResolveSession
  page: PageContext
  baseUrl: string
}

/** Redirects to the page that shows a new key, which travels sealed in a cookie. */
export function toNewKey({ secrets, cookies }: Pick<NewKeyDeps, 'secrets' | 'cookies'>) {
  return (accountId: string, key: string, moreCookies: string[] = []): Response => {
    const sealed = secrets.seal('new-key', accountId, key)
    const location = '/app/developer/new-key'
    return redirectResponse({ location, cookies: [...moreCookies, cookies.newKey(sealed)] })
  }
}

/** The page that shows the key which the set-up has made. */
export function createNewKey(deps: NewKeyDeps) {
  const { secrets, cookies, resolveSession, page, baseUrl } = deps

  /** The key in the cookie, if it was sealed for this account. */
  function newKeyIn(request: Request, { account }: SessionPrincipal): string | null {
    const sealed = cookies.newKeyOf(request)
    try {
      return sealed === null ? null : secrets.open('new-key', account.id, sealed)
    } catch {
      return null
    }
  }

  return async (request: Request): Promise<Response> => {
    const session = await resolveSession(request)
    if (session === null) return redirectResponse(TO_SIGN_IN)
    const key = newKeyIn(request, session)
    if (key === null) return redirectResponse({ location: '/app/developer', cookies: [] })
    const body = newKeyPage(page, { email: session.account.email, key, baseUrl })
    return documentResponse(request, { csp: NEW_KEY_CSP, body })
  }
}
