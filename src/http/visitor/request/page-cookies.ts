import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { cookiesNamed } from '../../kit/cookies.ts'

/** The proof of a visit that was counted, and of a password that was given. */
export type PageCookieKind = 'visit' | 'pass'

export interface PageCookieDeps {
  secrets: Secrets
  isHttps: boolean
}

interface NewCookie {
  /** `v1.{expires}.…`, with the expiry in seconds since the epoch. */
  value: string
  ageS: number
  /** The `Cookie` header of the request. */
  sent: string | null
}

/** How many of these cookies a browser stores for all pages together. */
const MAX_COOKIES = 20
const KEY_CHARS = 11
/** The names of cookies on https, whose values have their expiry. */
const OURS = /(?:^|;\s*)(__Host-handbill_(?:visit|pass)_[\w-]{11})=v1\.(\d{1,12})\.[\w.-]+/g

/**
 * Cookies that belong to one page. On https they are `__Host-` cookies, which no other host can
 * set: their path is `/`, so a key of the page stands in their name, and a browser that opens many
 * pages loses the oldest. On http, where browsers refuse that prefix, they have the page's path.
 */
export function createPageCookies({ secrets, isHttps }: PageCookieDeps) {
  const plainName = (kind: PageCookieKind) => `handbill_${kind}`
  function nameOf(kind: PageCookieKind, { id }: Page): string {
    if (!isHttps) return plainName(kind)
    return `__Host-handbill_${kind}_${secrets.sign('page-cookie', id).slice(0, KEY_CHARS)}`
  }

  return {
    /** Whether a `Cookie` header may contain a cookie of this kind, of any page. */
    mayHold: (cookies: string, kind: PageCookieKind) => cookies.includes(plainName(kind)),
    /** All values, for the caller to verify: those of version 0.1 have the plain name on https. */
    valuesOf(cookies: string | null, kind: PageCookieKind, page: Page): string[] {
      if (!cookies?.includes(plainName(kind))) return []
      const earlier = cookiesNamed(cookies, plainName(kind))
      return isHttps ? [...cookiesNamed(cookies, nameOf(kind, page)), ...earlier] : earlier
    },
    /** The `Set-Cookie` lines that set a new cookie and delete the oldest ones beyond the limit. */
    build(kind: PageCookieKind, page: Page, { value, ageS, sent }: NewCookie): string[] {
      const name = nameOf(kind, page)
      const path = isHttps ? '/' : `/p/${page.slug}`
      const flags = `HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
      const expired = isHttps ? oldestBeyond(sent ?? '', name) : []
      return [
        `${name}=${value}; Path=${path}; Max-Age=${ageS}; ${flags}`,
        ...expired.map((old) => `${old}=; Path=/; Max-Age=0; ${flags}`),
      ]
    },
  }
}
export type PageCookies = ReturnType<typeof createPageCookies>

/** The names of the cookies to delete before a new one is set: those that expire first. */
function oldestBeyond(sent: string, newName: string): string[] {
  const expiries = new Map<string, number>()
  for (const [, name, expires] of sent.matchAll(OURS)) expiries.set(name!, Number(expires))
  expiries.delete(newName)
  const excess = expiries.size - (MAX_COOKIES - 1)
  if (excess <= 0) return []
  const byExpiry = [...expiries].sort(([, one], [, other]) => one - other)
  return byExpiry.slice(0, excess).map(([name]) => name)
}
