import { createThrottles } from '../../../features/throttles/index.ts'
import { html, rawHtml } from '../../../model/html.ts'
import type { Services } from '../../../platform/services.ts'
import { notice, noticePolicy } from '../../kit/notice.ts'
import { buildResponse, documentResponse, jsonResponse } from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'
import { contentHeaders, ownHostAnswerHeaders, ownHostHeaders } from '../request/content-headers.ts'
import type { ContentRequest, PageRequest } from '../request/page-request.ts'
import { FRAME_TOKEN_S, type VisitTokens } from '../request/visit-tokens.ts'

export interface FrameDeps
  extends Pick<Services, 'database' | 'clock' | 'baseUrl'>,
    Pick<GateDeps, 'assets' | 'site'> {
  visitTokens: VisitTokens
}

const ONCE = { name: 'frame-document', count: 1, windowS: FRAME_TOKEN_S }
const HTML_TYPE = 'text/html; charset=utf-8'

/**
 * The answers to frames of shells that are no content. Of a page with a view limit, each document
 * is sent once per frame token: its uses are counted in the database, shared by all nodes, and with
 * rate limits off, too.
 */
export function createFrames({ visitTokens, assets, database, clock, baseUrl, site }: FrameDeps) {
  const uses = createThrottles({ database, clock, isOn: true })

  return {
    /**
     * Whether the request may have its file. A document of a page with a view limit is sent once
     * for each frame token, so that a copied address gives no further view.
     */
    async mayGive({ request, resource, publishedPage, target }: ContentRequest): Promise<boolean> {
      const isDocument = resource.kind === 'frame' && resource.file.html !== null
      const isLimited = publishedPage.max_views !== null && !publishedPage.isPreview
      if (!isDocument || request.method !== 'GET' || !isLimited) return true
      const signature = target.frameToken!.split('.').at(-1)
      const use = await uses.consume(ONCE, `${signature} ${resource.file.path}`)
      return use.isAllowed
    },
    /** The shell gets a new address of the page's files. */
    renew({ publishedPage, origin, nowMs, claims }: PageRequest): Response {
      const filesUrl = (origin ?? '') + visitTokens.framePath(publishedPage, nowMs, claims)
      return jsonResponse(200, { files: filesUrl })
    },
    /**
     * The document was sent before. The response asks the shell around the frame for a new address.
     */
    sentBefore({ request, publishedPage, ownHost }: PageRequest): Response {
      const body = html`<!doctype html>
<html lang="en" data-handbill="given">
<meta charset="utf-8">
<title>Opened before</title>
<script>${rawHtml(assets.text('shell.frame.js'))}</script>
<noscript>This page was opened before. Reload it to see it again.</noscript>
`
      const headers =
        ownHost === null
          ? contentHeaders(publishedPage, HTML_TYPE)
          : ownHostHeaders(publishedPage, {
              mime: HTML_TYPE,
              framedBy: baseUrl,
              isDocument: true,
              hosted: {},
            })
      return buildResponse(request, { status: 410, headers, body: body.toString() })
    },
    /**
     * The notice for a path without a file. Its script reports the path to the shell, which would
     * otherwise assume that access has ended.
     */
    notice(request: Request, isOwnHost: boolean): Response {
      const script = assets.text('shell.frame.js')
      const body = notice('not_found', { site, script })
      const policy = noticePolicy(script)
      if (!isOwnHost) {
        const csp = `${policy}; sandbox allow-scripts`
        return documentResponse(request, { status: 404, csp, body, isFramed: true })
      }
      const headers = { ...ownHostAnswerHeaders(policy, baseUrl), 'content-type': HTML_TYPE }
      return buildResponse(request, { status: 404, headers, body })
    },
  }
}
export type Frames = ReturnType<typeof createFrames>
export type ShowFrameNotice = Frames['notice']
