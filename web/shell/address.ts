import type { Frame } from './frame.ts'

interface Place {
  page: string
  /** The file that the page's own address means, where it has one file alone; else ''. */
  only: string
  files: string
  frame: Frame
}

/** The browser takes a hundred changes of the address in half a minute, and no more. */
const CALM_MS = 150
/** Going back moves the frame by itself, mostly. */
const SETTLE_MS = 250

/** The path below the page's files that this window's address means, with query and hash. */
export function wantedPath(page: string, only: string): string {
  const { pathname, search, hash } = location
  const path = only === '' ? pathname.slice(page.length + 1) : only
  return path + search + hash
}

/** Keeps address and title of the window in step with the frame, and the frame with the address. */
export function followPlace({ page, only, files, frame }: Place) {
  let shown = wantedPath(page, only)
  let calming: ReturnType<typeof setTimeout> | undefined

  function cleanOf(at: string): URL | null {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(at) ?? []
    const isPage = only !== '' && (path === only || path === '')
    const url = URL.parse(`${page}${isPage ? '' : `/${path}`}${rest}`, location.origin)
    if (url === null || url.origin !== location.origin) return null
    const isOwn = url.pathname === page || url.pathname.startsWith(`${page}/`)
    return isOwn && !url.pathname.startsWith(`${page}/~`) ? url : null
  }
  function update(): void {
    calming = undefined
    const url = cleanOf(shown)
    if (url === null || url.href === location.href) return
    history.replaceState(history.state, '', url)
  }
  function catchUp(): void {
    const wanted = wantedPath(page, only)
    if (cleanOf(shown)?.href === location.href || wanted === shown) return
    const isHere = withoutHash(wanted) === withoutHash(shown)
    shown = wanted
    // An empty hash is a place in the same document, and none is another document.
    frame.show(files + wanted + (isHere && !wanted.includes('#') ? '#' : ''))
  }

  window.addEventListener('popstate', () => {
    clearTimeout(calming)
    calming = undefined
    setTimeout(catchUp, SETTLE_MS)
  })
  return {
    /** A step of this window, so that it is still there when somebody leaves and comes back. */
    go(to: string): void {
      const url = cleanOf(to)
      if (url === null) return
      if (url.href !== location.href) history.pushState(null, '', url)
      shown = to
      frame.show(files + to)
    },
    told(at: string, title: string): void {
      shown = at
      if (title !== '') document.title = title
      if (calming !== undefined) return
      update()
      calming = setTimeout(update, CALM_MS)
    },
  }
}

function withoutHash(path: string): string {
  return path.replace(/#.*/s, '')
}
