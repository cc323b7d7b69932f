import { accountPage } from './account-page.ts'
import { browserOf, formOf, type Parts } from './deps.ts'
import { answer, goOn } from './response.ts'

const SIGN_IN_FIRST = { location: '/app/sign-in', cookies: [] }

/** What somebody who is signed in sees of their account, and which browsers they sign out. */
export function createAccount(parts: Parts) {
  const { view, sessions, cookies, resolveSession } = parts

  /** @param act is given what the form holds, once it is known to be this session's */
  async function write(
    request: Request,
    whatOf: (field: (name: string) => string) => string,
    act: (accountId: string, sessionId: string, field: (name: string) => string) => unknown,
  ): Promise<boolean> {
    const session = await resolveSession(request)
    const { form, assertFor } = await formOf(parts, request)
    assertFor(session === null ? 'signed out' : `${session.session_id} ${whatOf(form)}`)
    if (session === null) return false
    await act(session.account.id, session.session_id, form)
    return true
  }

  return {
    async show(request: Request): Promise<Response> {
      const session = await resolveSession(request)
      if (session === null) return goOn(SIGN_IN_FIRST)
      const { account, session_id: sessionId } = session
      const browser = browserOf(parts, request)
      const body = accountPage({
        ...view,
        account,
        session_id: sessionId,
        sessions: await sessions.list(account.id),
        formToken: (what) => browser.formToken(`${sessionId} ${what}`),
      })
      // Sent anew, so that it lasts as long as the session, which being seen prolongs.
      const renewed = cookies.session(cookies.sessionOf(request)!)
      return answer(body, { cookies: [renewed, browser.cookie] })
    },
    async signOut(request: Request): Promise<Response> {
      await write(request, () => 'sign-out', sessions.revoke)
      return goOn({ location: '/app/sign-in', cookies: [cookies.endSession()] })
    },
    async revoke(request: Request): Promise<Response> {
      const whatOf = (field: (name: string) => string) => `revoke ${field('session_id')}`
      await write(request, whatOf, (accountId, _own, field) =>
        sessions.revoke(accountId, field('session_id')),
      )
      return goOn({ location: '/app', cookies: [] })
    },
    async revokeOthers(request: Request): Promise<Response> {
      await write(request, () => 'revoke-others', sessions.revokeAll)
      return goOn({ location: '/app', cookies: [] })
    },
  }
}
