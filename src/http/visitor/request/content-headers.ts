import type { Page } from '../../../model/page/index.ts'

/**
 * Published content is untrusted, and this host also holds the app. So every byte of it, whatever
 * the address or the status, is answered with these: an opaque origin, no sniffing, no window
 * handles. Never `allow-same-origin`, never `allow-top-navigation`.
 */
export const SANDBOX_TOKENS =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals ' +
  'allow-downloads allow-pointer-lock allow-orientation-lock allow-presentation'
export const CONTENT_SANDBOX = `sandbox ${SANDBOX_TOKENS}`
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** No sandbox: it leaves PDF viewers blank. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'self'"

export function contentHeaders(page: Page, mime: string, isLimited: boolean) {
  const isOpen = page.settings.access === 'link'
  const isListed = isOpen && page.settings.indexed
  return {
    'content-type': mime,
    'content-security-policy': policyFor(mime),
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'referrer-policy': isOpen ? 'strict-origin-when-cross-origin' : 'strict-origin',
    // Asked again at every opening, so that a copy never outlives expiry, unpublishing or a limit.
    'cache-control': isOpen && !isLimited ? 'private, no-cache' : 'private, no-store',
    ...(isListed ? {} : { 'x-robots-tag': 'noindex' }),
  }
}

function policyFor(mime: string): string {
  if (/^image\/svg|xml\b/.test(mime)) return SVG_POLICY
  return /^(?:image\/|application\/pdf)/.test(mime) ? FILE_POLICY : CONTENT_SANDBOX
}
