import { randomBytes } from 'node:crypto'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { Live } from '../../../features/pages/index.ts'
import type { Assets } from '../../kit/assets.ts'
import { documentHeaders } from '../request/content-headers.ts'
import { viewerCsp, viewerPage } from './document.ts'

export interface ViewerAnswerOptions {
  live: Live
  file: ReleaseFile
  /** By capability: the viewer's own requests need no cookie and count nothing. */
  file_url: string
  assets: Assets
  base_url: string
  cookie: string | null
  is_head: boolean
}

/** A PDF or image page for a browser: our document around the owner's file. */
export function viewerAnswer(options: ViewerAnswerOptions): Response {
  const { live, file, file_url, assets, base_url, cookie, is_head } = options
  const { page, release } = live
  const { accent, og_title, og_description, download_disabled, indexed, access } = page.settings
  const nonce = randomBytes(16).toString('base64')
  const name = release!.file_name!
  const is_indexed = indexed && access === 'link'
  const body = viewerPage({
    title: page.title ?? name,
    file: { name, mime: file.mime, size_bytes: file.size_bytes },
    file_url,
    download_url: download_disabled ? null : `${file_url}?download`,
    nonce,
    assets,
    accent,
    og: { title: og_title, description: og_description, url: `${base_url}/p/${page.slug}` },
    indexed: is_indexed,
  })
  const { 'x-robots-tag': robots, ...headers } = documentHeaders(viewerCsp(nonce))
  return new Response(is_head ? null : body, {
    headers: {
      ...headers,
      ...(!is_indexed && { 'x-robots-tag': robots! }),
      ...(cookie !== null && { 'set-cookie': cookie }),
    },
  })
}
