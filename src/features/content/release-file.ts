import { decodeHTML } from 'entities/decode'
import { sha256 } from '../../platform/ids.ts'
import { addedBytes, bufferOf, endOfMark, type Patch, patchBytes } from './html/bytes.ts'
import { createReferenceCheck, type ReferringFile } from './html/check-reference.ts'
import { findCssWarnings } from './html/find-warnings.ts'
import { type Deck, type DeckFile, referencePatches } from './html/html-links.ts'
import type { DocumentNeeds, ScriptNeeds } from './html/origin-needs.ts'
import { type HtmlFacts, type ScriptFacts, scanHtml, scanScript } from './html/scan.ts'
import { escapeAttribute, oneLine } from './html/text.ts'
import {
  attributeText,
  DOCUMENT_ELEMENTS,
  findAttribute,
  isMeta,
  readTokens,
  type Tag,
} from './html/tokens.ts'
import { isHtml } from './staging.ts'
import type { FoundWarning } from './warnings.ts'

export interface FileToRelease extends DeckFile {
  /** Null for a single page. */
  deck: Deck | null
  /** Visitors land on it. Other fragments of a deck stay as they are: scripts may insert them. */
  isEntry: boolean
}

export interface FileFacts {
  html: HtmlFacts | null
  script: ScriptFacts | null
  warnings: FoundWarning[]
  /** What it needs an origin of its own for; null for a file without scripts. */
  origin: ScriptNeeds | DocumentNeeds | null
}

/** A file in the form in which visitors get it. */
export interface ReleasedFile {
  /** The given bytes, which were moved to where the work is done. */
  source: Uint8Array
  output: NewBytes | null
  facts: FileFacts
  /** The file with its references as they were written; null where none was rewritten. */
  original: { output: NewBytes | null; html: HtmlFacts | null } | null
}

/** What a file becomes; null where the given bytes stay. */
export interface NewBytes {
  bytes: Uint8Array
  hash: string
}

/** Rewrites references in a file and finds its facts. */
export function releaseFile({ bytes: source, isEntry, ...file }: FileToRelease): ReleasedFile {
  const { deck } = file
  const patches = deck === null ? [] : referencePatches({ ...file, bytes: source }, deck)
  const rewritten = patchBytes(source, patches)
  if (!isHtml(file)) {
    const original = patches.length === 0 ? null : { output: null, html: null }
    return { source, output: newBytes(source, rewritten), facts: codeFacts(source, file), original }
  }
  const sourceHtml = scanHtml(source, file)
  const releaseOf = (bytes: Uint8Array, html: HtmlFacts) => {
    const wrapped = isEntry ? wrapFragment(bytes) : bytes
    const output = newBytes(source, wrapped)
    if (wrapped === bytes) return { output, html }
    // A fragment has no title, although its document has one, and its lines are the author's.
    const { title, warnings, mends, origin } = html
    return { output, html: { ...scanHtml(wrapped, file), title, warnings, mends, origin } }
  }
  const { output, html } = releaseOf(rewritten, movedFacts(sourceHtml, patches))
  const original = patches.length === 0 ? null : releaseOf(source, sourceHtml)
  const { warnings, origin } = html
  const facts = { html, script: null, warnings: [...warnings, ...origin.warnings], origin }
  return { source, output, facts, original }
}

function newBytes(source: Uint8Array, bytes: Uint8Array): NewBytes | null {
  return bytes === source ? null : { bytes, hash: sha256(bytes) }
}

/** The facts of a style sheet or a script. */
function codeFacts(source: Uint8Array, file: ReferringFile & { mime: string }): FileFacts {
  if (file.mime.startsWith('text/css')) {
    const warnings = findCssWarnings(source, createReferenceCheck(file))
    return { html: null, script: null, warnings, origin: null }
  }
  const { origin, ...script } = scanScript(source, file.deck)
  return { html: null, script, warnings: origin.warnings, origin }
}

/** The facts of the given bytes, with the places that these have where references are rewritten. */
function movedFacts(facts: HtmlFacts, patches: readonly Patch[]): HtmlFacts {
  const moved = (place: number) => place + addedBytes(patches.filter(({ end }) => end <= place))
  return {
    ...facts,
    head_offset: moved(facts.head_offset),
    preview_spans: facts.preview_spans.map(({ name, start, end }) => {
      return { name, start: moved(start), end: moved(end) }
    }),
  }
}

const MAX_TITLE_CHARS = 200

/**
 * Puts a fragment, which is HTML without doctype, `<html>`, `<head>` and `<body>`, into a document
 * that phones can read: with charset, viewport and title, and with typography where the fragment
 * has no style of its own. The parser makes head and body, so the fragment stands last, unchanged.
 * @returns the same object for a complete document
 */
export function wrapFragment(bytes: Uint8Array): Uint8Array {
  const buffer = bufferOf(bytes)
  if (startsAsDocument(buffer)) return bytes
  const fragment = readFragment(buffer)
  if (fragment === null) return bytes
  return patchBytes(bytes, [{ start: 0, end: endOfMark(buffer), text: headOf(fragment) }])
}

/** Decides for most documents without reading them whole. */
function startsAsDocument(buffer: Buffer): boolean {
  const start = buffer.toString('latin1', 0, 256)
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body)[\s>]/i.test(start)
}

interface Fragment {
  /** Text of its first heading, where it has no `<title>`; else null. */
  heading: string | null
  hasViewport: boolean
  /** It loads or contains style sheets, or loads scripts, which may. */
  hasOwnLayout: boolean
  /** It has colours or scripts that assume a light background. */
  hasOwnColours: boolean
}

/** @returns null for a document */
function readFragment(buffer: Buffer): Fragment | null {
  const facts = { heading: '', hasViewport: false, hasOwnLayout: false, hasOwnColours: false }
  let isDocument = false
  let hasTitle = false
  let heading: 'ahead' | 'inside' | 'over' = 'ahead'
  readTokens(buffer, {
    doctype() {
      isDocument = true
    },
    startTag(tag) {
      isDocument ||= DOCUMENT_ELEMENTS.has(tag.name) && tag.namespace === 'html'
      hasTitle ||= tag.name === 'title' && tag.namespace === 'html'
      facts.hasViewport ||= isMeta(buffer, tag, 'name', 'viewport')
      facts.hasOwnLayout ||= bringsLayout(buffer, tag)
      facts.hasOwnColours ||= bringsColours(tag)
      if (heading === 'ahead' && HEADING.test(tag.name)) heading = 'inside'
    },
    endTag(name) {
      if (heading === 'inside' && HEADING.test(name)) heading = 'over'
    },
    text(start, end) {
      if (heading !== 'inside' || facts.heading.length > MAX_TITLE_CHARS) return
      facts.heading += buffer.toString('utf8', start, Math.min(end, start + 8 * MAX_TITLE_CHARS))
    },
  })
  if (isDocument) return null
  return {
    ...facts,
    heading: hasTitle ? null : oneLine(decodeHTML(facts.heading), MAX_TITLE_CHARS),
  }
}

const HEADING = /^h[1-6]$/

function bringsLayout(buffer: Buffer, tag: Tag): boolean {
  if (tag.name === 'style') return true
  if (tag.name === 'script') return findAttribute(tag, 'src') !== undefined
  if (tag.name !== 'link') return false
  return /\bstylesheet\b/i.test(attributeText(buffer, tag, 'rel') ?? '')
}

function bringsColours(tag: Tag): boolean {
  if (tag.name === 'script' || tag.name === 'svg' || tag.name === 'canvas') return true
  return tag.attributes.some(({ name }) => COLOURED.has(name))
}

const COLOURED = new Set(['style', 'bgcolor', 'color', 'background'])

function headOf({ heading, hasViewport, hasOwnLayout, hasOwnColours }: Fragment): string {
  const scheme = hasOwnColours ? '' : ':where(html){color-scheme:light dark}'
  return [
    '<!doctype html><meta charset="utf-8">',
    hasViewport ? '' : '<meta name="viewport" content="width=device-width, initial-scale=1">',
    heading === null ? '' : `<title>${escapeAttribute(heading)}</title>`,
    hasOwnLayout ? '' : `<style>${scheme}${TYPOGRAPHY}</style>`,
    '\n',
  ].join('')
}

const FAINT = 'color-mix(in srgb,CanvasText 8%,Canvas)'
const LINE = 'color-mix(in srgb,CanvasText 22%,Canvas)'

/** Without specificity, so that any rule of the page has precedence. */
const TYPOGRAPHY = [
  ':where(html){-webkit-text-size-adjust:100%;text-size-adjust:100%}',
  ':where(body){box-sizing:border-box;max-width:44rem;margin:0 auto;',
  'padding:clamp(1.25rem,6vw,4rem) 1.25rem;font:1.0625rem/1.6 system-ui,sans-serif;',
  'overflow-wrap:break-word}',
  ':where(h1,h2,h3,h4){margin:1.6em 0 .5em;line-height:1.2;text-wrap:balance}',
  ':where(h1){font-size:2rem}:where(h2){font-size:1.45rem}:where(h3){font-size:1.15rem}',
  ':where(body>:first-child){margin-top:0}',
  ':where(img,video){max-width:100%;height:auto}',
  ':where(code,kbd,samp,pre){font-family:ui-monospace,monospace;font-size:.9em}',
  `:where(pre){overflow:auto;padding:1rem;border-radius:.5rem;background:${FAINT}}`,
  ':where(pre code){font-size:1em}',
  `:where(blockquote){margin:1em 0;padding-left:1rem;border-left:3px solid ${LINE}}`,
  ':where(table){display:block;overflow-x:auto;border-collapse:collapse}',
  `:where(th,td){padding:.4rem .9rem .4rem 0;border-bottom:1px solid ${LINE};text-align:left}`,
  `:where(hr){margin:2em 0;border:0;border-top:1px solid ${LINE}}`,
  ':where(input,select,textarea,button){font:inherit;max-width:100%}',
].join('')
