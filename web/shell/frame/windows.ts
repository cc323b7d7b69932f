/**
 * The shell cuts the page off from the windows that it opens, so the browser says of each that
 * there is none, and scripts take it for blocked. They get what a page outside of a frame gets: a
 * window that is out of reach once it shows something.
 */
export function keepWindows(): void {
  const native = window.open
  window.open = function open(url = '', target = '', features = '') {
    const isOwn = !/^_(?:self|top|parent)$/i.test(target)
    const isHeld = isOwn && !/\bno(?:opener|referrer)\b/i.test(features)
    // Without somebody's click there is no window, and the page is told so.
    const isAnswered = isHeld && navigator.userActivation?.isActive
    if (isAnswered && /^(?:about:blank)?$/.test(String(url))) {
      return blankWindow((later) => native.call(window, later, target, features))
    }
    const opened = native.call(window, url, target, features)
    if (opened !== null || !isAnswered) return opened
    const { shown, leave } = standIn()
    setTimeout(leave)
    return shown
  }
}

/** Opened when it is known what it shows: another address, or what is written into it. */
function blankWindow(open: (url: string) => void): Window {
  const { shown, leave, isLeft } = standIn()
  const page = document.implementation.createHTMLDocument()
  let written = ''
  let isPrinted = false
  let showing: ReturnType<typeof setTimeout> | undefined

  function show(url: string): void {
    clearTimeout(showing)
    if (!isLeft()) open(url)
    leave()
  }
  const showPage = () => {
    const html = withBase(written || page.documentElement.outerHTML)
    const printing = Object.assign(document.createElement('script'), { text: 'print()' })
    const parts = isPrinted ? [html, printing.outerHTML] : [html]
    show(URL.createObjectURL(new Blob(parts, { type: 'text/html;charset=utf-8' })))
  }
  const showSoon = () => {
    showing ??= setTimeout(showPage)
  }
  const write = (...texts: unknown[]) => {
    written += texts.join('')
    showSoon()
  }
  const changed = { childList: true, subtree: true, characterData: true, attributes: true }
  new MutationObserver(showSoon).observe(page, changed)
  const place = { assign: show, replace: show, toString: () => 'about:blank' }
  Object.defineProperty(place, 'href', { get: place.toString, set: show })
  return Object.defineProperties(shown, {
    document: {
      value: Object.assign(page, {
        ...{ write, writeln: (...texts: unknown[]) => write(...texts, '\n') },
        ...{ open: () => page, close: () => {} },
      }),
    },
    location: { get: () => place, set: show },
    print: {
      value: () => {
        isPrinted = true
      },
    },
    // What is to be printed is shown first, and stays.
    close: { value: () => isPrinted || leave() },
  })
}

/** For a moment it seems open, as where the browser has yet to load what it shows. */
function standIn() {
  let isLeft = false
  const leave = () => {
    isLeft = true
  }
  const nothing = () => {}
  const methods = ['focus', 'blur', 'moveTo', 'resizeTo', 'postMessage', 'print']
  const shown = {
    get closed() {
      return isLeft
    },
    ...{ opener: null, length: 0, close: leave, addEventListener: nothing },
    ...Object.fromEntries(methods.map((name) => [name, nothing])),
  } as unknown as Window
  return { shown, leave, isLeft: () => isLeft }
}

/** What is named from the page's own folder is found there, in a window without an address too. */
function withBase(html: string): string {
  const base = `<base href="${document.baseURI.replaceAll('"', '%22')}">`
  const [start] = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>)?/i.exec(html)!
  return start + base + html.slice(start.length)
}
