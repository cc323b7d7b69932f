import type { Content } from '../../features/content/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import type { Views } from '../../features/views/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Assets } from '../web/assets.ts'
import { createAdmission } from './admission.ts'
import { createAnswers } from './answers.ts'
import { createBodies } from './bodies.ts'
import { createServe } from './serve.ts'
import { createShell } from './shell/answer.ts'
import { shellScripts } from './shell/scripts.ts'

export { documentHeaders } from './headers.ts'
export { NOTICE_CSP, notice } from './notice.ts'
export { robotsTxt, sitemap } from './robots.ts'

export interface VisitorMachines {
  pages: Pages
  views: Views
  content: Content
  secrets: Secrets
  clock: Clock
  assets: Assets
  base_url: string
}

/** Everything below `/p/`. */
export function visitorDoor(machines: VisitorMachines) {
  const { pages, views, content, secrets, clock, assets, base_url } = machines
  const admission = createAdmission(secrets, base_url.startsWith('https:'))
  const bodies = createBodies(content)
  const scripts = shellScripts(assets)
  const shell = createShell({ admission, secrets, scripts, base_url })
  const answers = createAnswers({ bodies, assets, admission, secrets, shell, scripts, base_url })
  return createServe({ pages, views, admission, answers, now_ms: clock.ms })
}
