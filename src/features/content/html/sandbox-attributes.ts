import { OWN_CROSSORIGIN, OWN_USE_PREFIX } from '../../../model/sandbox-polyfills.ts'
import type { Patch } from './bytes.ts'
import { scriptKindOf } from './code.ts'
import type { LinkRewriter } from './deck-links.ts'
import { type Attribute, attributeText, findAttribute, type Tag } from './tokens.ts'

/** The document that a tag is in. */
export interface SandboxDocument {
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
export function sandboxPatches(buffer: Buffer, tag: Tag, document: SandboxDocument): Patch[] {
  const { link } = document
  if (tag.name === 'use') {
    const found = tag.attributes.filter(({ name }) => name === 'href' || name === 'xlink:href')
    return found
      .filter((attribute) => {
        const reference = attributeText(buffer, tag, attribute.name) ?? ''
        return reference.includes('#') && isOwn(reference, link)
      })
      .map(({ start }) => insertion(start, OWN_USE_PREFIX))
  }
  const source = readSource(buffer, tag, document)
  if (source === null || findAttribute(tag, 'crossorigin') !== undefined) return []
  const text = attributeText(buffer, tag, source.name)!
  // All images of a list are on one host.
  const isList = source.name === 'srcset' || source.name === 'imagesrcset'
  const isLoaded = isOwn(isList ? (text.trim().split(/\s/, 1)[0] ?? '') : text, link)
  const given = tag.name === 'img' ? `crossorigin=${OWN_CROSSORIGIN} ` : 'crossorigin '
  return isLoaded ? [insertion(source.start, given)] : []
}

/** The attribute that says where something is that scripts read, or that is loaded ahead for it. */
function readSource(
  buffer: Buffer,
  tag: Tag,
  { isReadingPixels }: SandboxDocument,
): Attribute | null {
  if (tag.namespace !== 'html') return null
  const first = (...names: string[]) =>
    names.map((name) => findAttribute(tag, name)).find((found) => found !== undefined) ?? null
  if (tag.name === 'script') {
    const isClassic = scriptKindOf(attributeText(buffer, tag, 'type')) === 'classic'
    return isClassic ? first('src') : null
  }
  if (tag.name === 'img') return isReadingPixels ? first('src', 'srcset') : null
  if (tag.name !== 'link') return null
  if (attributeText(buffer, tag, 'rel')?.trim().toLowerCase() !== 'preload') return null
  const use = attributeText(buffer, tag, 'as')?.trim().toLowerCase()
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
