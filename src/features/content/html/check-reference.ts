import { isSourceCode } from '../../../model/file-types.ts'
import { percentDecoded } from '../../../model/page-name.ts'
import { createResolver, type Deck } from './deck-links.ts'

/** Where a reference stands. */
export interface ReferringFile {
  /** The path of the file in its deck. */
  path: string
  /** Null for a single page, which has no other files. */
  deck: Deck | null
}

/** What a browser does with a reference: load it with the page, or follow it when it is clicked. */
export type ReferenceUse = 'load' | 'follow'

interface DeadReference {
  code: 'missing_file' | 'local_address' | 'source_file' | 'wrong_base'
  /** What the warning names, where it is not the reference itself. */
  subject?: string
  /** False where a script of the page might answer the click instead of the browser. */
  isCertain: boolean
}

export type CheckReference = (reference: string, use: ReferenceUse) => DeadReference | null

/**
 * Finds references that work for no visitor: to a file that was not published, or to the author's
 * own computer. Whatever may lead somewhere, such as to another page of the service, is left alone.
 */
export function createReferenceCheck({ path: own, deck }: ReferringFile): CheckReference {
  const isMissing = deck === null ? isBesideSingle : createMissingCheck(own, deck)
  return (reference, use) => {
    const url = reference.replace(/[\t\r\n]/g, '').trim()
    if (LOCAL.test(url)) return { code: 'local_address', isCertain: true }
    if (url === '' || OTHER.test(url) || PLACEHOLDER.test(url)) return null
    const path = url.split(/[?#]/, 1)[0]!.replaceAll('\\', '/')
    if (OF_SERVICE.test(path) || !isMissing(path, use)) return null
    if (use === 'load' && isSourceCode(path)) return { code: 'source_file', isCertain: true }
    const isCertain = use === 'load' || EXTENSION.test(path)
    const base = deck === null ? undefined : baseOf(path, deck)
    return base
      ? { code: 'wrong_base', subject: base, isCertain }
      : { code: 'missing_file', isCertain }
  }
}

/** `file:`, a drive letter, or a host that is each computer's own name for itself. */
const LOCAL = new RegExp(
  [
    String.raw`^(?:file:|[a-z]:[\\/]|(?:https?:|wss?:)?//(?:[^/?#@]*@)?`,
    String.raw`(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?![\w.-]))`,
  ].join(''),
  'i',
)
/** Another scheme or host, or a place in the same document. */
const OTHER = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|[?#])/i
/** A script or a template engine fills it in. */
const PLACEHOLDER = /[{}<>`]|%[{%]|\$\$/
/** Another page of the service, or a file of the service itself. */
const OF_SERVICE = /^(?:\/|(?:\.\.\/)+)(?:p\/|~\/|$)/
const EXTENSION = /\.[a-z0-9]{1,8}$/i

/** A link of one segment without extension may be to another page: `/p/{slug}`. */
function isBesideSingle(path: string, use: ReferenceUse): boolean {
  // A path of dots and slashes is the folder itself.
  return use === 'load' ? !/^[./]*$/.test(path) : !isPerhapsPage(path.replace(/^\.\//, ''))
}

function isPerhapsPage(path: string): boolean {
  return /^(?:\.\.\/?)*[^./]*\/?$/.test(path) && !path.startsWith('/')
}

function createMissingCheck(own: string, { paths }: Deck) {
  const resolve = createResolver(own)
  return (path: string, use: ReferenceUse): boolean => {
    const target = resolve(path.replace(/\/+/g, '/'))
    // Out of the deck is perhaps another page, which has its own files.
    if (target === null) return use === 'load' || !isPerhapsPage(path)
    const file = percentDecoded(target)?.normalize('NFC') ?? null
    return file !== null && !answers(paths, file)
  }
}

/** The folder of a host that a site was built for, where the deck has the rest of the path. */
function baseOf(path: string, { paths }: Deck): string | undefined {
  const [, base, rest = ''] = /^(\/[^/]+\/)(.+)$/.exec(path) ?? []
  const file = percentDecoded(rest)?.normalize('NFC') ?? null
  return file !== null && answers(paths, file) ? base : undefined
}

/** Whether the deck shows something there, at the page's address or on a host of its own. */
function answers(paths: ReadonlySet<string>, path: string): boolean {
  if (path === '' || paths.has(path)) return true
  const folder = path.endsWith('/') ? path : `${path}/`
  return paths.has(`${folder}index.html`) || paths.has(`${path}.html`)
}
