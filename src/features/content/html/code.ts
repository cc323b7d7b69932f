import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import { isSourceCode } from '../../../model/file-types.ts'
import { pathInDeck } from '../../../model/markdown/source.ts'
import { SANDBOX_POLYFILLS, type SandboxPolyfill } from '../../../model/sandbox-polyfills.ts'
import { type FoundWarning, warn } from '../warnings.ts'
import { bufferOf, createLineCounter } from './bytes.ts'
import type { CheckReference, ReferringFile } from './check-reference.ts'
import { type DocumentNeeds, findScriptNeeds } from './origin-needs.ts'
import {
  type Attribute,
  attributeText,
  findAttribute,
  isMeta,
  keyword,
  type Tag,
} from './tokens.ts'

export interface ScriptFacts {
  collects_responses: boolean
  uses_storage: boolean
  /** What it needs of our scripts in the sandbox. */
  mends: SandboxPolyfill[]
}

/** What a browser does with a script element. It ignores `other`, which libraries often run. */
type ScriptKind = 'classic' | 'module' | 'importmap' | 'json' | 'other'

const JAVASCRIPT =
  /^(?:application|text)\/(?:x-)?(?:java|ecma)script$|^text\/(?:javascript1\.\d|jscript)$/

/** @param type the element's `type` attribute; null where there is none */
export function scriptKindOf(type: string | null): ScriptKind {
  const name = (type ?? '').trim().toLowerCase()
  if (name === '' || JAVASCRIPT.test(name)) return 'classic'
  if (name === 'module' || name === 'importmap') return name
  return name === 'speculationrules' || /[/+]json$/.test(name) ? 'json' : 'other'
}

/** Finds the facts of a `.js` file. */
export function scanScript(bytes: Uint8Array, deck: ReferringFile['deck'] = null) {
  const text = bufferOf(bytes).toString()
  return { ...factsOf(text), origin: findScriptNeeds({ text, firstLine: 1 }, deck?.paths ?? null) }
}

// Any mention counts: scripts reach storage through `window['localStorage']`, by destructuring, or
// with an inlined library. A page that is given storage and does not use it costs little.
const STORAGE = /(?:local|session)Storage|indexedDB/

// Scripts reach the document by other names, too: the name of the member counts.
const COOKIE = new RegExp(
  [
    String.raw`\.\s{0,99}cookie\b`,
    String.raw`\[\s{0,99}["'\x60]cookie["'\x60]`,
    String.raw`\bdocument\s{0,9},\s{0,9}["'\x60]cookie["'\x60]`,
    String.raw`\bcookie\b[^{}]{0,99}\}\s{0,9}=\s{0,9}[\w$.\s]{0,40}\bdocument\b`,
  ].join('|'),
)

// `Service.submit(`, on its own or as a member of the window but of no other object. No repetition
// can match what follows it, so that matching takes linear time.
const SUBMIT = new RegExp(
  [
    String.raw`(?<![\w$.\x80-\uffff])(?:(?:window|globalThis|self|top|parent|frames)\s*\??\.\s*)?`,
    String.raw`Service\s*(?:\??\.\s*submit|(?:\?\.\s*)?\[\s*["'\x60]submit["'\x60]\s*\])`,
    String.raw`\s*(?:\?\.\s*)?\(`,
  ].join(''),
)

// A form that a script makes: markup in a string, or the name of the attribute alone.
const FORM = /(?<![\w-])data-service(?![\w-])/

/** No script of ours is in such a document. */
const FRAMED_FORM = /<form\s[^<>]{0,400}\bdata-service(?![\w-])/i

/** A file may be named in any way, so a mention counts. */
const MENDED: Record<SandboxPolyfill, RegExp> = {
  workers: /\bnew\s{1,9}(?:[\w$]{1,40}\.)?Worker\b/,
  sprites: /\.svg#/,
  images: new RegExp(
    String.raw`\b(?:getImageData|toDataURL|toBlob|convertToBlob|createImageBitmap|captureStream|` +
      String.raw`tex(?:Sub)?Image[23]D|copyExternalImageToTexture)\b`,
  ),
  downloads: new RegExp(
    String.raw`\.download\b|["'\x60]download["'\x60]|\bdownload\s{0,9}[:=]|` +
      String.raw`<a\s[^<>]{0,400}\sdownload\b`,
  ),
}

/** Whether scripts in this text may read the pixels of images. */
export function readsPixels(text: string): boolean {
  return MENDED.images.test(text)
}

function factsOf(text: string): ScriptFacts {
  const callsSubmit = text.includes('submit') && SUBMIT.test(text)
  return {
    collects_responses: callsSubmit || (text.includes('data-service') && FORM.test(text)),
    uses_storage:
      STORAGE.test(text) ||
      (text.includes('cookie') && text.includes('document') && COOKIE.test(text)),
    mends: SANDBOX_POLYFILLS.filter((mend) => MENDED[mend].test(text)),
  }
}

/** What a file needs an origin of its own for, and what of it fails without one. */
export interface CodeFacts extends ScriptFacts {
  /** Whether it has a script, a frame or an embedded document, or leads to an SVG document. */
  is_active: boolean
  /** Whether a policy in it may keep its scripts from sending responses. */
  limits_connections: boolean
  origin: DocumentNeeds
  /** The files that it loads as scripts, style sheets or SVG documents, by path, with that type. */
  loads: Map<string, string>
}

const URLS = new Set(['href', 'src', 'action', 'formaction', 'xlink:href'])
const EMBEDDED = new Set('iframe frame frameset embed object applet portal fencedframe'.split(' '))
/** The attributes that lead to documents. */
const DOCUMENTS = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['iframe', 'src'],
  ['frame', 'src'],
  ['embed', 'src'],
  ['object', 'data'],
])
/** A document that browsers show, and that may have scripts. */
const XML_DOCUMENT = /\.(?:svg|xml|xhtml|xht)(?:[?#]|$)/i

/** Collects what is found in the code of one document. */
function createCodeFacts(paths: ReadonlySet<string> | null) {
  const facts = {
    ...{ collects_responses: false, uses_storage: false },
    ...{ is_active: false, limits_connections: false },
    loads: new Map<string, string>(),
  }
  const origin: DocumentNeeds = {
    needs: [],
    warnings: [],
    router: null,
    imports: false,
    root: null,
  }
  const warnings = new Map<string, FoundWarning>()
  const mends = new Set<SandboxPolyfill>()

  /** Of the same subject, only the first counts. */
  function addWarning(warning: FoundWarning): void {
    const key = warning.code + (warning.code === 'root_address' ? '' : warning.subject)
    if (!warnings.has(key)) warnings.set(key, warning)
  }
  return {
    facts,
    origin,
    mends,
    addWarning,
    addScript(text: string): void {
      const script = factsOf(text)
      facts.collects_responses ||= script.collects_responses
      facts.uses_storage ||= script.uses_storage
      for (const mend of script.mends) mends.add(mend)
    },
    addNeeds(text: string, firstLine: number): void {
      const script = findScriptNeeds({ text, firstLine }, paths)
      origin.needs = [...new Set([...origin.needs, ...script.needs])]
      origin.router ??= script.router
      origin.imports ||= script.imports
      script.warnings.forEach(addWarning)
    },
    result(): CodeFacts {
      origin.warnings = [...warnings.values()]
      return { ...facts, mends: SANDBOX_POLYFILLS.filter((mend) => mends.has(mend)), origin }
    },
  }
}

/**
 * Finds what the code of a page does, in its forms, scripts, event handlers and `srcdoc` documents.
 * A form in a template counts: a script will insert it.
 */
export function createCodeFinder(buffer: Buffer, file: ReferringFile, check: CheckReference) {
  const { deck } = file
  const code = createCodeFacts(deck?.paths ?? null)
  const { facts, origin, mends, addWarning, addScript } = code
  const lineOf = createLineCounter((at) => buffer.indexOf(10, at))
  let inside: 'script' | 'svg script' | null = null
  /** The script of an SVG is parsed as ordinary text, with character references and comments. */
  let svgScript: string[] = []
  let namedFrames = 0

  function closeScript() {
    if (inside === null) return
    if (svgScript.length > 0) addScript(decodeHTML(svgScript.join('')))
    svgScript = []
    inside = null
  }
  function scanAttribute({ name, valueStart, valueEnd }: Attribute) {
    const isCode = name.startsWith('on') || name === 'srcdoc'
    facts.is_active ||= isCode
    if (!isCode && !(URLS.has(name) && mayBeScript(buffer, valueStart))) return
    const value = decodeHTMLAttribute(buffer.toString('utf8', valueStart, valueEnd))
    const isScript = isCode || /^[\0- ]*javascript:/i.test(value)
    facts.is_active ||= isScript
    if (isScript) addScript(value)
    const hasForm = name === 'srcdoc' && FRAMED_FORM.test(value)
    if (hasForm) addWarning(warn('framed_form', lineOf(valueStart)))
  }
  function readRoot(tag: Tag, isModule: boolean) {
    const address = attributeText(buffer, tag, tag.name === 'base' ? 'href' : 'src') ?? ''
    const isRoot = deck !== null && /^\/(?!\/)/.test(address)
    const isOwn = tag.name === 'base' || deck?.paths.has(address.slice(1).split(/[?#]/, 1)[0]!)
    if (!isRoot || !isOwn) return
    origin.root ??= { line: lineOf(tag.start), address, is_module: isModule }
  }
  /** A script that is there and no browser runs. Of one that is not, the reference is dead. */
  function readSource(tag: Tag) {
    const address = attributeText(buffer, tag, 'src') ?? ''
    const isOwn = !/^\s*(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)
    if (!isOwn || !isSourceCode(address.split(/[?#]/, 1)[0]!)) return
    if (deck === null || check(address, 'load') !== null) return
    addWarning(warn('source_file', lineOf(tag.start), address))
  }
  function readUse(tag: Tag, attribute: string, mime: string) {
    const path = pathInDeck(attributeText(buffer, tag, attribute) ?? '', file.path)
    if (path !== null && deck?.paths.has(path)) facts.loads.set(path, mime)
  }
  function readDocument(tag: Tag, attribute: string) {
    const address = attributeText(buffer, tag, attribute) ?? ''
    if (!XML_DOCUMENT.test(address) || /^\s*(?:[a-z]+:|\/\/)/i.test(address)) return
    facts.is_active = true
    // Without scripts, an SVG works in the sandbox as well.
    if (/\.svg/i.test(address)) readUse(tag, attribute, 'image/svg+xml')
    else addWarning(warn('needs_origin', lineOf(tag.start), 'A document of XML'))
  }
  function readScript(tag: Tag) {
    const kind = scriptKindOf(attributeText(buffer, tag, 'type'))
    const isRun = kind === 'classic' || kind === 'module'
    facts.is_active ||= isRun
    if (isRun) {
      readSource(tag)
      readUse(tag, 'src', 'text/javascript')
    }
    readRoot(tag, kind === 'module')
    if (kind === 'json' || kind === 'importmap') return
    inside = tag.namespace === 'html' ? 'script' : 'svg script'
  }

  return {
    result(): CodeFacts {
      closeScript()
      return code.result()
    },
    startTag(tag: Tag) {
      closeScript()
      for (const attribute of tag.attributes) scanAttribute(attribute)
      facts.is_active ||= EMBEDDED.has(tag.name)
      // Frames are named for links in one another, as in a workbook that Excel saves.
      if (tag.name === 'frame' && findAttribute(tag, 'name') !== undefined) namedFrames += 1
      if (tag.name === 'frame' && namedFrames === 2) {
        addWarning(warn('needs_origin', lineOf(tag.start), 'A link from one frame to another'))
      }
      if (tag.name === 'form' && findAttribute(tag, 'data-service') !== undefined) {
        facts.collects_responses = true
      }
      if (isMeta(buffer, tag, 'http-equiv', 'content-security-policy')) {
        facts.limits_connections ||= limitsConnections(keyword(buffer, tag, 'content'))
      }
      if (tag.name === 'use' && namesFile(buffer, tag)) mends.add('sprites')
      const document = DOCUMENTS.get(tag.name)
      const isSaved = document === 'href' && findAttribute(tag, 'download') !== undefined
      if (isSaved) mends.add('downloads')
      else if (document !== undefined) readDocument(tag, document)
      if (tag.name === 'link' && keyword(buffer, tag, 'rel') === 'stylesheet') {
        readUse(tag, 'href', 'text/css')
      }
      if (tag.name === 'base') readRoot(tag, false)
      if (tag.name === 'script') readScript(tag)
    },
    endTag: closeScript,
    text(start: number, end: number) {
      if (inside === null) return
      const text = buffer.toString('utf8', start, end)
      if (inside === 'svg script') svgScript.push(text)
      else {
        addScript(text)
        code.addNeeds(text, lineOf(start))
      }
    },
  }
}

/** Whether a policy lets scripts connect to some hosts alone. */
function limitsConnections(policy: string): boolean {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const sourcesOf = (name: string) => directives.find(([each]) => each === name)
  return (sourcesOf('connect-src') ?? sourcesOf('default-src'))?.includes('*') === false
}

/** Whether a `<use>` shows a part of a file. */
function namesFile(buffer: Buffer, tag: Tag): boolean {
  const reference = attributeText(buffer, tag, 'href') ?? attributeText(buffer, tag, 'xlink:href')
  return reference !== null && !/^\s*#/.test(reference)
}

/** Whether a URL may begin with `javascript:`, with any space or character reference before it. */
function mayBeScript(buffer: Buffer, at: number): boolean {
  const first = buffer[at]
  return first === undefined || first <= 32 || first === 38 || (first | 32) === 106
}
