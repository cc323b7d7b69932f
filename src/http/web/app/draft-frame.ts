import { buildResponse } from '../../kit/response.ts'

/**
 * The document in which the editor shows what is typed and not saved yet. It has an origin of its
 * own, so nothing in it reaches the dashboard. It writes only what a parent of our origin sends:
 * opened by itself, or framed by another site, it stays empty.
 */
export const DRAFT_FRAME_PATH = '/draft-frame'

const HEADERS = new Headers({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-scripts allow-forms allow-pointer-lock; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
})

/** `scroll` is the position before the text changed; the frame reports the current one. */
const BODY = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Preview</title></head><body><script>
if (parent !== window) {
  addEventListener('message', function write({ source, origin, data }) {
    if (source !== parent || origin !== location.origin) return
    if (typeof data?.html !== 'string') return
    removeEventListener('message', write)
    document.open()
    document.write(data.html)
    document.close()
    scrollTo(0, Number(data.scroll) || 0)
    addEventListener('load', () => scrollTo(0, Number(data.scroll) || 0), { once: true })
    addEventListener('scroll', () => parent.postMessage({ scroll: scrollY }, '*'))
  })
  parent.postMessage({ ready: true }, '*')
}
</script></body></html>
`

export function draftFrame(request: Request): Response {
  return buildResponse(request, { headers: HEADERS, body: BODY })
}
