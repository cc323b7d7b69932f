import { LRUCache } from 'lru-cache'
import type { Page } from '../../../model/page/index.ts'
import type { PageSource } from '../../../model/viewer.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Claims } from './visit-tokens.ts'

/** Longer than a form stays open. A copy in a browser's cache gets a new token within a week. */
const TOKEN_S = 30 * 24 * 60 * 60
/** As long as a frame token. The panel gets a new one by itself while the gate admits it. */
const PANEL_TOKEN_S = 12 * 60 * 60

/**
 * `responder`: in the page's own bytes, where its script can read it: sends responses alone.
 * `panel`: in our own document around the page: comments, votes and decides.
 */
type Scope = 'responder' | 'panel'
const MAX_AGE_S: Record<Scope, number> = { responder: TOKEN_S, panel: PANEL_TOKEN_S }

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

/**
 * The size of the cache of read tokens: panels send the same token repeatedly. Unsealing one and
 * verifying its source token takes 16 µs, a look-up less than one.
 */
const MAX_CHARS = 4 * 1024 * 1024

/** The input of a viewer token. */
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
  function seal(scope: Scope, page: Page, { device, claims, nowMs }: NewViewerToken): string {
    const content = { device, grant: claims, given_s: secondsOf(nowMs) }
    const sealed = JSON.stringify({ ...content, access_epoch: page.access_epoch })
    return `${page.id}.${secrets.seal(scope, page.id, sealed)}`
  }

  const size = { maxSize: MAX_CHARS, sizeCalculation: (_: object, key: string) => 2 * key.length }
  const opened = {
    responder: new LRUCache<string, ViewerToken>(size),
    panel: new LRUCache<string, ViewerToken>(size),
  }
  const sources = new LRUCache<string, PageSource>(size)

  function open(scope: Scope, text: string, nowMs: number): ViewerToken | null {
    const token = opened[scope].get(text) ?? openNew(scope, text)
    return token !== null && token.given_s + MAX_AGE_S[scope] > secondsOf(nowMs) ? token : null
  }

  function openNew(scope: Scope, text: string): ViewerToken | null {
    const dot = text.indexOf('.')
    const pageId = text.slice(0, dot)
    try {
      const content = JSON.parse(secrets.open(scope, pageId, text.slice(dot + 1)))
      const token: ViewerToken = { ...content, page_id: pageId }
      opened[scope].set(text, token)
      return token
    } catch {
      return null
    }
  }

  return {
    viewerToken: (page: Page, given: NewViewerToken) => seal('responder', page, given),
    /** @returns null for a token that is expired or not ours */
    readViewerToken: (token: string, nowMs: number) => open('responder', token, nowMs),
    /** The token of the panel: never written into bytes that a page's script can read. */
    panelToken: (page: Page, given: NewViewerToken) => seal('panel', page, given),
    /** @returns null for a token that is expired, not ours, or of a page's own bytes */
    readPanelToken: (token: string, nowMs: number) => open('panel', token, nowMs),
    sourceToken(page: Page, { pageVersion, path, manifestId }: PageSource): string {
      const parts = [pageVersion, path, manifestId]
      const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
      return `${text}.${secrets.sign('stamp', page.id, text)}`
    },
    /** @returns null for a token that is not ours, or of another page */
    readSourceToken(token: string, pageId: string): PageSource | null {
      const key = `${pageId} ${token}`
      const known = sources.get(key)
      if (known !== undefined) return known
      const [text = '', signature = '', ...rest] = token.split('.')
      const isOurs = rest.length === 0 && secrets.verify(signature, 'stamp', pageId, text)
      if (!isOurs) return null
      const parts = JSON.parse(Buffer.from(text, 'base64url').toString())
      const [pageVersion, path, manifestId = null] = parts
      const source = { pageVersion, path, manifestId }
      sources.set(key, source)
      return source
    },
  }
}
export type ViewerTokens = ReturnType<typeof createViewerTokens>

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}
