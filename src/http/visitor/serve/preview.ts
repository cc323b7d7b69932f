import { randomBytes } from 'node:crypto'
import { downloadName } from '../../../features/content/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import type { Assets } from '../../kit/assets.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { requestedRange } from '../../kit/ranges.ts'
import { documentResponse } from '../../kit/response.ts'
import { NO_AGENT } from '../request/agents.ts'
import type { Identities } from '../request/identity.ts'
import type { AskedContent } from '../request/page-request.ts'
import { cleanPath, encodePath, isSaved, resolvePath, type Target } from '../request/paths.ts'
import { viewerCsp, viewerPage } from '../viewer/document.ts'
import type { ContentResponses } from './content.ts'
import type { Notices } from './notices.ts'

export interface PreviewDeps {
  pages: Pick<Pages, 'openPreview'>
  identities: Pick<Identities, 'anonymous'>
  content: ContentResponses
  notices: Notices
  assets: Assets
  compressor: Compressor
  nowMs(): number
}

/** A target whose frame token is that of a preview. */
export type PreviewTarget = Target & { frameToken: string; path: string }

/**
 * Serves the content of an owner's preview address, in a frame of our documents. It needs no gate
 * and no cookie and counts no view: the token alone decides, and gives access to this content
 * alone.
 */
export function createPreviewResponses(deps: PreviewDeps) {
  const { pages, identities, content, notices, assets, compressor, nowMs } = deps

  /** A PDF or an image in our viewer, without what belongs to visitors. */
  function viewer(request: Request, preview: PublishedPage, target: PreviewTarget) {
    const { page, release, files } = preview
    const file = files.get(release!.entry)!
    const nonce = randomBytes(16).toString('base64')
    const fileUrl = `/p/${target.slug}/~${target.frameToken}/${encodePath(file.path)}`
    const name = release!.file_name!
    const body = viewerPage({
      title: page.title ?? name,
      file: { name: downloadName(name, file.mime), mime: file.mime, size_bytes: file.size_bytes },
      fileUrl,
      downloadUrl: null,
      nonce,
      assets,
      accent: page.settings.accent,
    })
    const response = documentResponse(request, { csp: viewerCsp(nonce), body, isFramed: true })
    return compressor.respond(request, response)
  }

  return async (
    request: Request,
    published: PublishedPage,
    target: PreviewTarget,
  ): Promise<Response> => {
    const preview = await pages.openPreview(published, target.frameToken)
    if (preview === null) return notices.notFound(request)
    if (request.headers.get('sec-fetch-dest') === 'document') {
      // Opened as a window it leads to the page's own address, where its owner sees the page.
      return notices.redirect(request, preview, { location: cleanPath(preview, target) })
    }
    const { kind, file_name: fileName } = preview.release!
    if (kind === 'single' && fileName !== null && target.path === '') {
      return viewer(request, preview, target)
    }
    const resource = resolvePath(preview, target)
    if (resource.kind === 'redirect') return notices.redirect(request, preview, resource)
    if (resource.kind === 'nothing') return notices.notFound(request)
    const { file } = resource
    const isWhole = file.html !== null
    const etag = () => content.etagOf(preview, file)
    const range = isWhole
      ? null
      : requestedRange(request.headers, { etag, sizeBytes: file.size_bytes })
    const use = isSaved(preview.release!, file, target) ? 'download' : 'frame'
    const asked: AskedContent = { kind: use, file, range }
    return content.respond(request, contentRequestOf(preview, target, asked), [])
  }

  function contentRequestOf(publishedPage: PublishedPage, target: Target, asked: AskedContent) {
    return {
      publishedPage,
      target,
      asked,
      visitor: identities.anonymous.visitor,
      claims: null,
      counts: 'none' as const,
      startsVisit: false,
      checksLimit: false,
      agent: NO_AGENT,
      shape: 'direct' as const,
      origin: null,
      ownHost: null,
      isUngated: true,
      startedMs: nowMs(),
      nowMs: nowMs(),
    }
  }
}
export type PreviewResponses = ReturnType<typeof createPreviewResponses>
