import { percentDecoded } from '../../../src/model/page-name.ts'
import { isDocument, isLink, type Link, setForNow, withoutHash } from '../../page-links.ts'
import type { FindFile } from '../find-file.ts'
import type { Post } from './connection.ts'
import { framedUrl, ownPath } from './location.ts'

/**
 * Shows files of this page in the frame. Other links open a new window, and so do those that would
 * replace the page by an error: to a PDF in a sandbox, and to other programs, such as `mailto:`.
 */
export function handleLinks(post: Post, findFile: FindFile): void {
  const lead = (element: HTMLElement, name: string) => leadToFile(element, name, findFile)
  window.addEventListener('auxclick', (event) => {
    const link = event.composedPath().find(isHyperlink)
    if (link !== undefined && !event.defaultPrevented) lead(link, 'href')
  })
  window.addEventListener('click', (event) => {
    const link = event.composedPath().find(isHyperlink)
    if (link === undefined || event.defaultPrevented || event.button !== 0) return
    lead(link, 'href')
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (!link.hasAttribute('download')) followLink(event, link, post)
  })
  window.addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    const { submitter } = event
    const name = submitter?.hasAttribute('formaction') ? 'formaction' : 'action'
    const sender = name === 'action' ? form : submitter!
    lead(sender, name)
    const url = URL.parse(sender.getAttribute(name) ?? '', document.baseURI)
    if (url !== null && isWeb(url) && ownPath(url) === null) openInNewWindow(form)
  })
  watchNavigation()
}

/** Lets an address from the root of the host lead to the file of this page that it names there. */
function leadToFile(element: HTMLElement, name: string, findFile: FindFile): void {
  const address = element.getAttribute(name)
  // A whole address is meant as it is.
  if (address === null || /^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(address)) return
  const url = URL.parse(address, document.baseURI)
  const path = url && ownPath(url) === null ? findFile(url) : null
  if (path !== null) setForNow(element, name, framedUrl(path))
}

function followLink(event: MouseEvent, link: Link, post: Post): void {
  const url = URL.parse(link.href)
  if (url?.protocol === 'javascript:' && self.origin === 'null') {
    // Chromium runs it in no frame without an origin, and does not say so.
    event.preventDefault()
    const script = url.href.slice(url.protocol.length)
    setTimeout(percentDecoded(script) ?? script)
  }
  if (url === null || /^(?:about|blob|data|javascript):$/.test(url.protocol)) return
  const target =
    (link.target || document.querySelector('base[target]')?.getAttribute('target')) ?? ''
  if (!/^(?:_self|_top|_parent)?$/i.test(target)) return
  const path = ownPath(url)
  if (path === null || !isDocument(url)) {
    openInNewWindow(link)
    return
  }
  const framed = framedUrl(path)
  const here = withoutHash(location.href)
  const isSameDocument = url.href.includes('#') && withoutHash(framed) === here
  if (isSameDocument && withoutHash(url.href) === here) return
  event.preventDefault()
  if (isSameDocument) location.assign(framed)
  else post({ type: 'navigate', path })
}

/** Does the same when a script navigates. In a sandbox, no browser says that it does. */
function watchNavigation(): void {
  window.navigation?.addEventListener('navigate', (event) => {
    const { destination, cancelable, downloadRequest } = event
    const url = URL.parse(destination.url)
    if (!cancelable || downloadRequest !== null || url === null || !isWeb(url)) return
    if (ownPath(url) !== null || event.defaultPrevented || destination.sameDocument) return
    event.preventDefault()
    window.open(url, '_blank')
  })
}

const openInNewWindow = (element: Element) => setForNow(element, 'target', '_blank')
const isHyperlink = (target: EventTarget): target is Link => isLink(target, 'href')
const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:'
