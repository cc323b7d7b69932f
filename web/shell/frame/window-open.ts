/**
 * The shell's `Cross-Origin-Opener-Policy` cuts the page off from windows that it opens, so the
 * native `window.open` returns null, which scripts take for a blocked window. They get a stand-in
 * instead that is closed as soon as the window shows something, as for a page outside of a frame.
 */
export function patchWindowOpen(): void {
  const native = window.open
  window.open = function open(url = '', target = '', features = '') {
    const isNewWindow = !/^_(?:self|top|parent)$/i.test(target)
    const keepsOpener = isNewWindow && !/\bno(?:opener|referrer)\b/i.test(features)
    // Without a user gesture the browser blocks the window, and the page gets its null.
    const needsStandIn = keepsOpener && navigator.userActivation?.isActive
    if (needsStandIn && /^(?:about:blank)?$/.test(String(url))) {
      return blankWindow((later) => native.call(window, later, target, features))
    }
    const other = native.call(window, url, target, features)
    if (other !== null || !needsStandIn) return other
    const { standIn, close } = createStandIn()
    setTimeout(close)
    return standIn
  }
}

/** Opens a window once the page says what it shows: another URL, or the document it has written. */
function blankWindow(open: (url: string) => void): Window {
  const { standIn, close, isClosed } = createStandIn()
  const page = document.implementation.createHTMLDocument()
  let text = ''
  let isPrinted = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(url: string): void {
    clearTimeout(timer)
    if (!isClosed()) open(url)
    close()
  }
  const showDocument = () => {
    const html = withBase(text || page.documentElement.outerHTML)
    const printScript = Object.assign(document.createElement('script'), { text: 'print()' })
    const parts = isPrinted ? [html, printScript.outerHTML] : [html]
    show(URL.createObjectURL(new Blob(parts, { type: 'text/html;charset=utf-8' })))
  }
  const showSoon = () => {
    timer ??= setTimeout(showDocument)
  }
  const write = (...texts: unknown[]) => {
    text += texts.join('')
    showSoon()
  }
  new MutationObserver(showSoon).observe(page, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
  })
  const blankLocation = { assign: show, replace: show, toString: () => 'about:blank' }
  Object.defineProperty(blankLocation, 'href', { get: blankLocation.toString, set: show })
  return Object.defineProperties(standIn, {
    document: {
      value: Object.assign(page, {
        write,
        writeln: (...texts: unknown[]) => write(...texts, '\n'),
        open: () => page,
        close: () => {},
      }),
    },
    location: { get: () => blankLocation, set: show },
    print: {
      value: () => {
        isPrinted = true
      },
    },
    // Scripts print and close at once: the window to be printed is shown first, and stays open.
    close: { value: () => isPrinted || close() },
  })
}

/** An object that has what scripts use of a window, open until `close` is called. */
function createStandIn() {
  let closed = false
  const close = () => {
    closed = true
  }
  const noop = () => {}
  const methods = ['focus', 'blur', 'moveTo', 'resizeTo', 'postMessage', 'print']
  const standIn = {
    get closed() {
      return closed
    },
    opener: null,
    length: 0,
    close,
    addEventListener: noop,
    ...Object.fromEntries(methods.map((name) => [name, noop])),
  } as unknown as Window
  return { standIn, close, isClosed: () => closed }
}

/** Lets the document resolve relative URLs from the page's folder, since a blob URL has no path. */
function withBase(html: string): string {
  const base = `<base href="${document.baseURI.replaceAll('"', '%22')}">`
  const [start] = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>)?/i.exec(html)!
  return start + base + html.slice(start.length)
}
