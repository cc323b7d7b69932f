import { Hono } from 'hono'
import { createCookies } from '../../kit/cookies.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import { createSessionResolver } from '../../kit/session.ts'
import { createAccount } from './account.ts'
import { createConfirm } from './confirm.ts'
import { signInAction } from './confirmation-actions.ts'
import type { AppDeps, Parts } from './deps.ts'
import { refusedPage, wrongHostPage } from './pages.ts'
import { answer, isRefusal, statusOf, waitOf } from './response.ts'
import { createSignIn } from './sign-in.ts'

export type { AppDeps as AppMachines } from './deps.ts'

/** Everything below `/app`: sign-in, what mails ask to confirm, the account. */
export function appRoutes(deps: AppDeps): Hono {
  const { baseUrl, assets } = deps
  const cookies = createCookies(baseUrl)
  const view = { host: new URL(baseUrl).host, assets }
  const parts: Parts = {
    ...deps,
    view,
    cookies,
    resolveSession: createSessionResolver({ cookies, findSession: deps.sessions.find }),
  }
  const signIn = createSignIn(parts)
  const account = createAccount(parts)
  const purposes = { ...deps.purposes, sign_in: signInAction(parts) }
  const confirm = createConfirm({ ...parts, purposes })
  const door = new Hono()

  door.use(async (context, next) => {
    if (isOwnHost(context.req.raw, baseUrl)) return next()
    return answer(wrongHostPage({ baseUrl, assets }), { status: 421 })
  })
  door.get('/', ({ req }) => account.show(req.raw))
  door.get('/sign-in', ({ req }) => signIn.form(req.raw))
  door.post('/sign-in', ({ req }) => signIn.send(req.raw))
  door.get('/confirm/:token', ({ req }) => confirm.show(req.param('token'), req.raw))
  door.post('/confirm/:token', ({ req }) => confirm.redeem(req.param('token'), req.raw))
  door.post('/confirm-code', ({ req }) => confirm.tryCode(req.raw))
  door.post('/sign-out', ({ req }) => account.signOut(req.raw))
  door.post('/sessions/revoke', ({ req }) => account.revoke(req.raw))
  door.post('/sessions/revoke-others', ({ req }) => account.revokeOthers(req.raw))
  door.onError((err) => {
    if (!isRefusal(err)) throw err
    const headers = waitOf(err)
    return answer(refusedPage(view, err.message), { status: statusOf(err), headers })
  })
  return door
}
