import type { z } from 'zod'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { assetsOf, type Content, isHtml, type Manifest, omitDataUris } from '../content/index.ts'
import type { readHtml } from './contract.ts'

/** Keeps a byte order mark, which is part of the content. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export type PageHtml = z.input<typeof readHtml.output>['data']

/** Reads the HTML of a page's draft, whole or without its long data: URIs. */
export function createReadHtml(content: Pick<Content, 'getManifest' | 'bytes'>) {
  return async (page: Page, full: boolean): Promise<PageHtml> => {
    const manifest = await getHtmlManifest(content, page)
    const { kind, entry, files } = manifest
    const elided = { count: 0, chars: 0 }
    const texts: { path: string; html: string }[] = []
    for (const { path, hash } of files.filter(isHtml)) {
      const html = utf8.decode(await content.bytes(hash))
      const short = full ? null : omitDataUris(html)
      elided.count += short?.elided.count ?? 0
      elided.chars += short?.elided.chars ?? 0
      texts.push({ path, html: short?.html ?? html })
    }
    const hasUnpublishedChanges = page.draft_id !== page.published_id
    const state = { has_unpublished_changes: hasUnpublishedChanges, elided }
    return kind === 'single'
      ? { kind, html: texts[0]!.html, ...state }
      : { kind, entry, files: texts, assets: assetsOf(manifest), ...state }
  }
}

/** The manifest of the draft. @throws Refusal `not_html` */
export async function getHtmlManifest(
  content: Pick<Content, 'getManifest'>,
  page: Page,
): Promise<Manifest> {
  const manifest = await content.getManifest(page.draft_id)
  if (manifest.file_name === null) return manifest
  throw refuse.invalid('not_html', 'This page is a PDF or image: it has no HTML to read or edit.')
}
