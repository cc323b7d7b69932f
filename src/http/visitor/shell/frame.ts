import { createThrottles } from '../../../features/throttles/index.ts'
import { html, rawHtml } from '../../../model/html.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { InlineScripts } from '../../kit/inline-scripts.ts'
import { jsonResponse } from '../../kit/json-response.ts'
import { notice, noticePolicy } from '../../kit/notice.ts'
import { buildResponse, documentResponse } from '../../kit/response.ts'
import { contentHeaders, ownHostAnswerHeaders, ownHostHeaders } from '../request/content-headers.ts'
import type { ContentRequest, PageRequest } from '../request/page-request.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'

export interface FrameRenewalDeps {
  visitTokens: VisitTokens
  scripts: InlineScripts
  baseUrl: string
}

/** Responds to frames of pages with a view limit, whose documents are sent once per token. */
export function createFrameRenewal({ visitTokens, scripts, baseUrl }: FrameRenewalDeps) {
  return {
    /** The shell gets a new address of the page's files. */
    give({ publishedPage, origin, nowMs, claims }: PageRequest): Response {
      const filesUrl = (origin ?? '') + visitTokens.framePath(publishedPage, nowMs, claims)
      return jsonResponse(200, { files: filesUrl })
    },
    /**
     * The document was sent before. The response asks the shell around the frame for a new address.
     */
    async given(request: Request, { publishedPage, ownHost }: PageRequest): Promise<Response> {
      const mime = 'text/html; charset=utf-8'
      const body = html`<!doctype html>
<html lang="en" data-handbill="given">
<meta charset="utf-8">
<title>Opened before</title>
<script>${rawHtml(await scripts.text('shell.frame.js'))}</script>
<noscript>This page was opened before. Reload it to see it again.</noscript>
`
      return buildResponse(request, {
        status: 410,
        headers: new Headers(
          ownHost === null
            ? contentHeaders(publishedPage, mime)
            : ownHostHeaders(publishedPage, {
                mime,
                framedBy: new URL(baseUrl).origin,
                isDocument: true,
                asked: {},
              }),
        ),
        body: Buffer.from(body.toString()),
      })
    },
  }
}
export type FrameRenewal = ReturnType<typeof createFrameRenewal>

/** As long as a frame token is valid. */
const ONCE = { name: 'frame-document', count: 1, windowS: 12 * 60 * 60 }

export interface FrameDocumentDeps {
  database: Database
  clock: Clock
}

/**
 * Counts how often each frame token has loaded the documents of pages with a view limit. The count
 * is in the database, shared by all nodes, and works with rate limits off, too.
 */
export function createFrameDocuments({ database, clock }: FrameDocumentDeps) {
  const uses = createThrottles({ database, clock, isOn: true })
  return {
    /**
     * Whether the request may have its file. A document of a page with a view limit is sent once
     * for each frame token, so that a copied address gives no further view.
     */
    async mayGive({ method }: Request, contentRequest: ContentRequest): Promise<boolean> {
      const { asked, publishedPage, target } = contentRequest
      const isDocument = asked.kind === 'frame' && asked.file.html !== null
      const isLimited = publishedPage.max_views !== null && !publishedPage.isPreview
      if (!isDocument || method !== 'GET' || !isLimited) return true
      const signature = target.frameToken!.split('.').at(-1)
      const use = await uses.consume(ONCE, `${signature} ${asked.file.path}`)
      return use.isAllowed
    },
  }
}
export type FrameDocuments = ReturnType<typeof createFrameDocuments>

/**
 * The notice in the frame of a shell for a path without a file. Its script reports the path to the
 * shell, which would otherwise assume that access has ended.
 */
export function createFrameNotice({
  scripts,
  baseUrl,
}: Pick<FrameRenewalDeps, 'scripts' | 'baseUrl'>) {
  const { host, origin } = new URL(baseUrl)

  return async (request: Request, isOwnHost: boolean): Promise<Response> => {
    const script = await scripts.text('shell.frame.js')
    const body = notice('not_found', { host, script })
    const policy = noticePolicy(script)
    if (!isOwnHost) {
      const csp = `${policy}; sandbox allow-scripts`
      return documentResponse(request, { status: 404, csp, body, isFramed: true })
    }
    const headers = new Headers({
      ...ownHostAnswerHeaders(policy, origin),
      'content-type': 'text/html; charset=utf-8',
    })
    return buildResponse(request, { status: 404, headers, body })
  }
}
export type ShowFrameNotice = ReturnType<typeof createFrameNotice>
