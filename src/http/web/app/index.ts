import { Hono } from 'hono'
import { REVIEW_REQUESTS } from '../../../features/access/index.ts'
import { SIGN_IN } from '../../../features/sessions/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import { approvalRecordRoutes } from './approval-record.ts'
import { confirmRoutes } from './confirm.ts'
import type { AppContext } from './context.ts'
import { dashboardRoutes } from './dashboard.ts'
import { downloadRoutes } from './downloads.ts'
import { DRAFT_FRAME_PATH, draftFrame } from './draft-frame.ts'
import { pageResponse, refusalParts, refusedPage, suspendedPage, wrongHostPage } from './pages.ts'
import { passkeyRoutes } from './passkeys.ts'
import { requestRoutes, reviewAction } from './requests.ts'
import { signInAction, signInRoutes } from './sign-in.ts'
import { singleSignOnRoutes } from './single-sign-on.ts'

/** Everything below `/app`: sign-in, confirmation links and the dashboard. */
export function appRoutes(context: AppContext): Hono {
  const { page, baseUrl, confirmationActions, assets } = context
  const routes = new Hono()
  routes.use(async ({ req }, next) => {
    if (isOwnHost(req.raw, baseUrl)) return next()
    return pageResponse(req.raw, { body: wrongHostPage(page, baseUrl), status: 421 })
  })
  routes.get(DRAFT_FRAME_PATH, ({ req }) => draftFrame(req.raw, assets))
  signInRoutes(context, routes)
  if (context.singleSignOn !== null) singleSignOnRoutes(context, context.singleSignOn, routes)
  passkeyRoutes(context, routes)
  confirmRoutes(context, routes, {
    ...confirmationActions,
    [SIGN_IN]: signInAction(context),
    [REVIEW_REQUESTS]: reviewAction(context),
  })
  requestRoutes(context, routes)
  downloadRoutes(context, routes)
  approvalRecordRoutes(context, routes)
  // After the routes above, which its patterns would match.
  dashboardRoutes(context, routes)
  routes.onError((err, { req }) => {
    if (!(err instanceof Refusal)) throw err
    const show = err.code === 'account_suspended' ? suspendedPage : refusedPage
    return pageResponse(req.raw, { body: show(page, err.message), ...refusalParts(err) })
  })
  return routes
}
