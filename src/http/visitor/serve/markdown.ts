import type { ConvertedHtml, HtmlToMarkdown } from '../../../features/html-to-markdown/index.ts'
import type { Services } from '../../../platform/services.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { buildResponse, textResponse } from '../../kit/response.ts'
import { contentHeaders } from '../request/content-headers.ts'
import type { ContentRequest, MakeAnswer } from '../request/page-request.ts'
import { encodePath } from '../request/paths.ts'
import { heldEtag } from './content.ts'

export interface MarkdownDeps extends Pick<Services, 'secrets' | 'baseUrl'> {
  htmlToMarkdown: HtmlToMarkdown
  compressor: Compressor
}

const VARY = { vary: 'accept' }

/** Answers with the documents of pages as Markdown, for programs that ask for it. */
export function createMarkdownAnswers(deps: MarkdownDeps): MakeAnswer {
  const { htmlToMarkdown, compressor, secrets, baseUrl } = deps

  function respond(
    { request, publishedPage }: ContentRequest,
    { markdown, hash }: ConvertedHtml,
    cookies: readonly string[],
  ): Promise<Response> {
    const { page } = publishedPage
    const signature = secrets.sign('etag', page.id, String(page.access_epoch), `markdown ${hash}`)
    const etag = heldEtag(request, `"${signature.slice(0, 22)}"`)
    const headers = {
      ...contentHeaders(publishedPage, 'text/markdown; charset=utf-8'),
      ...VARY,
      etag,
    }
    const response = buildResponse(request, { headers, etag, body: markdown, cookies })
    return compressor.respond(request, response)
  }

  return async (contentRequest) => {
    const { request, publishedPage, target, resource } = contentRequest
    const path = target.path === null ? '' : `/${encodePath(target.path)}`
    const { files } = publishedPage.release
    const url = `${baseUrl}/p/${publishedPage.page.slug}${path}`
    const converted = await htmlToMarkdown.convert({ file: resource.file, files, url })
    if (typeof converted !== 'string') {
      return (cookies) => respond(contentRequest, converted, cookies)
    }
    const isBusy = converted === 'busy'
    const text = isBusy
      ? 'Too many pages are converted to Markdown now: try again later, or accept text/html.'
      : 'This page is too large or too complex for Markdown: accept text/html.'
    const headers = { ...VARY, ...(isBusy && { 'retry-after': '5' }) }
    return textResponse(request, { status: isBusy ? 503 : 406, text, headers })
  }
}
