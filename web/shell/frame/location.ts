/** Where this page's files lie: `/p/{slug}/~{cap}/`, or null elsewhere. */
export const FILES = /^\/p\/[^/]+\/~[^/]+\//.exec(location.pathname)?.[0] ?? null
const PAGE = FILES?.replace(/\/~.*/, '') ?? ''

/** A host of the page's own, where everything is the page's. */
const HAS_ORIGIN = self.origin !== 'null'

/** A file of this page by any of its addresses: its path with query and hash; null for others. */
export function ownPath(url: URL): string | null {
  if (url.origin !== location.origin) return null
  const { pathname, search, hash } = url
  const rest = search + hash
  if (FILES !== null && pathname.startsWith(FILES)) return pathname.slice(FILES.length) + rest
  if (pathname === PAGE) return rest
  if (HAS_ORIGIN) return pathname.slice(1) + rest
  const path = pathname.slice(PAGE.length + 1)
  return pathname.startsWith(`${PAGE}/`) && !path.startsWith('~') ? path + rest : null
}

/** The address of a path in this frame. */
export function framedUrl(path: string): string {
  return location.origin + FILES + path
}

/** Opened by itself, as a browser that tells the server nothing can do: go where people go. */
export function leaveWindow(): void {
  location.replace(`${PAGE}/${ownPath(new URL(location.href)) ?? ''}`)
}
