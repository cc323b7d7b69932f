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
import { createCookies } from '../kit/cookies.ts'
import { sessionResolver } from '../web/app/session.ts'
import type { Assets } from '../kit/assets.ts'
import { createAdmission } from './request/visit-tokens.ts'
import { createAnswers } from './serve/answers.ts'
import { createBodies } from './serve/bodies.ts'
import { createGates } from './gates/routes.ts'
import { createProofs } from './request/gate-cookies.ts'
import { gatePurposes } from './gates/confirmation-actions.ts'
import { contentDoor } from './origins/routes.ts'
import { createOrigins } from './origins/hosts.ts'
import { createCredentials } from './responses/tokens.ts'
import { createRespond } from './responses/routes.ts'
import { createInjection } from './responses/injection.ts'
import { createServe } from './serve/serve.ts'
import { createShell } from './shell/response.ts'
import { shellScripts } from './shell/scripts.ts'
import { createVisits } from './request/identity.ts'

export { documentHeaders } from './request/content-headers.ts'
export { NOTICE_CSP, notice } from '../kit/notice.ts'
export { robotsTxt, sitemap } from '../web/robots.ts'

export interface VisitorMachines {
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
  base_url: string
  /** Where pages have an origin each, with `{page}` in it; null: pages share a sandbox. */
  content_url?: string | null
  /** Whose tries a request counts as. */
  addressOf(request: Request): string
}

/** Everything below `/p/`, and what the links in its mails do. */
export function visitorDoor(machines: VisitorMachines) {
  const { pages, views, content, access, sessions, secrets, clock, assets, base_url } = machines
  const is_https = base_url.startsWith('https:')
  const now_s = () => Math.floor(clock.ms() / 1000)
  const cookies = createCookies(base_url)
  const proofs = createProofs(secrets, is_https)
  const admission = createAdmission(secrets, is_https)
  const bodies = createBodies(content)
  const scripts = shellScripts(assets)
  const { content_url = null } = machines
  const origins = content_url === null ? null : createOrigins(content_url, secrets)
  const credentials = createCredentials(secrets)
  const has_origins = origins !== null
  const injection = createInjection({ credentials, cookies, scripts, base_url, has_origins })
  const shell = createShell({ admission, secrets, scripts, injection, base_url, origins })
  const shown = { bodies, assets, admission, secrets, shell, injection, base_url, has_origins }
  const answers = createAnswers(shown)
  const gates = createGates({ ...machines, cookies, proofs, now_s })
  const visits = createVisits({
    proofs,
    isPersonalDomain: access.isPersonalDomain,
    mayHoldSession: cookies.mayHoldSession,
    findSession: sessionResolver({ sessions, base_url }),
    isSessionLive: sessions.isLive,
  })
  const { host } = new URL(base_url)
  const serve = createServe({ pages, views, admission, visits, gates, answers, now_ms: clock.ms })
  return {
    serve,
    /** Takes what the forms of pages send. */
    respond: createRespond({ ...machines, visits, credentials, now_ms: clock.ms }),
    /** Answers what is sent to the hosts of pages, and null to all others. */
    serveOrigin: origins && contentDoor({ origins, pages, serve, base_url }),
    purposes: gatePurposes({ pages, access, proofs, host, now_s }),
  }
}
