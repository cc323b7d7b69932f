import { isUtf8 } from 'node:buffer'
import { decodeHTMLAttribute } from 'entities/decode'
import { OWN_CROSSORIGIN, OWN_USE_PREFIX } from '../../../model/sandbox-polyfills.ts'
import { bufferOf, type Patch } from './bytes.ts'
import { readsPixels, scriptKindOf } from './code.ts'
import { createLinkRewriter, createResolver, type Deck, type LinkRewriter } from './deck-links.ts'
import { rewriteCss, rewriteImportMap, rewriteRefresh, rewriteSrcset } from './rewrite-urls.ts'
import { escapeAttribute } from './text.ts'
import {
  type Attribute,
  attributeText,
  findAttribute,
  isMeta,
  keyword,
  readTokens,
  type Tag,
} from './tokens.ts'

type Kind = 'url' | 'srcset' | 'refresh' | 'css' | 'importmap' | 'base'

/** A range of the document that may have references in it. */
interface Place {
  kind: Kind
  start: number
  end: number
  /** The quote around an attribute's value, or 0 without one; null for the text of an element. */
  quote: number | null
}

const URL_ATTRIBUTES = new Set('href src action formaction poster background xlink:href'.split(' '))

/**
 * Makes the root-relative references of a deck's HTML file relative, and its tags fit for the
 * sandbox. See `referencePatches`.
 */
function htmlPatches(path: string, bytes: Uint8Array, deck: Deck): Patch[] {
  const buffer = bufferOf(bytes)
  const fromFile = createLinkRewriter(deck, depthOf(path))
  const isReadingPixels = deck.readsPixels === true || readsPixels(buffer.toString('latin1'))
  const { places, patches } = findPlaces(buffer, { link: fromFile, isReadingPixels })
  const base = places.find(({ kind }) => kind === 'base')
  let link = fromFile
  if (base !== undefined) {
    const href = textOf(buffer, base)
    const target = createResolver(path)(href)
    // With a base outside of the deck, no reference of the file is to the deck.
    if (target === null) return []
    if (href.trim().startsWith('/') && fromFile(href, 'prefix') === null) return []
    link = createLinkRewriter(deck, depthOf(target))
  }
  for (const place of places) {
    const text = textOf(buffer, place)
    const next =
      place === base ? (fromFile(text, 'prefix') ?? text) : rewriteText(place.kind, text, link)
    if (next !== text) patches.push(patchOf(place, next))
  }
  return patches.sort((a, b) => a.start - b.start)
}

function rewriteText(kind: Kind, text: string, link: LinkRewriter): string {
  const url = (reference: string) => link(reference, 'url')
  switch (kind) {
    case 'url':
      return url(text) ?? text
    case 'srcset':
      return rewriteSrcset(text, url)
    case 'refresh':
      return rewriteRefresh(text, url)
    case 'css':
      return rewriteCss(text, url)
    case 'importmap':
      return rewriteImportMap(text, (name) => link(name, 'prefix'))
    case 'base':
      return text
  }
}

/** Finds the places that may have references, and what tags need in the sandbox. */
function findPlaces(buffer: Buffer, document: SandboxDocument) {
  const places: Place[] = []
  const patches: Patch[] = []
  const captions = createCaptionFinder(buffer, document)
  let inside: Kind | null = null
  let hasBase = false
  let templates = 0
  readTokens(buffer, {
    startTag(tag) {
      for (const attribute of tag.attributes) {
        const kind = kindOfAttribute(buffer, tag, attribute)
        // Only the first base of the document counts, and none in a template or an SVG.
        if (kind === 'base' && (hasBase || templates > 0 || tag.namespace !== 'html')) continue
        hasBase ||= kind === 'base'
        const { valueStart: start, valueEnd: end, quote } = attribute
        if (kind !== null) places.push({ kind, start, end, quote })
      }
      patches.push(...sandboxPatches(buffer, tag, document), ...captions(tag))
      if (tag.name === 'template') templates++
      inside = kindOfText(buffer, tag)
    },
    endTag(name) {
      if (name === 'template' && templates > 0) templates--
      inside = null
    },
    text(start, end) {
      if (inside !== null) places.push({ kind: inside, start, end, quote: null })
    },
  })
  return { places, patches }
}

function kindOfAttribute(buffer: Buffer, tag: Tag, { name, valueStart }: Attribute): Kind | null {
  if (name === 'style') return 'css'
  if (name === 'srcset' || name === 'imagesrcset') return 'srcset'
  if (name === 'href' && tag.name === 'base') return 'base'
  if (name === 'content' && isMeta(buffer, tag, 'http-equiv', 'refresh')) return 'refresh'
  if (!URL_ATTRIBUTES.has(name) && !(name === 'data' && tag.name === 'object')) return null
  const first = buffer[valueStart]!
  return first === SLASH || first === AMPERSAND || first <= SPACE ? 'url' : null
}

const SPACE = 32
const AMPERSAND = 38
const SLASH = 47

function kindOfText(buffer: Buffer, tag: Tag): Kind | null {
  if (tag.name === 'style') return 'css'
  if (tag.name !== 'script' || tag.namespace !== 'html') return null
  if (findAttribute(tag, 'src') !== undefined) return null
  return scriptKindOf(attributeText(buffer, tag, 'type')) === 'importmap' ? 'importmap' : null
}

function textOf(buffer: Buffer, { start, end, quote }: Place): string {
  const raw = buffer.toString('utf8', start, end)
  return quote === null ? raw : decodeHTMLAttribute(raw)
}

function patchOf({ start, end, quote }: Place, text: string): Patch {
  if (quote === null || isPlain(text, quote)) return { start, end, text }
  const escaped = escapeAttribute(text)
  return { start, end, text: quote === 0 ? `"${escaped}"` : escaped }
}

/** Whether a value can be written without escapes. */
function isPlain(text: string, quote: number): boolean {
  if (decodeHTMLAttribute(text) !== text) return false
  return quote === 0 ? !/[\s"'`=<>]/.test(text) : !text.includes(String.fromCharCode(quote))
}

export type { Deck } from './deck-links.ts'

export interface DeckFile {
  path: string
  mime: string
  bytes: Uint8Array
}

/**
 * Makes root-relative references of HTML or CSS to other files of its deck relative, so that the
 * deck works below any prefix. Every other byte stays. Scripts are never rewritten.
 * @returns what changes, in order
 */
export function referencePatches({ path, mime, bytes }: DeckFile, deck: Deck): Patch[] {
  if (mime.startsWith('text/html')) return htmlPatches(path, bytes, deck)
  if (!mime.startsWith('text/css') || !isUtf8(bytes)) return []
  const text = bufferOf(bytes).toString()
  const link = createLinkRewriter(deck, depthOf(path))
  const next = rewriteCss(text, (url) => link(url, 'url'))
  return next === text ? [] : [{ start: 0, end: bytes.byteLength, text: next }]
}

function depthOf(path: string): number {
  return path.split('/').length - 1
}

/** The document that a tag is in. */
interface SandboxDocument {
  /** Of the document's folder. */
  link: LinkRewriter
  /** Whether its scripts read the pixels of images. */
  isReadingPixels: boolean
}

/**
 * Finds what a tag needs to work in the sandbox, where each file is of another origin than the
 * document. A classic script gets `crossorigin`: without it, it may import nothing and its errors
 * have no text. So does an image whose pixels scripts read. A `<use>` of a file gets another name
 * for its address, by which `web/sandbox` shows it: browsers would refuse it and say so in the
 * console.
 */
function sandboxPatches(buffer: Buffer, tag: Tag, document: SandboxDocument): Patch[] {
  const { link } = document
  if (tag.name === 'use') {
    return tag.attributes.flatMap(({ name, start }) => {
      const reference = /^(?:xlink:)?href$/.test(name) ? attributeText(buffer, tag, name)! : ''
      const isShown = reference.includes('#') && isOwn(reference, link)
      return isShown ? insertion(start, OWN_USE_PREFIX) : []
    })
  }
  const source = readSource(buffer, tag, document)
  if (source === null || findAttribute(tag, 'crossorigin') !== undefined) return []
  const text = attributeText(buffer, tag, source.name)!
  // All images of a list are on one host.
  const isList = source.name === 'srcset' || source.name === 'imagesrcset'
  const isLoaded = isOwn(isList ? (text.trim().split(/\s/, 1)[0] ?? '') : text, link)
  const attribute = tag.name === 'img' ? `crossorigin=${OWN_CROSSORIGIN} ` : 'crossorigin '
  return isLoaded ? [insertion(source.start, attribute)] : []
}

/** Video and sound of the deck get `crossorigin`: without it, browsers refuse their captions. */
function createCaptionFinder(buffer: Buffer, { link }: SandboxDocument) {
  let media: { at: number; isPlayed: boolean } | null = null
  return (tag: Tag): Patch[] => {
    const source = attributeText(buffer, tag, 'src')
    const isLoaded = source !== null && isOwn(source, link)
    if (tag.name === 'video' || tag.name === 'audio') {
      media = { at: tag.start + '<video'.length, isPlayed: isLoaded }
    } else if (tag.name === 'source' && isLoaded && media !== null) media.isPlayed = true
    const isForeign = source !== null && !isLoaded
    if (isForeign || findAttribute(tag, 'crossorigin') !== undefined) media = null
    if (tag.name !== 'track' || media?.isPlayed !== true) return []
    const { at } = media
    media = null
    return [insertion(at, ' crossorigin')]
  }
}

/** The attribute that says where something is that scripts read, or that is loaded ahead for it. */
function readSource(
  buffer: Buffer,
  tag: Tag,
  { isReadingPixels }: SandboxDocument,
): Attribute | null {
  if (tag.namespace !== 'html') return null
  const first = (...names: string[]) =>
    names.map((name) => findAttribute(tag, name)).find((value) => value !== undefined) ?? null
  if (tag.name === 'script') {
    const isClassic = scriptKindOf(attributeText(buffer, tag, 'type')) === 'classic'
    return isClassic ? first('src') : null
  }
  if (tag.name === 'img') return isReadingPixels ? first('src', 'srcset') : null
  if (tag.name !== 'link') return null
  if (keyword(buffer, tag, 'rel') !== 'preload') return null
  const use = keyword(buffer, tag, 'as')
  if (use === 'image') return isReadingPixels ? first('href', 'imagesrcset') : null
  return use === 'script' ? first('href') : null
}

/** Another scheme or host, or the document itself. */
const OTHER = /^[\0- ]*(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|[?#]|$)/i

function isOwn(reference: string, link: LinkRewriter): boolean {
  if (OTHER.test(reference)) return false
  return !/^[\0- ]*[\\/]/.test(reference) || link(reference, 'module') !== null
}

function insertion(at: number, text: string): Patch {
  return { start: at, end: at, text }
}
