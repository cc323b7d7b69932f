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
  const answers = createAnswers({ bodies, assets, admission, secrets, base_url })
  return createServe({ pages, views, admission, answers, now_ms: clock.ms })
}
