import type { Page } from '../../model/page/index.ts'
import { PREVIEW_TOKENS } from '../../model/preview-address.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { sealedToken } from '../../platform/signed-token.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { Opening, OpenPage, PublishedPages } from './published.ts'

/** Long enough to look at a preview; a copied address soon expires. */
const PREVIEW_S = 60 * 60
const VERSION = `${PREVIEW_TOKENS}v2.`

export interface Preview {
  url: string
  expires_at: string
}

/** The content of a preview's token. Its names stand in addresses that are in use. */
export interface PreviewToken {
  manifest_id: string
  /** The session that made it, with which it ends; null where an API key did. */
  session_id: string | null
  expires_s: number
}

interface PreviewInput {
  sessionId: string | null
  /** The draft unless given. */
  versionNo?: number | undefined
}

export interface Previews {
  /**
   * Makes an address below which the files of the draft, or of a version, are read for an hour.
   * @throws Refusal `version_not_found`
   */
  startPreview(page: Page, input: PreviewInput): Promise<Preview>
  /** @returns null for a token that is expired, not ours, or of another page */
  readPreview(page: Page, token: string): PreviewToken | null
  /** @returns null where the version was removed before its address expired */
  openPreview(opened: Opening<'preview'>, token: PreviewToken): Promise<OpenPage | null>
}

interface PreviewDeps {
  content: Pick<Content, 'getRelease'>
  versions: Pick<Versions, 'manifestOf' | 'numberOf'>
  published: Pick<PublishedPages, 'previewOf'>
  secrets: Secrets
  clock: Clock
  baseUrl: string
}

/** A preview's token is sealed, and names a page, its content, who made it and until when. */
export function createPreviews(deps: PreviewDeps): Previews {
  const { content, versions, published, secrets, clock, baseUrl } = deps
  const tokens = sealedToken<PreviewToken>(secrets, 'preview', ({ expires_s }) => expires_s * 1000)

  return {
    async startPreview(page, { sessionId, versionNo }) {
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
    readPreview({ id }, text) {
      if (!text.startsWith(VERSION)) return null
      return tokens.read(id, text.slice(VERSION.length), clock.ms())
    },
    async openPreview(opened, { manifest_id }) {
      const isKept = (await versions.numberOf(opened.page.id, manifest_id)) !== null
      return isKept ? published.previewOf(opened, manifest_id) : null
    },
  }
}

/** Whether the segment after the slug of an address, without its `~`, is the token of a preview. */
export function isPreviewToken(token: string): boolean {
  return token.startsWith(PREVIEW_TOKENS)
}
