import { OWN_CROSSORIGIN } from '../../src/model/sandbox-polyfills.ts'
import { OWN_FILES, patchInnerHtml } from './own-files.ts'

/**
 * Lets scripts read the pixels of the page's own images. A sandbox has no origin, so every file is
 * of another one to it, and an image taints the canvas that it is drawn on unless it is asked for
 * with `crossorigin`. Publishing has written that into the page's markup; this does it for what
 * scripts make. Images of other hosts stay as they are.
 */
function start(files: string): void {
  const { setAttribute, insertAdjacentHTML } = Element.prototype
  const isOwn = (address: string) =>
    URL.parse(address, document.baseURI)?.href.startsWith(files) === true

  /** @param address that the image is about to have */
  function polyfill(image: HTMLImageElement, address: string): void {
    if (!isOwn(address)) {
      if (image.getAttribute(NAME) === OWN_CROSSORIGIN) image.removeAttribute(NAME)
    } else if (image.crossOrigin !== 'anonymous') setAttribute.call(image, NAME, OWN_CROSSORIGIN)
  }
  /** For an image that has its address already: the browser then requests it again. */
  function polyfillIn(node: Node): void {
    if (!(node instanceof Element)) return
    const images = node instanceof HTMLImageElement ? [node] : node.querySelectorAll('img')
    for (const image of images) {
      const address = image.getAttribute('src') ?? firstOf(image.srcset)
      if (image.crossOrigin === null && isOwn(address)) polyfill(image, address)
    }
  }

  for (const name of ['src', 'srcset'] as const) {
    const property = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, name)!
    Object.defineProperty(HTMLImageElement.prototype, name, {
      ...property,
      set(this: HTMLImageElement, value: unknown) {
        polyfill(this, name === 'src' ? String(value) : firstOf(String(value)))
        property.set!.call(this, value)
      },
    })
  }
  Element.prototype.setAttribute = function (name: string, value: string) {
    const attribute = String(name).toLowerCase()
    if (this instanceof HTMLImageElement) {
      if (attribute === 'src') polyfill(this, String(value))
      if (attribute === 'srcset') polyfill(this, firstOf(String(value)))
    }
    setAttribute.call(this, name, value)
  }
  patchInnerHtml(withPolyfill)
  Element.prototype.insertAdjacentHTML = function (position, html) {
    insertAdjacentHTML.call(this, position, withPolyfill(html) as string)
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) polyfillIn(node)
  }).observe(document, { childList: true, subtree: true })

  /** Markup in which each own image has the attribute. */
  function withPolyfill(html: unknown): unknown {
    if (html === null || !/<img\s/i.test(String(html))) return html
    return String(html).replace(IMAGE, (tag) => {
      const [, , address = ''] = SOURCE.exec(tag) ?? []
      const isAlone = !/\scrossorigin\b/i.test(tag) && isOwn(address.replaceAll('&amp;', '&'))
      return isAlone ? `<img ${NAME}=${OWN_CROSSORIGIN}${tag.slice('<img'.length)}` : tag
    })
  }
}

const NAME = 'crossorigin'
const IMAGE = /<img\s(?:[^>"']|"[^"]*"|'[^']*')*/gi
const SOURCE = /\ssrc\s?=\s?(["']?)([^"'\s>]+)/i

/** The first image of a list: all of them are on one host. */
function firstOf(list: string): string {
  return list.trim().split(/\s/, 1)[0] ?? ''
}

if (OWN_FILES !== null) start(OWN_FILES)
