import type { Access } from '../../features/access/index.ts'
import type { Confirmations } from '../../features/confirmations/index.ts'
import type { Content } from '../../features/content/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import type { Responses } from '../../features/responses/index.ts'
import type { Sessions } from '../../features/sessions/index.ts'
import type { Throttles } from '../../features/throttles/index.ts'
import type { Views } from '../../features/views/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Assets } from '../kit/assets.ts'
import { createCookies } from '../kit/cookies.ts'
import { createSessionResolver } from '../kit/session.ts'
import { gateActions } from './gates/confirmation-actions.ts'
import { createGates } from './gates/routes.ts'
import { createOrigins } from './origins/hosts.ts'
import { originRoutes } from './origins/routes.ts'
import { createGateCookies } from './request/gate-cookies.ts'
import { createIdentities } from './request/identity.ts'
import { createVisitTokens } from './request/visit-tokens.ts'
import { createInjection } from './responses/injection.ts'
import { createRespond } from './responses/routes.ts'
import { createResponseTokens } from './responses/tokens.ts'
import { createAnswers } from './serve/answers.ts'
import { createBodies } from './serve/bodies.ts'
import { createServe } from './serve/serve.ts'
import { createShell } from './shell/response.ts'
import { shellScripts } from './shell/scripts.ts'

export interface VisitorDeps {
  pages: Pages
  views: Views
  content: Content
  access: Access
  responses: Responses
  confirmations: Confirmations
  sessions: Sessions
  throttles: Throttles
  database: Database
  secrets: Secrets
  clock: Clock
  log: Log
  assets: Assets
  baseUrl: string
  /** Where pages have an origin each, with `{page}` in it; null: pages share a sandbox. */
  contentUrl: string | null
  /** Whose tries a request counts as. */
  addressOf(request: Request): string
}

/** Everything below `/p/`, and what the links in its mails do. */
export function visitorRoutes(deps: VisitorDeps) {
  const { pages, views, content, access, sessions, secrets, clock, assets, baseUrl } = deps
  const isHttps = baseUrl.startsWith('https:')
  const nowS = () => Math.floor(clock.ms() / 1000)
  const cookies = createCookies(baseUrl)
  const gateCookies = createGateCookies(secrets, isHttps)
  const visitTokens = createVisitTokens(secrets, isHttps)
  const bodies = createBodies(content)
  const scripts = shellScripts(assets)
  const { contentUrl } = deps
  const origins = contentUrl === null ? null : createOrigins(contentUrl, secrets)
  const credentials = createResponseTokens(secrets)
  const hasOrigins = origins !== null
  const injection = createInjection({ credentials, cookies, scripts, baseUrl, hasOrigins })
  const shell = createShell({ visitTokens, secrets, scripts, injection, baseUrl, origins })
  const shown = { bodies, assets, visitTokens, secrets, shell, injection, baseUrl, hasOrigins }
  const answers = createAnswers(shown)
  const gates = createGates({ ...deps, cookies, gateCookies, nowS })
  const identities = createIdentities({
    gateCookies,
    isPersonalDomain: access.isPersonalDomain,
    mayHoldSession: cookies.mayHoldSession,
    findSession: createSessionResolver({ cookies, findSession: sessions.find }),
    isSessionLive: sessions.isActive,
  })
  const { host } = new URL(baseUrl)
  const serve = createServe({
    pages,
    views,
    visitTokens,
    identities,
    gates,
    answers,
    nowMs: clock.ms,
  })
  return {
    serve,
    /** Takes what the forms of pages send. */
    respond: createRespond({ ...deps, identities, credentials, nowMs: clock.ms }),
    /** Answers what is sent to the hosts of pages, and null to all others. */
    serveOrigin: origins && originRoutes({ origins, pages, serve, baseUrl }),
    confirmationActions: gateActions({ pages, access, gateCookies, host, nowS }),
  }
}
export type VisitorRoutes = ReturnType<typeof visitorRoutes>
