import type { PublishedPage } from '../../../features/pages/index.ts'

/**
 * Published content is untrusted, and this host also serves the app. Every response with content,
 * whatever its address or status, has these headers: an opaque origin, no sniffing, no window
 * handles. `allow-same-origin` and `allow-top-navigation` must never be among the tokens.
 */
export const SANDBOX_TOKENS =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals ' +
  'allow-downloads allow-pointer-lock allow-orientation-lock allow-presentation'
export const CONTENT_SANDBOX = `sandbox ${SANDBOX_TOKENS}`
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** Without a sandbox, which leaves PDF viewers blank. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'self'"

/**
 * A page in the sandbox has no origin, so its own files are of another one to it. `*` without
 * credentials gives other sites nothing that their servers could not ask for.
 */
const READABLE = { 'access-control-allow-origin': '*' }
/**
 * Of what is answered alike for every page and for none: the notice for what is not there, and the
 * refusal of a method. A script then reads the status, as on a plain server.
 */
export const REFUSAL_HEADERS = READABLE
/**
 * Of every answer to OPTIONS, whether or not there is such a page. Browsers ask ahead of a request
 * whose headers a script has set.
 */
export const PREFLIGHT_HEADERS = {
  ...READABLE,
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'access-control-max-age': '7200',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** Of a preview, which our own documents alone may frame. They say so already for files. */
const OWN_FRAMES = "; frame-ancestors 'self'"

export function contentHeaders(
  { page, max_views: maxViews, isPreview }: PublishedPage,
  mime: string,
) {
  const isOpen = page.settings.access === 'link'
  const isListed = isOpen && page.settings.indexed && !isPreview
  const isKept = isOpen && maxViews === null && !isPreview
  return {
    'content-type': mime,
    'content-security-policy': isPreview ? previewPolicyFor(mime) : policyFor(mime),
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
    ...READABLE,
    'referrer-policy': isOpen ? 'strict-origin-when-cross-origin' : 'strict-origin',
    // Revalidated at every view: no copy outlives expiry, unpublishing or a view limit.
    'cache-control': isKept ? 'private, no-cache' : 'private, no-store',
    ...(isListed ? {} : { 'x-robots-tag': 'noindex' }),
  }
}

function policyFor(mime: string): string {
  if (/^image\/svg|xml\b/.test(mime)) return SVG_POLICY
  return /^(?:image\/|application\/pdf)/.test(mime) ? FILE_POLICY : CONTENT_SANDBOX
}

function previewPolicyFor(mime: string): string {
  const policy = policyFor(mime)
  return policy === FILE_POLICY ? policy : policy + OWN_FRAMES
}

/** Of whatever a page's own host answers: no other page, and no host but ours, may frame it. */
function anyOwnHostHeaders(policy: string, framedBy: string | null) {
  const ancestors = framedBy === null ? "'self'" : `'self' ${framedBy}`
  return {
    'content-security-policy': `${policy}frame-ancestors ${ancestors}`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // Browsers keep to what the first document of a host has.
    'origin-agent-cluster': '?1',
    'x-robots-tag': 'noindex',
  }
}

/**
 * Of what a page's own host answers besides content, such as redirects and notices.
 *
 * @param policy a content security policy
 * @param baseOrigin the origin of our own documents, which may frame it
 */
export function ownHostAnswerHeaders(policy: string, baseOrigin: string) {
  return {
    ...anyOwnHostHeaders(`${policy}; `, baseOrigin),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'strict-origin',
    'cache-control': 'no-store',
  }
}

/**
 * Of content on the page's own host, which runs with the page's own origin: no sandbox, but no
 * other host may frame or embed it. Search engines list the page's address on the base host.
 *
 * @param framedBy the origin of our own document around the page; null for a page of its own
 */
export function ownHostHeaders(
  { page, max_views: maxViews }: PublishedPage,
  { mime, framedBy }: { mime: string; framedBy: string | null },
) {
  const isOpen = page.settings.access === 'link'
  return {
    ...anyOwnHostHeaders('', framedBy),
    'content-type': mime,
    // The page may open windows and talk to them; no window that opened it has a hold of it.
    ...(framedBy === null && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
    'referrer-policy': isOpen ? 'strict-origin-when-cross-origin' : 'strict-origin',
    'cache-control': isOpen && maxViews === null ? 'private, no-cache' : 'private, no-store',
  }
}
