import { Hono } from 'hono'
import { REVIEW_REQUESTS } from '../../../features/access/index.ts'
import { SIGN_IN } from '../../../features/sessions/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { html, rawHtml } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import { documentResponse } from '../../kit/response.ts'
import { approvalRecordRoutes } from './approval-record.ts'
import { confirmRoutes } from './confirm.ts'
import type { AppContext } from './context.ts'
import { dashboardRoutes } from './dashboard.ts'
import { downloadRoutes } from './downloads.ts'
import {
  pageResponse,
  refusalParts,
  refusedPage,
  suspendedPage,
  wrongHostResponse,
} from './pages.ts'
import { passkeyRoutes } from './passkeys.ts'
import { requestRoutes, reviewAction } from './requests.ts'
import { signInAction, signInRoutes } from './sign-in.ts'
import { singleSignOnRoutes } from './single-sign-on.ts'

/** Everything below `/app`: sign-in, confirmation links and the dashboard. */
export function appRoutes(context: AppContext): Hono {
  const { baseUrl, confirmationActions, assets } = context
  const routes = new Hono()
  routes.use(async ({ req }, next) => {
    if (isOwnHost(req.raw, baseUrl)) return next()
    return wrongHostResponse(context, req.raw)
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
    return pageResponse(req.raw, { body: show(context, err.message), ...refusalParts(err) })
  })
  return routes
}

/**
 * The document in which the editor shows what is typed and not saved yet. It has an origin of its
 * own, so nothing in it reaches the dashboard. It writes only what a parent of our origin sends:
 * opened by itself, or framed by another site, it stays empty.
 */
export const DRAFT_FRAME_PATH = '/draft-frame'

export function draftFrame(request: Request, assets: Assets): Response {
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Preview</title></head><body>
<script>${rawHtml(assets.text('draft-frame.js'))}</script></body></html>
`
  return documentResponse(request, {
    csp: 'sandbox allow-scripts allow-forms allow-pointer-lock',
    body: body.toString(),
    isFramed: true,
    headers: { 'referrer-policy': 'no-referrer' },
  })
}
