import type { OriginOf } from '../request/classify.ts'
import type { Origins } from './hosts.ts'

/** These resolve every name below `localhost` to their own computer; WebKit does not everywhere. */
const RESOLVES_LOCALHOST = /(?:Chrome|Firefox)\/\d/

export interface OriginRule {
  /** Null: hosts below `localhost`, for pages that need one. */
  contentUrl: string | null
  baseUrl: string
}

/** Decides which pages a browser opens at an origin of their own. Pure. */
export function createOriginOf({ contentUrl, baseUrl }: OriginRule, origins: Origins): OriginOf {
  if (contentUrl !== null) return ({ page }) => origins.of(page)
  const { host } = new URL(baseUrl)
  return ({ page, release }, request) => {
    const isNeeded = release.needs_origin.length > 0
    return isNeeded && reachesLocalHosts(request, host) ? origins.of(page) : null
  }
}

/**
 * Whether the browser can reach hosts below `localhost`, as far as its request shows. If that is
 * unknown, as under another name of the server, the page stays in the sandbox.
 */
function reachesLocalHosts({ headers }: Request, host: string): boolean {
  if (headers.get('host') !== host) return false
  // Programs that imitate browsers do not send it.
  if (!headers.has('sec-fetch-site')) return false
  return RESOLVES_LOCALHOST.test(headers.get('user-agent') ?? '')
}
