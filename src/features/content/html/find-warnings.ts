import { decodeHTMLAttribute } from 'entities/decode'
import { parse } from 'es-module-lexer/minimal'
import { MAX_WARNINGS } from '../../../model/page/warnings.ts'
import { type FoundWarning, warn } from '../warnings.ts'
import { bufferOf, createLineCounter } from './bytes.ts'
import type { CheckReference, ReferenceUse } from './check-reference.ts'
import { scriptKindOf } from './code.ts'
import type { FormFinder } from './forms.ts'
import { rewriteCss, rewriteRefresh, rewriteSrcset } from './rewrite-urls.ts'
import {
  type Attribute,
  attributeText,
  DOCUMENT_ELEMENTS,
  findAttribute,
  hasHandler,
  isMeta,
  type Tag,
  TEXT_ELEMENTS,
} from './tokens.ts'

/** How many references of one file are checked; no page made by hand has as many. */
const MAX_REFERENCES = 20_000
/** Longer values are `data:` URIs. */
const MAX_REFERENCE_BYTES = 4096
/** Longer style attributes and lists of images are not read. */
const MAX_LIST_BYTES = 64 * 1024

/** Collects the references of one file that work for no visitor, each once. */
function createReferenceWarnings(checkReference: CheckReference) {
  const certain = new Map<string, FoundWarning>()
  const uncertain = new Map<string, FoundWarning>()
  let count = 0
  return {
    isDead: (url: string) => count++ < MAX_REFERENCES && checkReference(url, 'load') !== null,
    check(reference: string, use: ReferenceUse, line: () => number) {
      if (count >= MAX_REFERENCES || certain.size === MAX_WARNINGS) return
      count++
      const dead = checkReference(reference, use)
      if (dead === null) return
      const group = dead.isCertain ? certain : uncertain
      const subject = dead.subject ?? reference.trim()
      if (group.has(subject) || group.size === MAX_WARNINGS) return
      group.set(subject, warn(dead.code, line(), subject))
    },
    result: (withUncertain: boolean): FoundWarning[] => [
      ...new Map([...certain, ...(withUncertain ? uncertain : [])]).values(),
    ],
  }
}
type ReferenceWarnings = ReturnType<typeof createReferenceWarnings>

/** Finds what will not work for visitors in a style sheet. */
export function findCssWarnings(bytes: Uint8Array, check: CheckReference): FoundWarning[] {
  const references = createReferenceWarnings(check)
  checkCss(bufferOf(bytes).toString(), references, 1)
  return references.result(true)
}

function checkCss(css: string, references: ReferenceWarnings, firstLine: number): void {
  const lineOf = createLineCounter((at) => css.indexOf('\n', at), firstLine)
  let rule = { end: 0, isFont: false, references: [] as { url: string; at: number }[] }
  function endRule() {
    // Of the files of a font, a browser loads the first that it can: it needs only one of them.
    if (rule.isFont && rule.references.some(({ url }) => !references.isDead(url))) return
    for (const { url, at } of rule.references) references.check(url, 'load', () => lineOf(at))
  }
  rewriteCss(css, (url, at) => {
    if (OF_OFFICE.test(css.slice(Math.max(0, at - 64), at))) return null
    if (at > rule.end) {
      endRule()
      const start = css.slice(rule.end, at)
      const isFont = start.lastIndexOf('@font-face') > start.lastIndexOf('}')
      const end = css.indexOf('}', at)
      rule = { end: end < 0 ? css.length : end, isFont, references: [] }
    }
    rule.references.push({ url, at })
    return null
  })
  endRule()
}

/** A property that Office alone reads, as in what Word saves. */
const OF_OFFICE = /\bmso-[\w-]{1,40}\s{0,4}:\s{0,4}url\(["']?$/

/** A module does not run at all where one of its imports is missing. */
function checkImports(source: string, references: ReferenceWarnings, firstLine: number): void {
  const lineOf = createLineCounter((at) => source.indexOf('\n', at), firstLine)
  for (const { n: name = '', s: at, d: dynamicAt } of importsOf(source)) {
    // Other names are those of an import map.
    const isAddress = dynamicAt < 0 && /^\.{0,2}\//.test(name)
    if (isAddress) references.check(name, 'load', () => lineOf(at))
  }
}

// The lexer's memory grows to about ten times its longest source and is never freed.
const MAX_MODULE_CHARS = 8 * 1024 * 1024

/** None in a script that cannot be parsed. */
function importsOf(source: string) {
  if (source.length > MAX_MODULE_CHARS || !/import|export/.test(source)) return []
  try {
    return parse(source)[0]
  } catch {
    return []
  }
}

/**
 * Finds what will not work for visitors in an HTML file: certain defects that its bytes show, and
 * never taste. The caller leaves out tags in templates, which scripts fill in.
 */
export function createWarningFinder(buffer: Buffer, check: CheckReference, forms: FormFinder) {
  const lineOf = createLineCounter((at) => buffer.indexOf(10, at))
  const references = createReferenceWarnings(check)
  let [isDocument, hasViewport] = [false, false]
  let [hasBase, hasScript, hasImportMap] = [false, false, false]
  let unclosed: FoundWarning | null = null
  let inside: TextKind | null = null

  function checkAttribute(tag: Tag, attribute: Attribute): void {
    const kind = kindOf(buffer, tag, attribute)
    if (kind === null) return
    const { valueStart, valueEnd } = attribute
    const isList = kind === 'css' || kind === 'srcset'
    if (valueEnd - valueStart > (isList ? MAX_LIST_BYTES : MAX_REFERENCE_BYTES)) return
    const value = decodeHTMLAttribute(buffer.toString('utf8', valueStart, valueEnd))
    function checkOne(url: string): null {
      const use = kind === 'follow' || kind === 'refresh' ? 'follow' : 'load'
      references.check(url, use, () => lineOf(valueStart))
      return null
    }
    if (kind === 'css') rewriteCss(value, checkOne)
    else if (kind === 'srcset') rewriteSrcset(value, checkOne)
    else if (kind === 'refresh') rewriteRefresh(value, checkOne)
    else checkOne(value)
  }

  return {
    /** For each tag, also in templates: they decide where an element ends. */
    anyStartTag(tag: Tag) {
      inside = null
      if (tag.namespace !== 'html' || !TEXT_ELEMENTS.has(tag.name) || tag.name === 'plaintext')
        return
      unclosed = warn('unclosed_element', lineOf(tag.start), tag.name)
    },
    startTag(tag: Tag) {
      hasScript ||= tag.name === 'script' || hasHandler(tag)
      if (tag.namespace === 'html') {
        isDocument ||= DOCUMENT_ELEMENTS.has(tag.name)
        hasBase ||= tag.name === 'base' && findAttribute(tag, 'href') !== undefined
        hasViewport ||= isMeta(buffer, tag, 'name', 'viewport')
        // Nobody sees a page that only leads on to another.
        hasViewport ||= isMeta(buffer, tag, 'http-equiv', 'refresh')
      }
      for (const attribute of tag.attributes) checkAttribute(tag, attribute)
      inside = textKindOf(buffer, tag)
      // It gives names of modules, also relative ones, other addresses.
      hasImportMap ||= inside === 'importmap'
    },
    endTag() {
      inside = null
      unclosed = null
    },
    text(start: number, end: number) {
      if (inside === null || inside === 'importmap') return
      const text = buffer.toString('utf8', start, end)
      if (inside === 'style') checkCss(text, references, lineOf(start))
      else {
        hasViewport ||= text.includes('viewport')
        forms.script(text)
      }
      if (inside === 'module' && !hasImportMap) checkImports(text, references, lineOf(start))
    },
    comment(start: number, closed: boolean) {
      const isComment = !closed && buffer.toString('latin1', start, start + 4) === '<!--'
      if (isComment) unclosed = warn('unclosed_comment', lineOf(start))
    },
    doctype() {
      isDocument = true
    },
    result(): FoundWarning[] {
      // A base moves every reference of the document.
      const all = [...(hasBase ? [] : references.result(!hasScript)), ...forms.warnings()]
      if (unclosed !== null) all.push(unclosed)
      all.sort((a, b) => a.line! - b.line!)
      // A fragment gets a default document with a viewport, or is part of another file.
      if (isDocument && !hasViewport) all.unshift(warn('no_viewport', null))
      return all.slice(0, MAX_WARNINGS)
    },
  }
}

type Kind = ReferenceUse | 'css' | 'srcset' | 'refresh'

const LOADING = new Set(
  'img script iframe frame embed audio video source track input image use'.split(' '),
)
const LOADED_RELATIONS = /\b(?:stylesheet|icon|apple-touch-icon|manifest|preload|modulepreload)\b/i

function kindOf(buffer: Buffer, tag: Tag, { name, valueStart, valueEnd }: Attribute): Kind | null {
  if (valueEnd === valueStart) return null
  switch (name) {
    case 'style':
      return 'css'
    case 'srcset':
    case 'imagesrcset':
      return 'srcset'
    case 'src':
    case 'poster':
      return LOADING.has(tag.name) && !isReplaced(tag) ? 'load' : null
    case 'data':
      return tag.name === 'object' ? 'load' : null
    case 'href':
    case 'xlink:href':
      return purposeOfHref(buffer, tag)
    case 'content':
      return isMeta(buffer, tag, 'http-equiv', 'refresh') ? 'refresh' : null
    default:
      return null
  }
}

function purposeOfHref(buffer: Buffer, tag: Tag): ReferenceUse | null {
  if (tag.name === 'a' || tag.name === 'area') {
    return hasHandler(tag) ? null : 'follow'
  }
  if (tag.name === 'link') {
    return LOADED_RELATIONS.test(attributeText(buffer, tag, 'rel') ?? '') ? 'load' : null
  }
  return tag.namespace === 'svg' && LOADING.has(tag.name) ? 'load' : null
}

/** The page shows something else where it cannot load this. */
function isReplaced(tag: Tag): boolean {
  return tag.attributes.some(({ name }) => name === 'onerror' || name === 'srcdoc')
}

type TextKind = 'style' | 'script' | 'module' | 'importmap'

function textKindOf(buffer: Buffer, tag: Tag): TextKind | null {
  if (tag.name === 'style') return 'style'
  if (tag.name !== 'script' || findAttribute(tag, 'src') !== undefined) return null
  const kind = scriptKindOf(attributeText(buffer, tag, 'type'))
  if (kind === 'module' || kind === 'importmap') return kind
  return kind === 'json' ? null : 'script'
}
