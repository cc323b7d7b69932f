/** A reference to a page. A complete link also has an origin. */
export interface PageName {
  idOrSlug: string
  origin: string | null
}

/** Parses `pg_…`, `launch-plan` or `https://pages.example.com/p/launch-plan/slides.html`. */
export function parsePageName(name: string): PageName {
  const text = name.trim()
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null) return { idOrSlug: text, origin: null }
  const [, slug = ''] = /^\/p\/([^/]+)/.exec(url.pathname) ?? []
  return { idOrSlug: slug, origin: url.origin }
}

/** Whether the text has the form of an id or a slug. Other text is never put into a URL. */
export function isPageName(text: string): boolean {
  return /^[\w-]{1,63}$/.test(text)
}

/**
 * Whether the first part of a path below a page belongs to addresses of the service: `~` alone, or
 * with a token, which has dots. `~user` is a folder of the deck. Browser-safe.
 */
export function isOfService(path: string): boolean {
  return /^~(?:$|\/|[^/]*\.)/.test(path)
}

/** What the token of a preview address begins with: `/p/{slug}/~preview-…/{path}`. */
export const PREVIEW_TOKENS = 'preview-'

/** Text without its percent-encoding, as in an address; null where that is malformed. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
