import type { Page } from '../../../model/page/index.ts'
import type { PageSource } from '../../../model/viewer.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Claims } from './visit-tokens.ts'

/** Longer than a form stays open. A copy in a browser's cache gets a new token within a week. */
const TOKEN_S = 30 * 24 * 60 * 60

/** The content of a viewer token. Its names stand in tokens that browsers hold. */
export interface ViewerToken {
  page_id: string
  /** The random id of the browser. Sealed, so that pages cannot follow a viewer to other pages. */
  device: string
  /** What the viewer had proved to the gate, and the page's access epoch at that time. */
  grant: Claims | null
  access_epoch: number
  given_s: number
}

/**
 * What visitor operations are authorized by. The viewer token lets the browser it was issued to act
 * on one page, and proves nothing else. The source token names the file and version that a copy of
 * the page shows, and is the same for every viewer.
 */
export function createViewerTokens(secrets: Secrets) {
  return {
    viewerToken(
      page: Page,
      { device, claims, nowMs }: { device: string; claims: Claims | null; nowMs: number },
    ): string {
      const content = { device, grant: claims, given_s: secondsOf(nowMs) }
      const sealed = JSON.stringify({ ...content, access_epoch: page.access_epoch })
      return `${page.id}.${secrets.seal('responder', page.id, sealed)}`
    },
    /** @returns null for a token that is expired or not ours */
    readViewerToken(token: string, nowMs: number): ViewerToken | null {
      const dot = token.indexOf('.')
      const pageId = token.slice(0, dot)
      try {
        const content = JSON.parse(secrets.open('responder', pageId, token.slice(dot + 1)))
        const isValid = content.given_s + TOKEN_S > secondsOf(nowMs)
        return isValid ? { ...content, page_id: pageId } : null
      } catch {
        return null
      }
    },
    sourceToken(page: Page, { pageVersion, path }: PageSource): string {
      const text = Buffer.from(JSON.stringify([pageVersion, path])).toString('base64url')
      return `${text}.${secrets.sign('stamp', page.id, text)}`
    },
    /** @returns null for a token that is not ours, or of another page */
    readSourceToken(token: string, pageId: string): PageSource | null {
      const [text = '', signature = '', ...rest] = token.split('.')
      const isOurs = rest.length === 0 && secrets.verify(signature, 'stamp', pageId, text)
      if (!isOurs) return null
      const [pageVersion, path] = JSON.parse(Buffer.from(text, 'base64url').toString())
      return { pageVersion, path }
    },
  }
}
export type ViewerTokens = ReturnType<typeof createViewerTokens>

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}
