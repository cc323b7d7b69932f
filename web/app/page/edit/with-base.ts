/** The HTML with a base address, so that its relative addresses resolve to it. */
export function withBase(html: string, href: string): string {
  const base = `<base href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
  const start = /^\s*(?:<!doctype[^>]*>)?\s*(?:<html(?:\s[^>]*)?>)?\s*(?:<head(?:\s[^>]*)?>)?/i
  return html.replace(start, (found) => found + base)
}

/** The address of a file below that of a preview, which is the address of its entry. */
export function addressBelow(preview: string, entry: string, path: string): string {
  const encoded = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  const root = preview.endsWith(encoded(entry))
    ? preview.slice(0, -encoded(entry).length)
    : new URL('.', preview).href
  return root + encoded(path)
}
