import { Hono } from 'hono'
import { type Access, REVIEW_REQUESTS } from '../../../features/access/index.ts'
import type { Accounts } from '../../../features/accounts/index.ts'
import type { Approvals } from '../../../features/approvals/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import type { Identities } from '../../../features/single-sign-on/index.ts'
import type { MailBudget, Throttles } from '../../../features/throttles/index.ts'
import { Refusal } from '../../../model/errors.ts'
import type { MailContent } from '../../../model/mail.ts'
import type { Operation } from '../../../model/operation.ts'
import type { Plan, Plans } from '../../../model/plan.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { SingleSignOnSettings } from '../../../platform/config.ts'
import type { Database, Db, Tx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import type { BodyReader } from '../../kit/body.ts'
import type { Compressor } from '../../kit/compressor.ts'
import type { ConfirmationActions } from '../../kit/confirmation-actions.ts'
import { createCookies } from '../../kit/cookies.ts'
import { isOwnHost } from '../../kit/csrf.ts'
import { createKnownBrowsers } from '../../kit/known-browsers.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import { createApprovalRecord } from './approval-record.ts'
import { createConfirm } from './confirm.ts'
import { createDashboard, DASHBOARD_PATHS } from './dashboard.ts'
import { createDownloads } from './downloads.ts'
import { DRAFT_FRAME_PATH, draftFrame } from './draft-frame.ts'
import { createForms } from './forms.ts'
import {
  pageResponse,
  redirectResponse,
  refusedPage,
  retryHeaders,
  statusOf,
  suspendedPage,
  wrongHostPage,
} from './pages.ts'
import { createRequestReview } from './requests.ts'
import { createRateLimits, createSignIn, createSignInAction, SIGN_IN } from './sign-in.ts'
import { createAdmit, createStandingOf, type Invitation, type SignUpMode } from './sign-up.ts'
import { createSingleSignOn } from './single-sign-on.ts'

export { setupRoutes } from './setup.ts'
export { unsubscribeRoutes } from './unsubscribe.ts'

export interface AppDeps {
  operations: Operation[]
  compressor: Compressor
  access: Access
  approvals: Approvals
  pages: Pages
  accounts: Accounts
  sessions: Sessions
  identities: Identities
  resolveSession: ResolveSession
  confirmations: Confirmations
  throttles: Throttles
  mailBudget: MailBudget
  database: Database
  secrets: Secrets
  clock: Clock
  assets: Assets
  baseUrl: string
  bodyReader: BodyReader
  defaultPlan: Plan
  plans: Plans
  signup: SignUpMode
  /** null: people sign in by mail alone. */
  singleSignOn: SingleSignOnSettings | null
  log: Log
  /** The pages that invite an address. */
  invitationOf(email: string, db?: Db): Promise<Invitation>
  /** Puts a mail into the outbox in the transaction that causes it. */
  sendMail(tx: Tx, mail: MailContent): Promise<unknown>
  /** The client address that rate limits count by. */
  addressOf(request: Request): string
  /** The actions of links and codes other than sign-in. */
  confirmationActions: ConfirmationActions
}

/** What answers below `/app`, by its subject. */
function createHandlers(deps: AppDeps) {
  const { accounts, sessions, confirmations, pages, approvals, singleSignOn: settings } = deps
  const { database, secrets, assets, baseUrl, defaultPlan, signup, invitationOf } = deps
  const { host } = new URL(baseUrl)
  const page = { host, assets }
  const cookies = createCookies(baseUrl)
  const forms = createForms({ ...deps, cookies })
  const knownBrowsers = createKnownBrowsers(secrets, { cookies, baseUrl })
  const rateLimits = createRateLimits({ ...deps, cookies, knownBrowsers })
  const standingOf = createStandingOf({ accounts, signup, invitationOf })
  const providerStanding = createStandingOf({
    accounts,
    signup: settings?.isOpen ? 'open' : signup,
    invitationOf,
  })
  const requests = createRequestReview({ ...deps, forms, cookies, page })
  const actions = {
    ...deps.confirmationActions,
    [SIGN_IN]: createSignInAction({
      accounts,
      sessions,
      cookies,
      standingOf,
      admit: createAdmit({ accounts, standingOf, defaultPlan }),
      host,
    }),
    [REVIEW_REQUESTS]: requests.action,
  }
  const { addressOf, resolveSession } = deps
  return {
    page,
    cookies,
    requests,
    signIn: createSignIn({
      ...deps,
      forms,
      rateLimits,
      standingOf,
      page,
      provider: settings?.name ?? null,
    }),
    singleSignOn: createSingleSignOn({
      ...deps,
      settings,
      admit: createAdmit({ accounts, standingOf: providerStanding, defaultPlan }),
      cookies,
      page,
    }),
    confirm: createConfirm({
      database,
      confirmations,
      actions,
      forms,
      rateLimits,
      knownBrowsers,
      addressOf,
      page,
    }),
    record: createApprovalRecord({ approvals, pages, resolveSession, page }),
    downloads: createDownloads(deps),
    dashboard: createDashboard(deps, cookies),
  }
}

/** Everything below `/app`: sign-in, confirmation links and the dashboard. */
export function appRoutes(deps: AppDeps): Hono {
  const { resolveSession, baseUrl } = deps
  const handlers = createHandlers(deps)
  const { page, cookies, signIn, singleSignOn, confirm, requests, record, downloads } = handlers
  const routes = new Hono()

  async function showDashboard(request: Request): Promise<Response> {
    const session = await resolveSession(request)
    if (session !== null) return handlers.dashboard(request, session)
    const { pathname, searchParams } = new URL(request.url)
    const next = pathname === '/app' ? '' : `?next=${encodeURIComponent(pathname)}`
    const query = searchParams.has('signed_out') ? '?signed_out' : next
    const ended = cookies.sessionOf(request) === null ? [] : [cookies.endSession()]
    return redirectResponse({ location: `/app/sign-in${query}`, cookies: ended })
  }

  routes.use(async ({ req }, next) => {
    if (isOwnHost(req.raw, baseUrl)) return next()
    return pageResponse(req.raw, { body: wrongHostPage(page, baseUrl), status: 421 })
  })
  routes.get(DRAFT_FRAME_PATH, ({ req }) => draftFrame(req.raw))
  routes.get('/sign-in', ({ req }) => signIn.showForm(req.raw))
  routes.post('/sign-in', ({ req }) => signIn.sendLink(req.raw))
  routes.get('/signed-in', ({ req }) => signIn.showSignedIn(req.raw))
  if (singleSignOn !== null) {
    routes.get('/sign-in/sso', ({ req }) => singleSignOn.start(req.raw))
    routes.get('/sign-in/sso/callback', ({ req }) => singleSignOn.finish(req.raw))
  }
  routes.get('/confirm/:token', ({ req }) => confirm.show(req.param('token'), req.raw))
  routes.post('/confirm/:token', ({ req }) => confirm.redeemLink(req.param('token'), req.raw))
  routes.post('/confirm-code', ({ req }) => confirm.redeemCode(req.raw))
  routes.get('/requests/:token', ({ req }) => requests.followLink(req.param('token'), req.raw))
  routes.get('/requests', ({ req }) => requests.show(req.raw))
  routes.post('/requests', ({ req }) => requests.decide(req.raw))
  routes.get('/account/export', ({ req }) => downloads.everything(req.raw))
  routes.get('/pages/:id/download', ({ req }) => downloads.content(req.param('id'), req.raw))
  routes.get('/pages/:id/responses.csv', ({ req }) => downloads.responses(req.param('id'), req.raw))
  routes.get('/pages/:id/approvals/record', ({ req }) => record.show(req.param('id'), req.raw))
  routes.get('/pages/:id/approvals/record.jws', ({ req }) =>
    record.download(req.param('id'), req.raw),
  )
  routes.get('/pages/:id/approvals/records/:record{[a-z0-9_]+\\.jws}', ({ req }) => {
    const recordId = req.param('record').slice(0, -'.jws'.length)
    return record.downloadImported({ id: req.param('id'), recordId }, req.raw)
  })
  // After the routes above, which its patterns would match.
  for (const path of DASHBOARD_PATHS) routes.get(path, ({ req }) => showDashboard(req.raw))
  routes.onError((err, { req }) => {
    if (!(err instanceof Refusal)) throw err
    const show = err.code === 'account_suspended' ? suspendedPage : refusedPage
    const body = show(page, err.message)
    return pageResponse(req.raw, { body, status: statusOf(err), headers: retryHeaders(err) })
  })
  return routes
}
