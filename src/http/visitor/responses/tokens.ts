import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Claims } from '../request/visit-tokens.ts'

/** Longer than anybody leaves a form open; a copy in a browser's cache renews within a week. */
const TOKEN_S = 30 * 24 * 60 * 60

/** What lets one viewer’s browser respond to one page: good for that response, nothing else. */
export interface ResponseToken {
  page_id: string
  /** The random id of the browser. Sealed: no page may tell viewers of another page by it. */
  device: string
  /** What a gate let the viewer in by, and who could open the page then. */
  grant: Claims | null
  access_epoch: number
  given_s: number
}

/** Where a response comes from, as the served bytes say. */
export interface Origin {
  /** When the version shown was published; null for a draft. */
  page_version: string | null
  /** The file of a deck; '' on other pages. */
  path: string
}

export function createResponseTokens(secrets: Secrets) {
  return {
    /** Names the copy of a page that one browser has for a while. */
    mark: (page: Page, device: string, period: number): string =>
      secrets.sign('copy', page.id, device, String(period)).slice(0, 11),
    token(page: Page, given: Pick<ResponseToken, 'device' | 'grant' | 'given_s'>): string {
      const sealed = JSON.stringify({ ...given, access_epoch: page.access_epoch })
      return `${page.id}.${secrets.seal('responder', page.id, sealed)}`
    },
    /** @returns null for what we did not give, or gave too long ago */
    readToken(token: string, nowS: number): ResponseToken | null {
      const dot = token.indexOf('.')
      const pageId = token.slice(0, dot)
      try {
        const given = JSON.parse(secrets.open('responder', pageId, token.slice(dot + 1)))
        return given.given_s + TOKEN_S > nowS ? { ...given, page_id: pageId } : null
      } catch {
        return null
      }
    },
    /** Stands in every copy of the file: it says nothing of who looks at it. */
    stamp(page: Page, { page_version: pageVersion, path }: Origin): string {
      const text = Buffer.from(JSON.stringify([pageVersion, path])).toString('base64url')
      return `${text}.${secrets.sign('stamp', page.id, text)}`
    },
    readStamp(pageId: string, stamp: string): Origin | null {
      const [text = '', signature = '', ...more] = stamp.split('.')
      const isOurs = more.length === 0 && secrets.verify(signature, 'stamp', pageId, text)
      if (!isOurs) return null
      const [pageVersion, path] = JSON.parse(Buffer.from(text, 'base64url').toString())
      return { page_version: pageVersion, path }
    },
  }
}
export type ResponseTokens = ReturnType<typeof createResponseTokens>
