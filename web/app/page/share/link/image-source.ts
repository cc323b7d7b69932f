/** Where the image of a preview is: a file of the page, or on another server. */
export type ImageSource = { path: string } | { host: string }

/**
 * Finds the image of a preview as a chat program does, which knows the address of the page alone.
 * @param entry the path of the file that a deck opens with
 * @returns null where the address leads to no image that it would load
 */
export function imageSourceOf(
  image: string | null,
  pageUrl: string,
  entry: string | null = null,
): ImageSource | null {
  const base = entry === null ? pageUrl : `${pageUrl}/${entry}`
  if (image === null || !URL.canParse(image, base)) return null
  const page = new URL(pageUrl)
  const { protocol, origin, host, pathname } = new URL(image, base)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const folder = `${page.pathname}/`
  if (origin !== page.origin || !pathname.startsWith(folder)) return { host }
  const path = decoded(pathname.slice(folder.length))
  return path === null || path === '' ? null : { path }
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
