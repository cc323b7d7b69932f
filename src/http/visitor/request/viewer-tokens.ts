import type { Page } from '../../../model/page/index.ts'
import type { PageSource } from '../../../model/viewer.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { sealedToken, secondsOf, signedText } from '../../../platform/signed-token.ts'
import { type Claims, FRAME_TOKEN_S } from './visit-tokens.ts'

/** Longer than a form stays open. A copy in a browser's cache gets a new token within a week. */
const TOKEN_S = 30 * 24 * 60 * 60

/** The content of a viewer token. Its names stand in tokens that browsers hold. */
export interface ViewerToken {
  page_id: string
  /** The random id of the browser. Sealed, so that pages cannot follow a viewer to other pages. */
  device: string
  /** The viewer's proofs for the gate, and the page's access epoch at that time. */
  grant: Claims | null
  access_epoch: number
  given_s: number
}

export interface NewViewerToken {
  device: string
  claims: Claims | null
  /** The start of the token's view, in milliseconds since the epoch. */
  nowMs: number
}

/**
 * The tokens that authorize visitor operations. The viewer token lets the browser that received it
 * act on one page, and proves nothing else. The source token names the file and version that a copy
 * of the page shows, and is the same for every viewer.
 */
export function createViewerTokens(secrets: Secrets) {
  /** `{page id}.{sealed}`. */
  function viewerTokens(scope: 'responder' | 'panel', ageS: number) {
    type Content = Omit<ViewerToken, 'page_id'>
    const sealed = sealedToken<Content>(secrets, scope, ({ given_s }) => (given_s + ageS) * 1000)
    return {
      make({ id, access_epoch }: Page, { device, claims, nowMs }: NewViewerToken): string {
        const content = { device, grant: claims, given_s: secondsOf(nowMs), access_epoch }
        return `${id}.${sealed.make(id, content)}`
      },
      read(text: string, nowMs: number): ViewerToken | null {
        const dot = text.indexOf('.')
        const pageId = text.slice(0, dot)
        const content = sealed.read(pageId, text.slice(dot + 1), nowMs)
        return content && { ...content, page_id: pageId }
      },
    }
  }
  const responder = viewerTokens('responder', TOKEN_S)
  // As long as a frame token. The panel gets a new one by itself while the gate admits it.
  const panel = viewerTokens('panel', FRAME_TOKEN_S)
  const sources = signedText(secrets, 'stamp')

  return {
    /** In the page's own bytes, where its script can read it: sends responses alone. */
    viewerToken: responder.make,
    /** @returns null for a token that is expired or not ours */
    readViewerToken: responder.read,
    /**
     * For our own document around the page: comments, votes and decides. Never written into bytes
     * that a page's script can read.
     */
    panelToken: panel.make,
    /** @returns null for a token that is expired, not ours, or of a page's own bytes */
    readPanelToken: panel.read,
    sourceToken({ id }: Page, { pageVersion, path, manifestId }: PageSource): string {
      const text = JSON.stringify([pageVersion, path, manifestId])
      return sources.make([id], Buffer.from(text).toString('base64url'))
    },
    /** @returns null for a token that is not ours, or of another page */
    readSourceToken(token: string, pageId: string): PageSource | null {
      const text = sources.read([pageId], token)
      if (text === null) return null
      const [pageVersion, path, manifestId = null] = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      )
      return { pageVersion, path, manifestId }
    },
  }
}
export type ViewerTokens = ReturnType<typeof createViewerTokens>
