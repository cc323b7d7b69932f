import { type Accent, DEFAULT_ACCENT } from './accent.ts'
import type { Plan } from './plan.ts'

/** How the server presents itself. Operators may change its name and its accent at any time. */
export interface Site {
  /** Shown to visitors, so that a phishing page is easier to recognise. */
  readonly host: string
  readonly name: string
  readonly accent: Accent
}

export const DEFAULT_NAME = 'Handbill'

/** A server that no operator gave a name or an accent. */
export function plainSite(host: string): Site {
  return { host, name: DEFAULT_NAME, accent: DEFAULT_ACCENT }
}

/*
 * What differs between servers in the documents that the build makes: `http/web/docs.ts` puts the
 * server's own in their place.
 */
export const SERVER_URL = 'https://this-server.invalid'
export const SESSION_COOKIE = '{{session_cookie}}'
export const planPlaceholder = (plan: Plan) => `{{plan_${plan}}}`
