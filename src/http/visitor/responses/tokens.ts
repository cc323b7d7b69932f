import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Grant } from '../request/visit-tokens.ts'

/** Longer than anybody leaves a form open; a copy in a browser's cache renews within a week. */
const TOKEN_S = 30 * 24 * 60 * 60

/** What lets one viewer’s browser respond to one page: good for that response, nothing else. */
export interface Credential {
  page_id: string
  /** The random id of the browser. Sealed: no page may tell viewers of another page by it. */
  device: string
  /** What a gate let the viewer in by, and who could open the page then. */
  grant: Grant | null
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

export function createCredentials(secrets: Secrets) {
  return {
    /** Names the copy of a page that one browser has for a while. */
    mark: (page: Page, device: string, period: number): string =>
      secrets.sign('copy', page.id, device, String(period)).slice(0, 11),
    token(page: Page, given: Pick<Credential, 'device' | 'grant' | 'given_s'>): string {
      const sealed = JSON.stringify({ ...given, access_epoch: page.access_epoch })
      return `${page.id}.${secrets.seal('responder', page.id, sealed)}`
    },
    /** @returns null for what we did not give, or gave too long ago */
    readToken(token: string, now_s: number): Credential | null {
      const dot = token.indexOf('.')
      const page_id = token.slice(0, dot)
      try {
        const given = JSON.parse(secrets.open('responder', page_id, token.slice(dot + 1)))
        return given.given_s + TOKEN_S > now_s ? { ...given, page_id } : null
      } catch {
        return null
      }
    },
    /** Stands in every copy of the file: it says nothing of who looks at it. */
    stamp(page: Page, { page_version, path }: Origin): string {
      const text = Buffer.from(JSON.stringify([page_version, path])).toString('base64url')
      return `${text}.${secrets.sign('stamp', page.id, text)}`
    },
    readStamp(page_id: string, stamp: string): Origin | null {
      const [text = '', signature = '', ...more] = stamp.split('.')
      const is_ours = more.length === 0 && secrets.verify(signature, 'stamp', page_id, text)
      if (!is_ours) return null
      const [page_version, path] = JSON.parse(Buffer.from(text, 'base64url').toString())
      return { page_version, path }
    },
  }
}
export type Credentials = ReturnType<typeof createCredentials>
