/**
 * The headers of our own HTML documents: notices, gates, the viewer, account pages, docs. The
 * documents are never stored and never indexed, and framed at most by others of ours.
 */
export function documentHeaders(csp: string, isFramed = false): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${csp}; frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': isFramed ? 'SAMEORIGIN' : 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  }
}
