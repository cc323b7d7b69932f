import type { PublishedPage } from '../../../features/pages/index.ts'

/**
 * Published content is untrusted, and this host also serves the app. Every response with content,
 * whatever its address or status, has these headers: they give it an opaque origin and prevent
 * sniffing and access to other windows. `allow-same-origin` and `allow-top-navigation` must never
 * be among the tokens.
 */
export const SANDBOX_TOKENS =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals ' +
  'allow-downloads allow-pointer-lock allow-orientation-lock allow-presentation'
export const CONTENT_SANDBOX = `sandbox ${SANDBOX_TOKENS}`
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** No sandbox, since it leaves PDF viewers blank. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'self'"

/**
 * A page in the sandbox has no origin, so its own files are cross-origin. `*` without credentials
 * gives other sites nothing that their servers could not request.
 */
const READABLE = { 'access-control-allow-origin': '*' }
/**
 * For answers that are the same for every page and for none: the notice for a missing page, and the
 * refusal of a method. A script can then read the status, as on a static host.
 */
export const REFUSAL_HEADERS = READABLE
/**
 * For every answer to OPTIONS, whether or not the page exists. Browsers send a preflight before a
 * request whose headers a script has set.
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

const ALLOW = { allow: 'GET, HEAD' }

/** Requests that are refused for every page, with the texts for programs. */
export const REFUSALS = {
  method: { status: 405, text: 'Method Not Allowed', headers: ALLOW },
  form: {
    status: 405,
    text:
      'Nothing was received: this address takes no forms. To collect responses, add data-service ' +
      'to the <form> of the page.',
    headers: ALLOW,
  },
  service_worker: { status: 403, text: 'Service workers are not served here.', headers: {} },
  prefetch: { status: 503, text: 'A prefetch is not served.', headers: {} },
}
export type Refused = keyof typeof REFUSALS

/** For a preview, which only our own documents may frame. The headers of files say so already. */
const OWN_FRAMES = "; frame-ancestors 'self'"

export function contentHeaders(
  { page, gate, max_views: maxViews, isPreview = false }: PublishedPage & { isPreview?: boolean },
  mime: string,
) {
  const { is_open: isOpen } = gate
  const isListed = isOpen && page.settings.indexed && !isPreview
  const isKept = isOpen && maxViews === null && !isPreview
  return {
    'content-type': mime,
    'content-security-policy': isPreview ? previewPolicyFor(mime) : policyFor(mime),
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
    ...READABLE,
    'access-control-expose-headers': 'accept-ranges, content-range, etag',
    'referrer-policy': isOpen ? 'strict-origin-when-cross-origin' : 'strict-origin',
    // Revalidated at every view: no copy is shown after expiry, unpublishing or a view limit.
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

/** For every answer of a page's own host: no other page, and no host but ours, may frame it. */
function anyOwnHostHeaders(policy: string, framedBy: string | null) {
  const ancestors = framedBy === null ? "'self'" : `'self' ${framedBy}`
  return {
    'content-security-policy': `${policy}frame-ancestors ${ancestors}`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // Browsers apply the value of the first document of a host to all later ones.
    'origin-agent-cluster': '?1',
    'x-robots-tag': 'noindex',
  }
}

/**
 * For answers of a page's own host without content, such as redirects and notices.
 *
 * @param policy a content security policy
 * @param baseOrigin the origin of our own documents, which may frame it
 */
export function ownHostAnswerHeaders(policy: string, baseOrigin: string) {
  return {
    ...anyOwnHostHeaders(`${policy}; `, baseOrigin),
    // For frames of a document of ours that is isolated.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'strict-origin',
    'cache-control': 'no-store',
  }
}

interface OwnFile {
  mime: string
  /** The origin of our own document around the page; null for a page of its own. */
  framedBy: string | null
  isDocument: boolean
  /** What the page's `_headers` say, of the names that `readHosting` lets through. */
  hosted: Record<string, string>
}

/**
 * For content on the page's own host, which runs with the page's own origin: no sandbox, but no
 * other host may frame or embed it. Search engines list the page's address on the base host.
 */
export function ownHostHeaders(
  { gate, max_views: maxViews }: PublishedPage,
  { mime, framedBy, isDocument, hosted: { 'cache-control': caching, ...hosted } }: OwnFile,
) {
  const { is_open: isOpen } = gate
  const isKept = isOpen && maxViews === null
  // Documents are revalidated at every view; no proxy stores anything.
  const own = isKept && !isDocument && caching !== undefined ? privately(caching) : null
  return {
    // The page may open windows and use them, but a window that opened the page has no access to
    // it.
    ...(framedBy === null && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
    ...hosted,
    ...anyOwnHostHeaders('', framedBy),
    'content-type': mime,
    // A document of ours that is isolated may frame nothing else; only ours may frame this at all.
    ...(framedBy !== null && isDocument && { 'cross-origin-resource-policy': 'cross-origin' }),
    'referrer-policy': isOpen ? 'strict-origin-when-cross-origin' : 'strict-origin',
    'cache-control': own ?? (isKept ? 'private, no-cache' : 'private, no-store'),
  }
}

function privately(cacheControl: string): string {
  const directives = cacheControl.split(',').map((directive) => directive.trim())
  const shared = /^(?:public|private|s-maxage|proxy-revalidate)\b/i
  return ['private', ...directives.filter((each) => each !== '' && !shared.test(each))].join(', ')
}
