import {
  decodedPath,
  FALLBACK_FILE,
  HOSTING_FILES,
  matchRule,
  NOT_FOUND_FILE,
  partsOf,
  type Release,
  type ReleaseFile,
} from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { encodePath, type PathResource, type Target } from './paths.ts'

/** The meaning of a path on the page's own host. */
export type StaticResource =
  | { kind: 'file'; file: ReleaseFile; status: 200 | 404 }
  /** An address of the page's host, or of the web where its `_redirects` say so. */
  | { kind: 'redirect'; location: string; status: number }
  | { kind: 'nothing' }

type Redirect = Extract<StaticResource, { kind: 'redirect' }>

const NOTHING: StaticResource = { kind: 'nothing' }
/** A chain of rules that is longer leads nowhere. */
const MAX_REDIRECTS = 10
/** The characters of addresses that are written by the rules for one path: they may repeat it. */
const MAX_WRITTEN = 50_000

/**
 * Finds the file of a path as static hosts do: `/` is the entry; `/about` is `about.html`, or leads
 * to `/about/` where that folder has an `index.html`; then the rules of `_redirects` apply. For
 * what no file has, the answer is the page's `fallback`, `200.html`, the only document of an app
 * that has no `404.html`, or else `404.html`.
 *
 * @param path decoded, without the leading slash
 */
export function resolveStatic(openPage: OpenPage, path: string): StaticResource {
  const { page, release, files } = openPage
  if (release.file_name !== null) return NOTHING
  const forced = byRules(openPage, path, true)
  if (forced !== null) return forced
  const own = resolveFile(openPage, path)
  if (own !== null) return own
  const ruled = byRules(openPage, path, false)
  if (ruled !== null) return ruled
  const route = page.settings.fallback ?? onlyDocument(release)
  const routed = /\.[^./]*$/.test(path) ? undefined : files.get(route ?? '')
  const fallback = routed ?? files.get(FALLBACK_FILE)
  if (fallback !== undefined) return { kind: 'file', file: fallback, status: 200 }
  const lost = files.get(NOT_FOUND_FILE)
  return lost === undefined ? NOTHING : { kind: 'file', file: lost, status: 404 }
}

/** Null where no file has the path. The files with the rules of the host are for nobody to read. */
function resolveFile(
  { release, files }: Pick<OpenPage, 'release' | 'files'>,
  path: string,
): StaticResource | null {
  const { entry } = release
  if (HOSTING_FILES.includes(path)) return null
  // Relative references of an entry in a folder start at that folder.
  if (path === '' && entry.includes('/')) return redirectTo(encodePath(entry))
  const isFolder = path.endsWith('/')
  const names = path === '' ? [entry] : isFolder ? [`${path}index.html`] : [path, `${path}.html`]
  const file = names.map((name) => files.get(name)).find((each) => each !== undefined)
  if (file !== undefined) return { kind: 'file', file, status: 200 }
  const hasIndex = !isFolder && files.has(`${path}/index.html`)
  return hasIndex ? redirectTo(`${encodePath(path)}/`) : null
}

/** The only document of an app: it handles all routes, so that each can be reloaded. */
function onlyDocument({ entry, files, is_active: isActive }: Release): string | null {
  const isOnly = !files.some(({ path, html }) => html !== null && path !== entry)
  return isActive && isOnly ? entry : null
}

/** What the first rule for the path says; null where none holds, or rules lead in a circle. */
function byRules(openPage: OpenPage, path: string, isForced: boolean): StaticResource | null {
  const first = applyRule(openPage, path, isForced)
  if (first?.kind !== 'redirect') return first
  const visited = new Set([`/${path}`])
  let next: StaticResource | null = first
  while (next?.kind === 'redirect' && next.location.startsWith('/')) {
    const at = pathOf(next.location)
    if (visited.has(at) || visited.size > MAX_REDIRECTS) return null
    visited.add(at)
    const own = at.slice(1)
    const isFile = resolveFile(openPage, own) !== null
    next = applyRule(openPage, own, true) ?? (isFile ? null : applyRule(openPage, own, false))
  }
  return first
}

function applyRule(
  { release, files }: OpenPage,
  path: string,
  isForced: boolean,
): StaticResource | null {
  const rules = release.hosting?.redirects ?? []
  if (rules.length === 0) return null
  const parts = partsOf(`/${path}`)
  let budget = MAX_WRITTEN
  for (const { from, to, status, is_forced } of rules) {
    const values = is_forced === isForced ? matchRule(from, parts) : null
    if (values === null) continue
    budget -= to.split(':').length * path.length
    if (budget < 0) return null
    const location = ownOrWeb(
      to.replace(/:(\w+)/g, (name, key: string) => {
        const value = values.get(key)
        return value === undefined ? name : encodePath(value)
      }),
    )
    if (location === null) continue
    if (status !== 200 && status !== 404) return { kind: 'redirect', location, status }
    const target = resolveFile({ release, files }, pathOf(location).slice(1))
    if (target?.kind === 'file') return { ...target, status }
  }
  return null
}

/** @returns the address of the page's host as a path; null for one that is neither */
function ownOrWeb(address: string): string | null {
  if (!address.startsWith('/')) return URL.canParse(address) ? address : null
  // Two slashes would begin the name of another host.
  const url = URL.parse(address.replace(/^[/\\]+/, '/'), 'http://own.invalid')
  if (url === null || url.host !== 'own.invalid') return null
  const { pathname, search, hash } = url
  return pathname.replace(/^\/+/, '/') + search + hash
}

function pathOf(location: string): string {
  return decodedPath(new URL(location, 'http://own.invalid').pathname)
}

/**
 * The meaning of a path below a frame token on the page's own host: the same as at the root. The
 * page's `404.html` is for documents: what scripts load finds nothing. Null for no such path.
 */
export function resolveInFrame(
  publishedPage: OpenPage,
  { slug, path, frameToken, query }: Target,
  isDocument: boolean,
): PathResource | null {
  const resource = resolveStatic(publishedPage, path ?? '')
  if (resource.kind === 'redirect') {
    const base = resource.location.startsWith('/') ? `/p/${slug}/~${frameToken}` : ''
    return { kind: 'redirect', location: base + withQuery(resource.location, query) }
  }
  if (resource.kind === 'nothing') return null
  return resource.status === 200 || isDocument ? resource : null
}

/** The query of a request goes with a redirect, unless the address has one. */
export function withQuery(location: string, query: string): string {
  const [address = '', ...fragment] = location.split('#')
  return [address.includes('?') ? address : address + query, ...fragment].join('#')
}

/**
 * The document that a path leads to on the page's own host, so that a browser is sent there; null
 * if the page has none.
 */
export function staticDocument(openPage: OpenPage, path: string): ReleaseFile | null {
  const resource = resolveStatic(openPage, path)
  if (resource.kind === 'nothing') return null
  const { files, release } = openPage
  const file =
    resource.kind === 'file'
      ? resource.file
      : (files.get(`${path}/index.html`) ?? files.get(release.entry))
  const isDocument = file?.html != null || /\bxml\b/.test(file?.mime ?? '')
  return isDocument ? file! : null
}

/**
 * The headers that the page's `_headers` give to a file, at its own path or the short one. In a
 * frame no file is taken out of what isolates the others: an isolated document of ours shows none.
 */
export function hostedHeaders(
  { release }: OpenPage,
  file: ReleaseFile,
  isFramed: boolean,
): Record<string, string> {
  const short = file.path.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')
  const paths = [`/${file.path}`, ...(file.html === null ? [] : [`/${short}`])].map(partsOf)
  const rules = release.hosting?.headers ?? []
  const own = rules.filter(({ path, value }) => {
    if (isFramed && value === 'unsafe-none') return false
    return paths.some((each) => matchRule(path, each) !== null)
  })
  return Object.fromEntries(own.map(({ name, value }) => [name, value]))
}

/**
 * Whether all files of the page ask to be isolated, as `SharedArrayBuffer` needs it: then the
 * document of ours around them has to be isolated, too.
 */
export function isIsolated({ release }: OpenPage): boolean {
  const rules = release.hosting?.headers ?? []
  return rules.some(({ path, name, value }) => {
    return path === '/*' && name === 'cross-origin-embedder-policy' && value !== 'unsafe-none'
  })
}

function redirectTo(path: string): Redirect {
  return { kind: 'redirect', location: `/${path}`, status: 303 }
}
