import type { Notice } from '../../../features/access/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Refusal } from '../../../model/errors.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { NOTICE_CSP, notice, previewStub } from '../../kit/notice.ts'
import {
  buildResponse,
  type DocumentParts,
  documentResponse,
  redirectTo,
  textResponse,
} from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'
import { parseTarget, wantsHtml } from '../request/classify.ts'
import {
  contentHeaders,
  PREFLIGHT_HEADERS,
  REFUSAL_HEADERS,
  REFUSALS,
  type Refused,
} from '../request/content-headers.ts'
import { pictureOf } from '../request/paths.ts'

export interface NoticeDeps extends Pick<GateDeps, 'assets' | 'baseUrl' | 'site'> {
  compressor: Compressor
}

const STATUS: Record<Notice, number> = {
  not_published: 404,
  taken_down: 410,
  suspended: 410,
  expired: 410,
  link_closed: 410,
  view_limit: 410,
}

/** The responses without any content of a page. */
export function createNotices({ assets, compressor, baseUrl, site }: NoticeDeps) {
  /** The same for every visitor, and without a secret, so it can be compressed and cached. */
  function documentOf(
    request: Request,
    parts: Pick<DocumentParts, 'status' | 'headers' | 'body'>,
  ): Promise<Response> {
    // In a frame of ours.
    const isFramed = Boolean(parseTarget(request.url)?.frameToken)
    const response = documentResponse(request, { ...parts, csp: NOTICE_CSP, isFramed })
    return compressor.respond(request, response, { isKept: true })
  }

  return {
    /** The same for an unknown slug and for a file that a page does not have. */
    notFound(request: Request): Promise<Response> {
      const body = notice('not_found', { site, assets })
      return documentOf(request, { status: 404, headers: REFUSAL_HEADERS, body })
    },
    closed(request: Request, { page, brand }: PublishedPage, kind: Notice): Promise<Response> {
      const { accent } = brand
      // The owner's texts are not shown either for what the operator closed.
      const isOwners = kind !== 'taken_down' && kind !== 'suspended'
      const body = notice(kind, {
        ...{ site, accent, assets },
        og_title: isOwners ? page.settings.og_title : null,
        // What is not published was not shared yet, or no longer is.
        brand: isOwners && kind !== 'not_published' ? brand : null,
      })
      return documentOf(request, { status: STATUS[kind], body })
    },
    tooManyTries(
      request: Request,
      { details }: Refusal,
      { brand }: Partial<Pick<PublishedPage, 'brand'>> = {},
    ): Response {
      const retryAfterSeconds = Number(details?.retry_after_s ?? 60)
      return documentResponse(request, {
        status: 429,
        csp: NOTICE_CSP,
        body: notice('too_many_tries', { site, accent: brand?.accent, retryAfterSeconds, assets }),
        headers: { 'retry-after': String(retryAfterSeconds) },
      })
    },
    /** For preview agents: what the owner wrote for link previews. */
    stub(request: Request, { page }: PublishedPage): Response {
      const { og_title: title, og_description: description } = page.settings
      const url = `${baseUrl}/p/${page.slug}`
      const body = previewStub({ title, description, url, image: pictureOf(url), host: site.host })
      return documentResponse(request, { csp: NOTICE_CSP, body })
    },
    redirect(
      request: Request,
      publishedPage: PublishedPage,
      { location, status = 307 }: { location: string; status?: 303 | 307 },
    ): Response {
      const headers = contentHeaders(publishedPage, 'text/html')
      return redirectTo(request, { location, status, headers })
    },
    /** The same whether or not there is a page. */
    preflight: (): Response =>
      buildResponse(null, { status: 204, headers: PREFLIGHT_HEADERS, body: null }),
    /** The same whether or not the page exists, so the gate is not needed. */
    refused(request: Request, reason: Refused): Response {
      const { status, text, headers: extraHeaders } = REFUSALS[reason]
      const headers = status === 405 ? { ...REFUSAL_HEADERS, ...extraHeaders } : extraHeaders
      if (reason !== 'form' || !wantsHtml(request.headers)) {
        return textResponse(request, { status, text, headers })
      }
      const body = notice('form_not_received', { site, assets })
      // The shell’s frame shows it, where a form of the page led there.
      return documentResponse(request, { status, csp: NOTICE_CSP, headers, isFramed: true, body })
    },
  }
}
export type Notices = ReturnType<typeof createNotices>
