import type { FrameMessage } from '../handle-message.ts'
import { framedUrl, ownPath } from './location.ts'

/**
 * Only files of this page can be shown in the frame. What leads elsewhere opens a window of its
 * own, and so does a file that is no document: a sandboxed frame shows no PDF.
 */
export function keepLinks(say: (said: FrameMessage) => void): void {
  window.addEventListener('click', (event) => {
    const link = event.composedPath().find(isLink)
    if (link === undefined || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (!link.hasAttribute('download')) follow(event, link, say)
  })
  window.addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    const url = URL.parse(event.submitter?.getAttribute('formaction') ?? form.action)
    if (url !== null && isWeb(url) && ownPath(url) === null) inNewWindow(form)
  })
  watchNavigation()
}

function follow(event: MouseEvent, link: Link, say: (said: FrameMessage) => void): void {
  const url = URL.parse(link.href)
  if (url === null || !isWeb(url)) return
  const target =
    (link.target || document.querySelector('base[target]')?.getAttribute('target')) ?? ''
  if (!/^(?:_self|_top|_parent)?$/i.test(target)) return
  const path = ownPath(url)
  if (path === null || !isDocument(url)) {
    inNewWindow(link)
    return
  }
  const framed = framedUrl(path)
  const isPlace = url.hash !== '' && withoutHash(framed) === withoutHash(location.href)
  if (isPlace && url.href === framed) return
  event.preventDefault()
  if (isPlace) location.assign(framed)
  else say({ go: path })
}

function withoutHash(url: string): string {
  return url.replace(/#.*/s, '')
}

/** Scripts that lead the whole page elsewhere, where the browser lets us know of it. */
function watchNavigation(): void {
  const { navigation } = window as { navigation?: EventTarget }
  navigation?.addEventListener('navigate', (event) => {
    const { destination, cancelable, downloadRequest } = event as NavigateEvent
    const url = URL.parse(destination.url)
    if (!cancelable || downloadRequest !== null || url === null || !isWeb(url)) return
    if (ownPath(url) !== null || event.defaultPrevented || destination.sameDocument) return
    event.preventDefault()
    window.open(url, '_blank')
  })
}

interface NavigateEvent extends Event {
  destination: { url: string; sameDocument: boolean }
  downloadRequest: string | null
}

/** For this once: the page finds its markup as it was. */
function inNewWindow(element: Link | HTMLFormElement): void {
  const before = element.getAttribute('target')
  element.target = '_blank'
  setTimeout(() => {
    if (before === null) element.removeAttribute('target')
    else element.setAttribute('target', before)
  })
}

type Link = HTMLAnchorElement | HTMLAreaElement

function isLink(target: EventTarget): target is Link {
  const isLink = target instanceof HTMLAnchorElement || target instanceof HTMLAreaElement
  return isLink && target.hasAttribute('href')
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** By its name, as there is nothing else to go by. */
function isDocument({ pathname }: URL): boolean {
  const extension = /\.([^./]+)$/.exec(pathname)?.[1]
  return extension === undefined || /^x?html?$/i.test(extension)
}
