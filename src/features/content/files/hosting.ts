import { percentDecoded } from '../../../model/page-name.ts'
import { bufferOf } from '../html/bytes.ts'
import { type ReleaseWarning, warn } from '../warnings.ts'

/** What a deck's `_redirects` and `_headers` say, as Netlify reads them, for its own host. */
export interface Hosting {
  redirects: RedirectRule[]
  headers: HeaderRule[]
}

export interface RedirectRule {
  /** A path with `:name` for a part and `*` at its end for the rest. */
  from: string
  /** A path of the page's host, or an address of http(s), with the same names and `:splat`. */
  to: string
  /** 200 and 404 show the file of the path. */
  status: number
  /** Also where a file has that path. */
  is_forced: boolean
}

export interface HeaderRule {
  path: string
  /** In lower case. */
  name: string
  value: string
}

const REDIRECTS = '_redirects'
export const HEADERS = '_headers'
export const HOSTING_FILES = [REDIRECTS, HEADERS]
/** The documents that answer for paths which no file has. */
export const NOT_FOUND_FILE = '404.html'
export const FALLBACK_FILE = '200.html'

const MAX_BYTES = 64 * 1024
const MAX_RULES = 1000
const MAX_LINE_CHARS = 2000
const TOO_LONG = 'it is too long'

/**
 * @returns the rules, null where there is none; and a warning for each line that a static host does
 *   not follow, or not this one
 */
export function readHosting(files: ReadonlyMap<string, Uint8Array>): {
  hosting: Hosting | null
  warnings: ReleaseWarning[]
} {
  const hosting: Hosting = { redirects: [], headers: [] }
  const warnings: ReleaseWarning[] = []
  function keep<R>(rules: R[], rule: R | string, { path, line }: Place) {
    const outcome = rules.length < MAX_RULES ? rule : `a file may have ${MAX_RULES} rules`
    if (typeof outcome !== 'string') rules.push(outcome)
    else warnings.push({ ...warn('ignored_rule', line, outcome), path })
  }
  for (const { text, ...place } of linesOf(REDIRECTS, files)) {
    keep(hosting.redirects, readRedirect(text), place)
  }
  let section = ''
  for (const { text, ...place } of linesOf(HEADERS, files)) {
    if (/^\S/.test(text)) section = text.trim()
    else keep(hosting.headers, readHeader(text, section), place)
  }
  const isEmpty = hosting.redirects.length + hosting.headers.length === 0
  return { hosting: isEmpty ? null : hosting, warnings }
}

interface Place {
  path: string
  line: number
}

/** The lines that are neither blank nor comments. */
function linesOf(path: string, files: ReadonlyMap<string, Uint8Array>) {
  const bytes = files.get(path) ?? new Uint8Array()
  const lines = bufferOf(bytes.subarray(0, MAX_BYTES))
    .toString()
    .replace(/^\ufeff/, '')
  return lines.split(/\r?\n/).flatMap((text, at) => {
    return /^\s*(?:#|$)/.test(text) ? [] : [{ text, path, line: at + 1 }]
  })
}

const SHOWN = new Set([200, 404])
const STATUSES = new Set([...SHOWN, 301, 302, 303, 307, 308])

/** @returns the rule, or why it is not followed */
function readRedirect(line: string): RedirectRule | string {
  if (line.length > MAX_LINE_CHARS) return TOO_LONG
  const [from = '', to = '', code = '301', ...conditions] = line
    .replace(/(?:^|\s)#.*$/, '')
    .trim()
    .split(/\s+/)
  const status = Number.parseInt(code, 10)
  if (!/^\/(?!\/)/.test(from)) return 'the path to lead away from does not start with /'
  if (from.slice(0, -1).includes('*')) return '* stands for the rest, at the end of a path alone'
  if (!/^\d{3}!?$/.test(code) || !STATUSES.has(status)) {
    return `its status is none of ${[...STATUSES].join(', ')}`
  }
  if (conditions.length > 0) return 'it has conditions, which need a server'
  const isOwn = /^\/(?![/\\])/.test(to)
  if (!isOwn && SHOWN.has(status)) return 'it shows another host, which needs a proxy'
  if (!isOwn && !isWebAddress(to)) return 'it leads neither to a path nor to an http address'
  return { from, to, status, is_forced: code.endsWith('!') }
}

/** Its host stands in it: no part of a request becomes one. */
function isWebAddress(to: string): boolean {
  return /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?#]|$)/i.test(to) && URL.canParse(to)
}

/**
 * The headers that an author may set, and their values. None lets another page read, frame or
 * embed this one, or run without what isolates it.
 */
const SAFE_HEADERS: Record<string, RegExp> = {
  'cache-control': /^[\w\-=, ]{1,200}$/,
  'cross-origin-opener-policy': /^(?:same-origin|same-origin-allow-popups|noopener-allow-popups)$/,
  'cross-origin-embedder-policy': /^(?:require-corp|credentialless|unsafe-none)$/,
  'cross-origin-resource-policy': /^same-origin$/,
}

/** @returns the rule, or why it is not followed */
function readHeader(line: string, path: string): HeaderRule | string {
  if (path.length + line.length > MAX_LINE_CHARS) return TOO_LONG
  const [, header = '', value = ''] = /^\s+([\w-]+)\s*:\s*(\S.*)$/.exec(line.trimEnd()) ?? []
  const name = header.toLowerCase()
  if (!/^\/\S*$/.test(path)) return 'it belongs to no path that starts with /'
  if (!Object.hasOwn(SAFE_HEADERS, name)) return 'only Cache-Control, COOP, COEP and CORP are sent'
  return SAFE_HEADERS[name]!.test(value) ? { path, name, value } : `${name} cannot have this value`
}

/**
 * Matches a path with a rule's.
 * @param parts of the path, by `partsOf`
 * @returns what its names stand for; null where it does not match
 */
export function matchRule(pattern: string, parts: readonly string[]): Map<string, string> | null {
  const values = new Map<string, string>()
  const isOpen = pattern.endsWith('*')
  const expected = partsOf(isOpen ? pattern.slice(0, -1) : pattern)
  if (isOpen ? parts.length < expected.length : parts.length !== expected.length) return null
  for (const [at, part] of expected.entries()) {
    const own = parts[at] ?? ''
    if (/^:\w+$/.test(part) && own !== '') values.set(part.slice(1), own)
    else if (part !== own && percentDecoded(part) !== own) return null
  }
  if (isOpen) values.set('splat', parts.slice(expected.length).join('/'))
  return values
}

/** @param path with its slash, decoded; one at its end does not count */
export function partsOf(path: string): string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
}
