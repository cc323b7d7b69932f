/** What somebody names a page by, and of a whole link also the origin it leads to. */
export interface PageName {
  idOrSlug: string
  origin: string | null
}

/** Of `pg_…`, `launch-plan`, or `https://pages.example.com/p/launch-plan/slides.html`. */
export function parsePageName(given: string): PageName {
  const text = given.trim()
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null) return { idOrSlug: text, origin: null }
  const [, slug = ''] = /^\/p\/([^/]+)/.exec(url.pathname) ?? []
  return { idOrSlug: slug, origin: url.origin }
}

/** Whether an id or a slug may look like this. Nothing else is put into an address to ask for. */
export function isPageName(text: string): boolean {
  return /^[\w-]{1,63}$/.test(text)
}
