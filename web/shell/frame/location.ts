/** The path of this page's files, `/p/{slug}/~{token}/`; null if this document is none of them. */
export const FILES = /^\/p\/[^/]+\/~[^/]+\//.exec(location.pathname)?.[0] ?? null
const PAGE_PATH = FILES?.replace(/\/~.*/, '') ?? ''

/** On a host of the page's own every path is a file of the page. */
const HAS_ORIGIN = self.origin !== 'null'

/** The path of a file of this page, with query and hash, by any of its URLs; null for others. */
export function ownPath(url: URL): string | null {
  if (url.origin !== location.origin) return null
  const { pathname, search, hash } = url
  const rest = search + hash
  if (FILES !== null && pathname.startsWith(FILES)) return pathname.slice(FILES.length) + rest
  if (pathname === PAGE_PATH) return rest
  if (HAS_ORIGIN) return pathname.slice(1) + rest
  const path = pathname.slice(PAGE_PATH.length + 1)
  return pathname.startsWith(`${PAGE_PATH}/`) && !path.startsWith('~') ? path + rest : null
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
