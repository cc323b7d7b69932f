import { isOfService, PREVIEW_TOKENS } from '../../../src/model/page-name.ts'

/** On a host of the page's own every path is a file of the page. */
const HAS_ORIGIN = self.origin !== 'null'
/** The start of an address with a frame token. */
const TOKEN = /^\/p\/[^/]+\/~[^/]+(?=\/)/
const BELOW_TOKEN = belowToken()
/**
 * The path of this page's files: `/p/{slug}/~{token}/`, or the root of the page's own host; null if
 * this document is none of them.
 */
export const FILES = BELOW_TOKEN ?? (HAS_ORIGIN ? '/' : null)
/** An owner looks at a draft, which has no shell around it. */
export const IS_PREVIEW = BELOW_TOKEN?.includes(`/~${PREVIEW_TOKENS}`) === true
const PAGE_PATH = BELOW_TOKEN?.replace(/\/~.*/, '') ?? ''
/** A window may show it as it is. */
export const IS_AT_ROOT = BELOW_TOKEN === null

/** Null at the root, where apps with a router expect to stand: with a cookie, their files do. */
function belowToken(): string | null {
  const [token] = TOKEN.exec(location.pathname) ?? []
  if (token === undefined) return null
  if (!HAS_ORIGIN || window.top === window || !storesCookies()) return `${token}/`
  history.replaceState(history.state, '', location.href.replace(token, ''))
  return null
}

/** Whether a frame of another site stores a cookie, as the server gives it one. */
function storesCookies(): boolean {
  const cookie = 'handbill_probe=1; Path=/; Secure; SameSite=None; Partitioned'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API gives no answer at once
  document.cookie = cookie
  const isStored = document.cookie.includes('handbill_probe')
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = `${cookie}; Max-Age=0`
  return isStored
}

/** The path of a file of this page, with query and hash, by any of its URLs; null for others. */
export function ownPath(url: URL): string | null {
  if (url.origin !== location.origin) return null
  const { pathname, search, hash } = url
  const rest = search + hash
  if (pathname === PAGE_PATH) return rest
  // The server leads below a token where a script loads a document of a page with a view limit.
  if (HAS_ORIGIN) return pathname.replace(TOKEN, '').slice(1) + rest
  if (FILES !== null && pathname.startsWith(FILES)) return pathname.slice(FILES.length) + rest
  const path = pathname.slice(PAGE_PATH.length + 1)
  return pathname.startsWith(`${PAGE_PATH}/`) && !isOfService(path) ? path + rest : null
}

/** The URL of a path within this frame. */
export function framedUrl(path: string): string {
  return location.origin + FILES + path
}

/**
 * Leaves a frame's URL for the page's address. The server does it by itself where the browser
 * sends `Sec-Fetch-Dest`.
 */
export function openPageAddress(): void {
  location.replace(`${PAGE_PATH}/${ownPath(new URL(location.href)) ?? ''}`)
}

/** Whether a message is of another site: everybody knows the root of the page's own host. */
export function isForeign({ origin }: MessageEvent): boolean {
  return HAS_ORIGIN && origin !== location.origin
}
