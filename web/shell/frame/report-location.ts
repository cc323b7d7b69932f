import type { FindFile } from '../find-file.ts'
import { type DocumentMessage, MAX_TITLE_CHARS } from '../frame-message.ts'
import type { Post } from './connection.ts'
import { FILES, framedUrl, ownPath } from './location.ts'

/** Reports every change of the document's address or title to the shell. */
export function reportLocation(post: Post, findFile: FindFile): void {
  const { stamp } = document.currentScript?.dataset ?? {}
  let last = ''
  const report = () => {
    const path = ownPath(new URL(location.href))
    if (path === null) return
    const title = document.title.slice(0, MAX_TITLE_CHARS)
    const message: DocumentMessage = { type: 'location', path, title, ...(stamp && { stamp }) }
    const text = JSON.stringify(message)
    if (text !== last) post(message)
    last = text
  }
  patchHistory(report, findFile)
  window.addEventListener('hashchange', report)
  window.addEventListener('popstate', report)
  window.addEventListener('DOMContentLoaded', () => {
    report()
    const observed = { childList: true, subtree: true, characterData: true }
    new MutationObserver(report).observe(document.head, observed)
  })
  window.addEventListener('pageshow', report)
  report()
}

type Step = History['pushState']

/**
 * A page that pushes its public address, `/p/{slug}/…`, or a file's address from the root of the
 * host, stays below its files in this frame: elsewhere its relative URLs would find nothing. What
 * names no file is a route, which the page's script reads from the address.
 */
function patchHistory(report: () => void, findFile: FindFile): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const native: Step = History.prototype[name]
    History.prototype[name] = function step(this: History, state, unused, url) {
      const address = url == null ? url : framedAddress(String(url), findFile)
      native.call(this, state, unused, address)
      report()
    } as Step
  }
}

function framedAddress(url: string, findFile: FindFile): string {
  const wanted = URL.parse(url, document.baseURI)
  if (wanted === null || wanted.pathname.startsWith(FILES!)) return url
  const path = ownPath(wanted) ?? findFile(wanted)
  return path === null ? url : framedUrl(path)
}
