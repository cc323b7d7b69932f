import { randomBytes } from 'node:crypto'
import { downloadName } from '../../../features/content/index.ts'
import type { Assets } from '../../kit/assets.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { documentResponse } from '../../kit/response.ts'
import type { OwnerBars } from '../owner-bar/owner-bar.ts'
import type { Panel } from '../panel/panel.ts'
import type { ContentRequest } from '../request/page-request.ts'
import { encodePath } from '../request/paths.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Injection } from '../responses/injection.ts'
import type { TimeTokens } from '../time/tokens.ts'
import { viewerCsp, viewerPage } from './document.ts'

export interface ViewerDeps {
  visitTokens: VisitTokens
  assets: Assets
  panel: Panel
  ownerBars: OwnerBars
  injection: Pick<Injection, 'sourceOf'>
  timeTokens: TimeTokens
  compressor: Compressor
  baseUrl: string
}

/** Responds to a browser that opens a PDF or image page with a document around the owner's file. */
export function createViewer(deps: ViewerDeps) {
  const { visitTokens, assets, panel, compressor, injection, timeTokens, baseUrl } = deps
  const { ownerBars } = deps
  return async (
    request: Request,
    contentRequest: ContentRequest,
    cookies: readonly string[],
  ): Promise<Response> => {
    const { publishedPage, target, asked, claims, nowMs } = contentRequest
    const { page, release, isPreview } = publishedPage
    const { file } = asked
    const {
      accent,
      og_title: ogTitle,
      og_description: ogDescription,
      download_disabled: isDownloadDisabled,
      indexed,
      access,
    } = page.settings
    const nonce = randomBytes(16).toString('base64')
    const name = release.file_name!
    const isIndexed = indexed && access === 'link' && !isPreview
    // The address has a frame token: the viewer's requests need no cookie and count nothing.
    const filesPath = isPreview
      ? `/p/${page.slug}/~${target.frameToken}/`
      : visitTokens.framePath(publishedPage, nowMs, claims)
    const fileUrl = filesPath + encodePath(file.path)
    const panelParts = await panel.of(request, contentRequest)
    const timeToken = timeTokens.of(request, contentRequest)
    const body = viewerPage({
      time: {
        token: timeToken,
        stamp: timeToken === '' ? '' : injection.sourceOf(publishedPage, file),
      },
      title: page.title ?? name,
      file: { name: downloadName(name, file.mime), mime: file.mime, size_bytes: file.size_bytes },
      fileUrl,
      downloadUrl: isDownloadDisabled || isPreview ? null : `${fileUrl}?download`,
      nonce,
      assets,
      accent,
      og: { title: ogTitle, description: ogDescription, url: `${baseUrl}/p/${page.slug}` },
      isIndexed,
      ownerBar: await ownerBars.of(contentRequest),
      panel: panelParts,
    })
    const response = documentResponse(request, {
      csp: viewerCsp(nonce),
      body,
      cookies: panelParts?.cookie ? [...cookies, panelParts.cookie] : cookies,
      isIndexed,
      isFramed: isPreview,
    })
    // Each response has new tokens. The panel also has the viewer's own addresses.
    return panelParts === null ? compressor.respond(request, response) : response
  }
}
export type Viewer = ReturnType<typeof createViewer>
