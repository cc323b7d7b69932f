import type { OpenPage } from '../../../features/pages/index.ts'

/** Further paths are looked up each time: an app answers any path of its own. */
const MAX_PATHS = 1000

/**
 * Caches the file that `find` finds at each path, until the page changes. What it finds at null,
 * the page itself, is cached in any case; elsewhere only files are, since a page has no end of
 * paths without one.
 */
export function createPageFiles<Path extends string | null, File extends object>(
  find: (publishedPage: OpenPage, path: Path) => File | null,
) {
  const pages = new WeakMap<OpenPage, Map<Path, File | null>>()

  return (publishedPage: OpenPage, path: Path): File | null => {
    let files = pages.get(publishedPage)
    if (files === undefined) {
      files = new Map()
      pages.set(publishedPage, files)
    }
    const known = files.get(path)
    if (known !== undefined) return known
    const found = find(publishedPage, path)
    if (path === null || (found !== null && files.size < MAX_PATHS)) files.set(path, found)
    return found
  }
}
