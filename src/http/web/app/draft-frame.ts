import { html, rawHtml } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
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

export function draftFrame(request: Request, assets: Assets): Response {
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Preview</title></head><body>
<script>${rawHtml(assets.text('draft-frame.js'))}</script></body></html>
`
  return buildResponse(request, { headers: HEADERS, body: body.toString() })
}
