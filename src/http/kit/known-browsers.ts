import type { Secrets } from '../../platform/secrets.ts'
import { type Cookies, cookiesNamed } from './cookies.ts'

const KNOWN_S = 400 * 24 * 60 * 60
/** A person may use several addresses, such as a work and a private one. */
const MAX_KNOWN = 4

/**
 * Recognizes browsers that confirmed an address before, signed out or not: they have mail budgets
 * that strangers cannot use up. The cookie holds signatures and no address, and it opens nothing.
 */
export function createKnownBrowsers(
  secrets: Secrets,
  { cookies, baseUrl }: { cookies: Cookies; baseUrl: string },
) {
  const isHttps = baseUrl.startsWith('https:')
  const name = isHttps ? '__Host-handbill_known' : 'handbill_known'
  const flags = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`

  function signaturesIn(request: Request): string[] {
    const [value = ''] = cookiesNamed(request.headers.get('cookie'), name)
    return value.split('.').slice(0, MAX_KNOWN)
  }

  return {
    /** Whether this browser has confirmed the address before. */
    isKnown(request: Request, email: string): boolean {
      const browser = cookies.browserOf(request)
      if (browser === null) return false
      const verify = (signature: string) =>
        secrets.verify(signature, 'known-browser', browser, email)
      return signaturesIn(request).some(verify)
    },
    /** The `Set-Cookie` line that adds an address, for the browser with this id. */
    cookie(request: Request, browser: string, email: string): string {
      const signature = secrets.sign('known-browser', browser, email)
      const others = signaturesIn(request).filter((other) => other !== '' && other !== signature)
      const value = [signature, ...others].slice(0, MAX_KNOWN).join('.')
      return `${name}=${value}; Max-Age=${KNOWN_S}; ${flags}`
    },
  }
}
export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>
