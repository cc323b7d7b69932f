import type { Page } from '../../model/page/index.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { PublishedPage, PublishedPages } from './published.ts'

/** Long enough to look at a preview; a copied address soon expires. */
const PREVIEW_S = 60 * 60
const VERSION = 'preview-v1'

export interface Preview {
  url: string
  expires_at: string
}

export interface Previews {
  /**
   * Makes an address below which the files of the draft, or of a version, are read for an hour.
   * @throws Refusal `version_not_found`
   */
  startPreview(page: Page, versionNo?: number): Promise<Preview>
  /**
   * The content of such a token; null if the token is invalid or expired, or the content is gone.
   */
  openPreview(published: PublishedPage, token: string): Promise<PublishedPage | null>
}

export interface PreviewDeps {
  content: Pick<Content, 'getRelease'>
  versions: Pick<Versions, 'manifestOf' | 'numberOf'>
  published: Pick<PublishedPages, 'previewOf'>
  secrets: Secrets
  clock: Clock
  baseUrl: string
}

/**
 * The signed token contains a page, its content and a time. It gives access to these files alone.
 */
export function createPreviews(deps: PreviewDeps): Previews {
  const { content, versions, published, secrets, clock, baseUrl } = deps
  const signatureOf = (pageId: string, manifestId: string, expires: string) =>
    secrets.sign('preview', pageId, manifestId, expires)

  return {
    async startPreview(page, versionNo) {
      const isDraft = versionNo === undefined
      const manifestId = isDraft ? page.draft_id : await versions.manifestOf(page, versionNo)
      const { kind, entry, file_name: fileName } = await content.getRelease(manifestId)
      const expiresS = Math.floor(clock.ms() / 1000) + PREVIEW_S
      const signature = signatureOf(page.id, manifestId, String(expiresS))
      const token = [VERSION, manifestId, expiresS, signature].join('.')
      // A PDF or an image is shown by the viewer, which is at the root.
      const isShownByViewer = kind === 'single' && fileName !== null
      const path = isShownByViewer ? '' : entry.split('/').map(encodeURIComponent).join('/')
      const url = `${baseUrl}/p/${page.slug}/~${token}/${path}`
      return { url, expires_at: timestampOf(expiresS * 1_000_000) }
    },
    async openPreview(page, token) {
      const [version, manifestId = '', expires = '', signature = '', ...more] = token.split('.')
      const { id } = page.page
      if (version !== VERSION || more.length > 0) return null
      if (!secrets.verify(signature, 'preview', id, manifestId, expires)) return null
      if (Number(expires) * 1000 <= clock.ms()) return null
      // A version may be removed before the address expires, and with it its files.
      if ((await versions.numberOf(id, manifestId)) === null) return null
      return published.previewOf(page, manifestId)
    },
  }
}

/** Whether the segment after the slug of an address, without its `~`, is the token of a preview. */
export function isPreviewToken(token: string): boolean {
  return token.startsWith(`${VERSION}.`)
}
