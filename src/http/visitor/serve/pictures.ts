import { decide, type VisitorFacts } from '../../../features/access/index.ts'
import type { LinkPictures, PictureTexts } from '../../../features/link-pictures/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import { LIMITS } from '../../../features/throttles/index.ts'
import { shownName } from '../../../model/brand.ts'
import { buildResponse, textResponse } from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'

export interface PictureDeps extends Pick<GateDeps, 'throttles' | 'addressOf' | 'site'> {
  linkPictures: LinkPictures
}

const HEADERS = {
  'content-type': 'image/png',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  // Asked for again each time, since the page may have closed.
  'cache-control': 'no-cache',
  'x-robots-tag': 'noindex',
}

/** Answers with the picture that chat programs show beside the link of a page. */
export function createPictures({ linkPictures, throttles, addressOf, site }: PictureDeps) {
  const { host } = site

  return {
    /**
     * @param nobody a visitor who has proved nothing: the picture is the same for everybody
     * @returns null where the page shows strangers nothing, not even a gate that they could pass
     */
    async answer(
      request: Request,
      { gate, page, brand, max_views: maxViews }: PublishedPage,
      { nobody, nowMs }: { nobody: VisitorFacts; nowMs: number },
    ): Promise<Response | null> {
      const decision = decide(gate, nobody, nowMs)
      if (decision.outcome === 'notice') return null
      if (decision.outcome === 'ask' && decision.question === 'owner') return null
      const isOpen = decision.outcome === 'open' && maxViews === null
      const title = page.settings.og_title ?? (isOpen ? page.title : null)
      const owner = shownName(brand.name)
      return send(request, { title, host, owner, accent: brand.accent ?? site.accent })
    },
  }

  async function send(request: Request, texts: PictureTexts): Promise<Response> {
    const cached = linkPictures.cached(texts)
    const allowed = cached ? null : await throttles.consume(LIMITS.link_picture, addressOf(request))
    const isAllowed = allowed?.isAllowed ?? true
    const picture = cached ?? (isAllowed ? await linkPictures.draw(texts) : null)
    if (picture === null) {
      const text = 'Too many pictures are drawn now: try again later.'
      const headers = { 'retry-after': String(isAllowed ? 5 : allowed!.resetS) }
      return textResponse(request, { status: isAllowed ? 503 : 429, text, headers })
    }
    const { png: body, etag } = picture
    return buildResponse(request, { headers: { ...HEADERS, etag }, etag, body })
  }
}
export type Pictures = ReturnType<typeof createPictures>
