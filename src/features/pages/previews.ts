import type { Page } from '../../model/page/index.ts'
import { PREVIEW_TOKENS } from '../../model/page-name.ts'
import { timestampOf } from '../../platform/clock.ts'
import { sealedToken } from '../../platform/signed-token.ts'
import type { PageDeps } from './parts.ts'
import type { Opening, PublishedPages } from './published.ts'

/** Long enough to look at a preview; a copied address soon expires. */
const PREVIEW_S = 60 * 60
const VERSION = `${PREVIEW_TOKENS}v2.`

/** The content of a preview's token. Its names stand in addresses that are in use. */
export interface PreviewToken {
  manifest_id: string
  /** The session that made it, with which it ends; null where an API key did. */
  session_id: string | null
  expires_s: number
}

/** Previews of drafts and versions. A token is sealed, and says what it opens and until when. */
export function createPreviews(deps: PageDeps, previewOf: PublishedPages['previewOf']) {
  const { content, versions, secrets, clock, baseUrl } = deps
  const tokens = sealedToken<PreviewToken>(secrets, 'preview', ({ expires_s }) => expires_s * 1000)

  return {
    /**
     * Makes an address below which the files of the draft, or of a version, are read for an hour.
     *
     * @throws Refusal `version_not_found`
     */
    async startPreview(
      page: Page,
      { sessionId, versionNo }: { sessionId: string | null; versionNo?: number | undefined },
    ) {
      const isDraft = versionNo === undefined
      const manifestId = isDraft ? page.draft_id : await versions.manifestOf(page, versionNo)
      const { kind, entry, file_name } = await content.getRelease(manifestId)
      const expiresS = Math.floor(clock.ms() / 1000) + PREVIEW_S
      const token = { manifest_id: manifestId, session_id: sessionId, expires_s: expiresS }
      const sealed = tokens.make(page.id, token)
      // A PDF or an image is shown by the viewer, which is at the root.
      const isShownByViewer = kind === 'single' && file_name !== null
      const path = isShownByViewer ? '' : entry.split('/').map(encodeURIComponent).join('/')
      const url = `${baseUrl}/p/${page.slug}/~${VERSION}${sealed}/${path}`
      return { url, expires_at: timestampOf(expiresS * 1_000_000) }
    },
    /** @returns null for a token that is expired, not ours, or of another page */
    readPreview({ id }: Page, text: string): PreviewToken | null {
      if (!text.startsWith(VERSION)) return null
      return tokens.read(id, text.slice(VERSION.length), clock.ms())
    },
    /** @returns null where the version was removed before its address expired */
    async openPreview(opening: Opening<'preview'>, { manifest_id }: PreviewToken) {
      const isKept = (await versions.numberOf(opening.page.id, manifest_id)) !== null
      return isKept ? previewOf(opening, manifest_id) : null
    },
  }
}

/** Whether the segment after the slug of an address, without its `~`, is the token of a preview. */
export function isPreviewToken(token: string): boolean {
  return token.startsWith(PREVIEW_TOKENS)
}
