import { Hono } from 'hono'
import { createCookies } from '../../kit/cookies.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import { createAccount } from './account.ts'
import { answer, isRefusal, statusOf, waitOf } from './response.ts'
import { createConfirm } from './confirm.ts'
import type { AppMachines, Parts } from './deps.ts'
import { refusedPage, wrongHostPage } from './pages.ts'
import { signInPurpose } from './confirmation-actions.ts'
import { sessionResolver } from './session.ts'
import { createSignIn } from './sign-in.ts'

export type { AppMachines } from './deps.ts'
export type { Description, Outcome, Purpose, Purposes } from './confirmation-actions.ts'
export { type ResolveSession, sessionResolver } from './session.ts'

/** Everything below `/app`: sign-in, what mails ask to confirm, the account. */
export function appDoor(machines: AppMachines): Hono {
  const { base_url, assets } = machines
  const view = { host: new URL(base_url).host, assets }
  const parts: Parts = {
    ...machines,
    view,
    cookies: createCookies(base_url),
    resolveSession: sessionResolver(machines),
  }
  const sign_in = createSignIn(parts)
  const account = createAccount(parts)
  const purposes = { ...machines.purposes, sign_in: signInPurpose(parts) }
  const confirm = createConfirm({ ...parts, purposes })
  const door = new Hono()

  door.use(async (context, next) => {
    if (isOwnHost(context.req.raw, base_url)) return next()
    return answer(wrongHostPage({ base_url, assets }), { status: 421 })
  })
  door.get('/', ({ req }) => account.show(req.raw))
  door.get('/sign-in', ({ req }) => sign_in.form(req.raw))
  door.post('/sign-in', ({ req }) => sign_in.send(req.raw))
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
