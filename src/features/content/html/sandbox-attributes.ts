import { OWN_USE_PREFIX } from '../../../model/sandbox-mends.ts'
import type { Patch } from './bytes.ts'
import { scriptKindOf } from './code.ts'
import type { LinkRewriter } from './deck-links.ts'
import { type Attribute, attributeText, findAttribute, type Tag } from './tokens.ts'

/**
 * Finds what a tag needs to work in the sandbox, where each file is of another origin than the
 * document. A classic script gets `crossorigin`: without it, it may import nothing and its errors
 * have no text. A `<use>` of a file gets another name for its address, by which `web/sandbox` shows
 * it: browsers would refuse it and say so in the console.
 *
 * @param link of the document's folder
 */
export function sandboxPatches(buffer: Buffer, tag: Tag, link: LinkRewriter): Patch[] {
  if (tag.name === 'use') {
    const found = tag.attributes.filter(({ name }) => name === 'href' || name === 'xlink:href')
    return found
      .filter((attribute) => {
        const reference = attributeText(buffer, tag, attribute.name) ?? ''
        return reference.includes('#') && isOwn(reference, link)
      })
      .map(({ start }) => insertion(start, OWN_USE_PREFIX))
  }
  const source = ownSource(buffer, tag)
  if (source === null || findAttribute(tag, 'crossorigin') !== undefined) return []
  const isLoaded = isOwn(attributeText(buffer, tag, source.name)!, link)
  return isLoaded ? [insertion(source.start, 'crossorigin ')] : []
}

/** The attribute that says where a classic script is, or one that is loaded ahead. */
function ownSource(buffer: Buffer, tag: Tag): Attribute | null {
  if (tag.namespace !== 'html') return null
  if (tag.name === 'script') {
    const isClassic = scriptKindOf(attributeText(buffer, tag, 'type')) === 'classic'
    return isClassic ? (findAttribute(tag, 'src') ?? null) : null
  }
  if (tag.name !== 'link') return null
  const isPreload = attributeText(buffer, tag, 'rel')?.trim().toLowerCase() === 'preload'
  const isScript = attributeText(buffer, tag, 'as')?.trim().toLowerCase() === 'script'
  return isPreload && isScript ? (findAttribute(tag, 'href') ?? null) : null
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
