import type { z } from 'zod'
import { refuse } from '../../model/errors.ts'
import type { JsonStream, JsonText } from '../../model/json-text.ts'
import type { Page } from '../../model/page/index.ts'
import { assetsOf, type Content, isHtml, type Manifest } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { ChangesInput, PageDifferences, readHtml } from './contract.ts'

export type PageHtml = z.input<typeof readHtml.output>['data']

/** Reads the HTML of a page's draft, whole or without its long data: URIs. */
export function createReadHtml(content: Pick<Content, 'getManifest' | 'readHtml'>) {
  return async (page: Page, full: boolean): Promise<PageHtml> => {
    const manifest = await getHtmlManifest(content, page)
    const { kind, entry, files } = manifest
    const elided = { count: 0, chars: 0 }
    const texts: { path: string; html: JsonText<string> | JsonStream }[] = []
    for (const file of files.filter(isHtml)) {
      const read = await content.readHtml(file, { full })
      elided.count += read.elided.count
      elided.chars += read.elided.chars
      texts.push({ path: file.path, html: read.html })
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

interface ReadChangesDeps {
  content: Pick<Content, 'changesBetween'>
  versions: Pick<Versions, 'manifestOf' | 'numberOf'>
}

/**
 * Compares two versions of a page, the published one with the draft unless others are named.
 * @throws Refusal `version_not_found`, `nothing_published`
 */
export function createReadChanges({ content, versions }: ReadChangesDeps) {
  async function resolve(page: Page, versionNo: number | undefined, manifestId: string | null) {
    if (versionNo !== undefined) {
      return { id: await versions.manifestOf(page, versionNo), versionNo }
    }
    if (manifestId === null) throw nothingPublished()
    const current = await versions.numberOf(page.id, manifestId)
    if (current === null) throw new Error(`The content of ${page.id} is no version`)
    return { id: manifestId, versionNo: current }
  }

  return async (page: Page, { from, to, lines }: ChangesInput): Promise<PageDifferences> => {
    const before = await resolve(page, from, page.published_id)
    const after = await resolve(page, to, page.draft_id)
    const { files, ...counts } = await content.changesBetween(before.id, after.id)
    return {
      from_version_no: before.versionNo,
      to_version_no: after.versionNo,
      ...counts,
      files: lines ? files : files.map((file) => ({ ...file, lines: null })),
    }
  }
}

function nothingPublished() {
  return refuse.conflict(
    'nothing_published',
    'Nothing is published to compare the draft with: name a version in `from`, or publish first.',
  )
}
