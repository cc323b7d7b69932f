import { randomBytes } from 'node:crypto'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Assets } from '../../kit/assets.ts'
import { documentHeaders } from '../../kit/headers.ts'
import { viewerCsp, viewerPage } from './document.ts'

export interface ViewerAnswerOptions {
  live: PublishedPage
  file: ReleaseFile
  /** By capability: the viewer's own requests need no cookie and count nothing. */
  file_url: string
  assets: Assets
  baseUrl: string
  cookie: string | null
  isHead: boolean
}

/** A PDF or image page for a browser: our document around the owner's file. */
export function viewerAnswer(options: ViewerAnswerOptions): Response {
  const { live, file, file_url: fileUrl, assets, baseUrl, cookie, isHead } = options
  const { page, release } = live
  const {
    accent,
    og_title: ogTitle,
    og_description: ogDescription,
    download_disabled: downloadDisabled,
    indexed,
    access,
  } = page.settings
  const nonce = randomBytes(16).toString('base64')
  const name = release!.file_name!
  const isIndexed = indexed && access === 'link'
  const body = viewerPage({
    title: page.title ?? name,
    file: { name, mime: file.mime, size_bytes: file.size_bytes },
    file_url: fileUrl,
    downloadUrl: downloadDisabled ? null : `${fileUrl}?download`,
    nonce,
    assets,
    accent,
    og: { title: ogTitle, description: ogDescription, url: `${baseUrl}/p/${page.slug}` },
    indexed: isIndexed,
  })
  const { 'x-robots-tag': robots, ...headers } = documentHeaders(viewerCsp(nonce))
  return new Response(isHead ? null : body, {
    headers: {
      ...headers,
      ...(!isIndexed && { 'x-robots-tag': robots! }),
      ...(cookie !== null && { 'set-cookie': cookie }),
    },
  })
}
