import type { Sessions } from '../../../features/sessions/index.ts'
import type { Cookies } from '../../kit/cookies.ts'
import type { Form } from '../../kit/form.ts'
import type { ResolveSession, SessionPrincipal } from '../../kit/principal.ts'
import { accountPage } from './account-page.ts'
import type { Forms } from './forms.ts'
import { pageResponse, redirectResponse } from './page-response.ts'
import type { PageContext } from './pages.ts'

const TO_SIGN_IN = { location: '/app/sign-in', cookies: [] }
const TO_ACCOUNT = { location: '/app/account', cookies: [] }

export interface AccountDeps {
  sessions: Sessions
  cookies: Cookies
  forms: Forms
  resolveSession: ResolveSession
  page: PageContext
}

/** The account page, and the forms that sign browsers out. */
export function createAccount({ sessions, cookies, forms, resolveSession, page }: AccountDeps) {
  /**
   * Runs `write` for a form that was made for `action` in this session. A signed-out browser
   * changes nothing.
   */
  async function handleForm(
    request: Request,
    action: (form: Form) => string,
    write: (session: SessionPrincipal, form: Form) => Promise<unknown>,
  ): Promise<void> {
    const session = await resolveSession(request)
    const { form, assertFor } = await forms.read(request)
    assertFor(session === null ? 'signed out' : `${session.session_id} ${action(form)}`)
    if (session !== null) await write(session, form)
  }

  return {
    async show(request: Request): Promise<Response> {
      const session = await resolveSession(request)
      if (session === null) return redirectResponse(TO_SIGN_IN)
      const { account, session_id: sessionId } = session
      const browser = forms.browserOf(request)
      const body = accountPage(page, {
        account,
        sessionId,
        sessions: await sessions.list(account.id),
        formToken: (action) => browser.formToken(`${sessionId} ${action}`),
      })
      // Resolving the session extended it, so its cookie is sent again with the new lifetime.
      const renewed = cookies.session(cookies.sessionOf(request)!)
      return pageResponse(request, { body, cookies: [renewed, browser.cookie] })
    },
    async signOut(request: Request): Promise<Response> {
      await handleForm(
        request,
        () => 'sign-out',
        ({ account, session_id: sessionId }) => sessions.revoke(account.id, sessionId),
      )
      return redirectResponse({ location: '/app/sign-in', cookies: [cookies.endSession()] })
    },
    async revoke(request: Request): Promise<Response> {
      await handleForm(
        request,
        (form) => `revoke ${form('session_id')}`,
        ({ account }, form) => sessions.revoke(account.id, form('session_id')),
      )
      return redirectResponse(TO_ACCOUNT)
    },
    async revokeOthers(request: Request): Promise<Response> {
      await handleForm(
        request,
        () => 'revoke-others',
        ({ account, session_id: sessionId }) => sessions.revokeAll(account.id, sessionId),
      )
      return redirectResponse(TO_ACCOUNT)
    },
  }
}
