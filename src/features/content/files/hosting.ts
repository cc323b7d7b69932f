import { bufferOf } from '../html/bytes.ts'

/** What a deck's `_redirects` and `_headers` say, as Netlify reads them. Honoured on its own host. */
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

export const HOSTING_FILES = ['_redirects', '_headers']

const MAX_BYTES = 64 * 1024
const MAX_RULES = 1000
const MAX_LINE_CHARS = 2000

/** @returns null where there is no rule; what is none, or needs more than a static host, is left out */
export function readHosting(files: Map<string, Uint8Array>): Hosting | null {
  const redirects = linesOf(files.get('_redirects')).flatMap((line) => readRedirect(line) ?? [])
  const headers = readHeaders(linesOf(files.get('_headers')))
  if (redirects.length + headers.length === 0) return null
  return { redirects: redirects.slice(0, MAX_RULES), headers: headers.slice(0, MAX_RULES) }
}

function linesOf(bytes: Uint8Array = new Uint8Array()): string[] {
  const text = bufferOf(bytes.subarray(0, MAX_BYTES))
    .toString()
    .replace(/^\ufeff/, '')
  return text.split(/\r?\n/).filter((line) => line.length <= MAX_LINE_CHARS)
}

const STATUSES = new Set([200, 301, 302, 303, 307, 308, 404])

function readRedirect(line: string): RedirectRule | null {
  const [from = '', to = '', code = '301', ...conditions] = line
    .replace(/(?:^|\s)#.*$/, '')
    .trim()
    .split(/\s+/)
  const status = Number.parseInt(code, 10)
  const isRule = /^\/(?!\/)/.test(from) && /^\d{3}!?$/.test(code) && STATUSES.has(status)
  if (!isRule || conditions.length > 0 || from.slice(0, -1).includes('*')) return null
  const isShown = status === 200 || status === 404
  if (!/^\/(?![/\\])/.test(to) && (isShown || !isWebAddress(to))) return null
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
  'cross-origin-resource-policy': /^(?:same-origin|same-site|cross-origin)$/,
  'content-language': /^[\w\-, ]{1,100}$/,
  'permissions-policy': /^[\x20-\x7e]{1,1000}$/,
}

function readHeaders(lines: readonly string[]): HeaderRule[] {
  const rules: HeaderRule[] = []
  let path: string | null = null
  for (const line of lines) {
    if (/^\s*(?:#|$)/.test(line)) continue
    if (!/^\s/.test(line)) {
      path = /^\/\S*$/.test(line.trim()) ? line.trim() : null
      continue
    }
    const [, name = '', value = ''] = /^\s+([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    const rule = { name: name.toLowerCase(), value }
    if (path !== null && SAFE_HEADERS[rule.name]?.test(value)) rules.push({ path, ...rule })
  }
  return rules
}

/**
 * Matches a path with a rule's.
 * @param path with its slash, decoded
 * @returns what its names stand for; null where it does not match
 */
export function matchRule(pattern: string, path: string): Map<string, string> | null {
  const values = new Map<string, string>()
  const isOpen = pattern.endsWith('*')
  const wanted = trimmed(isOpen ? pattern.slice(0, -1) : pattern).split('/')
  const parts = trimmed(path).split('/')
  if (isOpen ? parts.length < wanted.length : parts.length !== wanted.length) return null
  for (const [at, part] of wanted.entries()) {
    const own = parts[at] ?? ''
    if (/^:\w+$/.test(part) && own !== '') values.set(part.slice(1), own)
    else if (part !== own && decoded(part) !== own) return null
  }
  if (isOpen) values.set('splat', parts.slice(wanted.length).join('/'))
  return values
}

function trimmed(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
