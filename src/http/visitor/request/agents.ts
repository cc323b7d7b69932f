import { isPreviewAgent } from './preview-agents.ts'

/** A prefetched copy would be shown later, uncounted and perhaps after the link has closed. */
export function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose')
  return purpose !== null && /prefetch|prerender/i.test(purpose)
}

/** A service worker would go on answering for a page after the page has closed. */
export function isServiceWorker(headers: Headers): boolean {
  return headers.get('service-worker') === 'script'
}

export function wantsHtml(headers: Headers): boolean {
  return (headers.get('accept') ?? '').includes('text/html')
}

export function isFrame(headers: Headers): boolean {
  const dest = headers.get('sec-fetch-dest')
  return dest !== null && /^(?:iframe|frame|embed|object|fencedframe)$/.test(dest)
}

/**
 * Whether a person's browser navigates a window or tab to the address. Over plain HTTP, browsers
 * send no `Sec-Fetch-*` headers to hosts other than localhost.
 */
export function isNavigation(headers: Headers): boolean {
  if (isPreviewAgent(headers)) return false
  const dest = headers.get('sec-fetch-dest')
  if (dest !== null) return dest === 'document'
  if (headers.has('sec-fetch-mode') || headers.has('sec-fetch-site')) return false
  return wantsHtml(headers) && (headers.get('user-agent') ?? '').startsWith('Mozilla/5.0')
}
