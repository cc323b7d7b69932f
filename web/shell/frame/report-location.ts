import type { FrameMessage } from '../handle-message.ts'
import { FILES, framedUrl, ownPath } from './location.ts'

/** Keeps the shell told of where the page is and what it is called. */
export function tellPlace(say: (said: FrameMessage) => void): void {
  let last = ''
  const tell = () => {
    const at = ownPath(new URL(location.href))
    if (at === null) return
    const said = { at, title: document.title.slice(0, 500) }
    const text = JSON.stringify(said)
    if (text !== last) say(said)
    last = text
  }
  patchHistory(tell)
  window.addEventListener('hashchange', tell)
  window.addEventListener('popstate', tell)
  window.addEventListener('DOMContentLoaded', () => {
    tell()
    const watched = { childList: true, subtree: true, characterData: true }
    new MutationObserver(tell).observe(document.head, watched)
  })
  window.addEventListener('pageshow', tell)
  tell()
}

type Step = History['pushState']

/** A page that names its own address for people stays where its files are. */
function patchHistory(tell: () => void): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const native: Step = History.prototype[name]
    History.prototype[name] = function step(this: History, state, unused, url) {
      native.call(this, state, unused, url == null ? url : kept(String(url)))
      tell()
    } as Step
  }
}

function kept(url: string): string {
  const wanted = URL.parse(url, document.baseURI)
  const path = wanted && ownPath(wanted)
  if (path === null || wanted?.pathname.startsWith(FILES!)) return url
  return framedUrl(path)
}

/** The shell prints the whole page, and Ctrl+P in the page prints the page alone. */
export function tellPrinting(say: (said: FrameMessage) => void): void {
  const tell = () => say({ height: document.documentElement.scrollHeight })
  window.addEventListener('DOMContentLoaded', () => {
    new ResizeObserver(tell).observe(document.documentElement)
  })
  window.addEventListener('keydown', (event) => {
    const isPrint = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p'
    if (!isPrint || event.defaultPrevented || event.shiftKey || event.altKey) return
    event.preventDefault()
    print()
  })
}
