import { OWN_USE_PREFIX } from '../../src/model/sandbox-polyfills.ts'
import { withoutHash } from '../page-links.ts'
import { OWN_FILES, patchInnerHtml } from './own-files.ts'

const NAMES = ['href', 'xlink:href']

/**
 * Shows the parts of the own SVG files that `<use href="icons.svg#sun">` names. A sandbox
 * has no origin, so browsers take no part of a file there, but they do of what the page has loaded.
 */
function start(files: string): void {
  const copies = new Map<string, Promise<string | null>>()

  function polyfill(use: Element): void {
    for (const name of NAMES) {
      const ownName = OWN_USE_PREFIX + name
      const reference = use.getAttribute(ownName) ?? use.getAttribute(name)
      const url = fileOf(reference)
      if (url === null) continue
      const { hash } = url
      url.hash = ''
      const copy = copies.get(url.href) ?? copyOf(url.href)
      copies.set(url.href, copy)
      void copy.then((address) => {
        const isSame = (use.getAttribute(ownName) ?? use.getAttribute(name)) === reference
        if (!isSame) return
        use.removeAttribute(ownName)
        const next = address === null ? null : address + hash
        // The plain name precedes the older one with a namespace.
        const isNew = next !== null && use.getAttribute('href') !== next
        if (isNew) setAttribute.call(use, 'href', next)
      })
    }
  }
  /** Null if the browser can show it by itself. */
  function fileOf(reference: string | null): URL | null {
    const url = reference === null ? null : URL.parse(reference, document.baseURI)
    const isOfFile = url !== null && url.hash !== '' && url.href.startsWith(files)
    return isOfFile && withoutHash(url.href) !== withoutHash(location.href) ? url : null
  }
  function polyfillIn(node: Node): void {
    if (!(node instanceof Element)) return
    if (node.localName === 'use') polyfill(node)
    for (const use of node.querySelectorAll('use')) polyfill(use)
  }
  // Before the browser tries to load it and reports in the console that it may not.
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function (name: string, value: string) {
    const isOwnUse = NAMES.includes(name) && this.localName === 'use' && fileOf(value) !== null
    setAttribute.call(this, isOwnUse ? OWN_USE_PREFIX + name : name, value)
  }
  patchInnerHtml((html) => (/<use\s/i.test(String(html)) ? renamed(String(html)) : html))
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'childList') for (const node of addedNodes) polyfillIn(node)
      else if (target instanceof Element && target.localName === 'use') polyfill(target)
    }
  }).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: NAMES.flatMap((name) => [name, OWN_USE_PREFIX + name]),
  })
}

/** Markup in which each `<use>` has the other name for its address. */
function renamed(html: string): string {
  return html.replace(
    /(<use\s(?:[^>"']|"[^"]*"|'[^']*')*?)((?:xlink:)?href\s?=\s?["']?[^#"'\s>][^>]*#)/gi,
    (_, before: string, address: string) => before + OWN_USE_PREFIX + address,
  )
}

/** The address of a copy that is the page's own; null where there is no such SVG. */
async function copyOf(address: string): Promise<string | null> {
  try {
    const response = await fetch(address)
    const isSvg = response.headers.get('content-type')?.startsWith('image/svg+xml')
    return response.ok && isSvg ? URL.createObjectURL(await response.blob()) : null
  } catch {
    return null
  }
}

if (OWN_FILES !== null) start(OWN_FILES)
