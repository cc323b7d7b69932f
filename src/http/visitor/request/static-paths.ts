import type { Release, ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { encodePath } from './paths.ts'

/** The meaning of a path on the page's own host. */
export type StaticResource =
  | { kind: 'file'; file: ReleaseFile; status: 200 | 404 }
  /** Without the query. */
  | { kind: 'redirect'; location: string }
  | { kind: 'nothing' }

const NOTHING: StaticResource = { kind: 'nothing' }
const NOT_FOUND_FILE = '404.html'

/**
 * Finds the file of a path as static hosts do: `/` is the entry, `/about` is `about.html` or the
 * folder `about/`, the page's `fallback` is every path without an extension that no file has, and
 * `404.html` is the answer for missing files. An app of one document that routes by the path, and
 * has no `404.html`, is its own fallback.
 *
 * @param path decoded, without the leading slash
 */
export function resolveStatic({ page, release, files }: OpenPage, path: string): StaticResource {
  if (release.file_name !== null) return NOTHING
  const { entry, kind } = release
  const found = (name: string, status: 200 | 404 = 200): StaticResource | null => {
    const file = files.get(name)
    return file === undefined ? null : { kind: 'file', file, status }
  }
  if (path === '') {
    // Relative references of an entry in a folder start at that folder.
    return entry.includes('/') ? redirectTo(encodePath(entry)) : (found(entry) ?? NOTHING)
  }
  const route = page.settings.fallback ?? routerEntry(release)
  if (kind === 'single' && path !== entry && route === null) return NOTHING
  const isFolder = path.endsWith('/')
  const exact =
    found(isFolder ? `${path}index.html` : path) ?? (isFolder ? null : found(`${path}.html`))
  if (exact !== null) return exact
  if (!isFolder && files.has(`${path}/index.html`)) return redirectTo(`${encodePath(path)}/`)
  const isRoute = !/\.[^./]*$/.test(path)
  const routed = isRoute ? found(route ?? '') : null
  return routed ?? found(NOT_FOUND_FILE, 404) ?? NOTHING
}

/** The only document of an app with a router. It handles all routes, so each can be reloaded. */
function routerEntry({ entry, files, needs_origin: needs }: Release): string | null {
  if (!needs.includes('router')) return null
  return files.some(({ path, html }) => html !== null && path !== entry) ? null : entry
}

/**
 * The document that a path redirects to on the page's own host; null if the page has none there.
 */
export function staticDocument(publishedPage: OpenPage, path: string): ReleaseFile | null {
  const resource = resolveStatic(publishedPage, path)
  const { files, release } = publishedPage
  const file =
    resource.kind === 'redirect'
      ? files.get(path === '' ? release.entry : `${path}/index.html`)
      : resource.kind === 'file'
        ? resource.file
        : undefined
  return file?.html == null ? null : file
}

function redirectTo(path: string): StaticResource {
  return { kind: 'redirect', location: `/${path}` }
}
