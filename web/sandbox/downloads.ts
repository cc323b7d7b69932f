import { DOWNLOAD_PARAMETER } from '../../src/model/sandbox-polyfills.ts'
import { isDocument, isLink, type Link, setForNow } from '../page-links.ts'
import { OWN_FILES } from './own-files.ts'

/** Longer names are cut by the server, too. */
const MAX_NAME_CHARS = 200

/**
 * Lets links with `download` save the page's own files. A sandbox has no origin, so every file is
 * of another one to it, and browsers open what such a link leads to. The server sends a file as an
 * attachment where its address asks for that. A link has this address for the time of a click
 * alone: people and scripts find the one that the page has written.
 */
function start(files: string): void {
  window.addEventListener('click', (event) => {
    const link = event.composedPath().find(isDownload)
    if (link !== undefined && !event.defaultPrevented) askForFile(link)
  })
  // A handler of the page may keep a click from the window.
  function watchStops(event: MouseEvent): void {
    const link = event.composedPath().find(isDownload)
    if (link === undefined) return
    for (const name of ['stopPropagation', 'stopImmediatePropagation'] as const) {
      const stop = event[name]
      event[name] = () => {
        stop.call(event)
        if (!event.defaultPrevented) askForFile(link)
      }
    }
  }
  window.addEventListener('click', watchStops, true)
  // Scripts click links that are in no document, too: no event of theirs reaches the window.
  const { click } = HTMLElement.prototype
  HTMLElement.prototype.click = function () {
    askIfApart(this)
    click.call(this)
  }
  const { dispatchEvent } = EventTarget.prototype
  EventTarget.prototype.dispatchEvent = function (event) {
    if (event?.type === 'click') askIfApart(this)
    return dispatchEvent.call(this, event)
  }

  function askIfApart(target: EventTarget): void {
    if (isDownload(target) && !target.isConnected) askForFile(target)
  }
  function askForFile(link: Link): void {
    const url = URL.parse(link.href)
    // HTML is shown: it is sent for the sandbox.
    if (url === null || !url.href.startsWith(files) || isDocument(url)) return
    if (url.searchParams.has(DOWNLOAD_PARAMETER)) return
    const name = encodeURIComponent(link.download.slice(0, MAX_NAME_CHARS).toWellFormed())
    const parameter = name === '' ? DOWNLOAD_PARAMETER : `${DOWNLOAD_PARAMETER}=${name}`
    url.search = url.search === '' ? parameter : `${url.search}&${parameter}`
    setForNow(link, 'href', url.href)
    // What is saved opens no window, wherever the link leads otherwise.
    setForNow(link, 'target', '_self')
  }
}

const isDownload = (target: EventTarget): target is Link => isLink(target, 'download')

if (OWN_FILES !== null) start(OWN_FILES)
