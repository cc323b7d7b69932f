import type { Accounts } from '../../../features/accounts/index.ts'
import { Refusal } from '../../../model/errors.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { scriptedPolicy } from '../../kit/layout.ts'
import type { ResolveSession, SessionPrincipal } from '../../kit/principal.ts'
import { documentResponse } from '../../kit/response.ts'
import { COPY_SCRIPT, developerPage, newKeyPage } from './developer-pages.ts'
import type { Forms } from './forms.ts'
import { pageResponse, redirectResponse } from './page-response.ts'
import type { PageContext } from './pages.ts'

const TO_SIGN_IN = { location: '/app/sign-in?next=/app/developer', cookies: [] }
const NEW_KEY_CSP = scriptedPolicy(COPY_SCRIPT)

export interface DeveloperDeps {
  accounts: Accounts
  secrets: Secrets
  cookies: Cookies
  forms: Forms
  resolveSession: ResolveSession
  page: PageContext
  baseUrl: string
}

/** Redirects to the page that shows a new key, which travels sealed in a cookie. */
export function toNewKey({ secrets, cookies }: Pick<DeveloperDeps, 'secrets' | 'cookies'>) {
  return (accountId: string, key: string, moreCookies: string[] = []): Response => {
    const sealed = secrets.seal('new-key', accountId, key)
    const location = '/app/developer/new-key'
    return redirectResponse({ location, cookies: [...moreCookies, cookies.newKey(sealed)] })
  }
}

/** The page of API keys. */
export function createDeveloper(deps: DeveloperDeps) {
  const { accounts, secrets, cookies, forms, resolveSession, page, baseUrl } = deps
  const showNewKey = toNewKey(deps)

  async function show(request: Request, error?: Refusal): Promise<Response> {
    const session = await resolveSession(request)
    if (session === null) return redirectResponse(TO_SIGN_IN)
    const { account, session_id: sessionId } = session
    const browser = forms.browserOf(request)
    const body = developerPage(page, {
      keys: await accounts.listKeys(account.email),
      formToken: (action) => browser.formToken(`${sessionId} ${action}`),
      error: error?.message,
    })
    // The page of the new key was left.
    const ended = cookies.newKeyOf(request) === null ? [] : [cookies.endNewKey()]
    return pageResponse(request, { body, cookies: [browser.cookie, ...ended] })
  }

  /** @throws Refusal for a form that was not made for this action in this session */
  async function receive(request: Request, action: (field: (name: string) => string) => string) {
    const session = await resolveSession(request)
    const { form, assertFor } = await forms.read(request)
    assertFor(session === null ? 'signed out' : `${session.session_id} ${action(form)}`)
    return { session, form }
  }

  /** The key in the cookie, if it was sealed for this account. */
  function newKeyIn(request: Request, { account }: SessionPrincipal): string | null {
    const sealed = cookies.newKeyOf(request)
    try {
      return sealed === null ? null : secrets.open('new-key', account.id, sealed)
    } catch {
      return null
    }
  }

  return {
    show: (request: Request) => show(request),
    async createKey(request: Request): Promise<Response> {
      const { session, form } = await receive(request, () => 'create-key')
      if (session === null) return redirectResponse(TO_SIGN_IN)
      const { account } = session
      try {
        const { key } = await accounts.createKey(account.email, form('name').trim() || null)
        return showNewKey(account.id, key)
      } catch (err) {
        if (err instanceof Refusal) return show(request, err)
        throw err
      }
    },
    async revokeKey(request: Request): Promise<Response> {
      const { session, form } = await receive(request, (field) => `revoke-key ${field('key_id')}`)
      if (session !== null) await accounts.revokeKey(form('key_id'), session.account.id)
      return redirectResponse({ location: '/app/developer', cookies: [] })
    },
    async showNewKey(request: Request): Promise<Response> {
      const session = await resolveSession(request)
      if (session === null) return redirectResponse(TO_SIGN_IN)
      const key = newKeyIn(request, session)
      if (key === null) return redirectResponse({ location: '/app/developer', cookies: [] })
      const body = newKeyPage(page, { email: session.account.email, key, baseUrl })
      return documentResponse(request, { csp: NEW_KEY_CSP, body })
    },
  }
}
