import { withoutHash } from '../page-links.ts'
import type { Frame } from './frame.ts'

/** Calls `use` with an address of the page's files; never where the visit has ended. */
export type WithFilesUrl = (use: (filesUrl: string) => void) => void

interface AddressOptions {
  /** The page's own address, without a slash at the end. */
  pagePath: string
  /** The file that the page's own address means, where it has one file alone; else ''. */
  onlyPath: string
  /** What the frame shows at every address; '' where addresses differ. */
  fixedPath: string
  withFilesUrl: WithFilesUrl
  frame: Pick<Frame, 'show'>
}

/**
 * Browsers limit how often an address may change: Safari to 100 times in 10 seconds. So many
 * changes in a row are shown at once, as when somebody types a search; later ones wait.
 */
const UPDATES_AT_ONCE = 25
const UPDATE_INTERVAL_MS = 150
/** When the visitor goes back, the browser mostly moves the frame by itself within this time. */
const POPSTATE_DELAY_MS = 250

/** A hash that is for the panel: the frame does not see it. */
const FOR_PANEL = /^#~/

/** The path below the page's files that this window's address means, with query and hash. */
export function wantedPath(pagePath: string, fixedPath: string): string {
  const { pathname, search, hash } = location
  const path = fixedPath === '' ? pathname.slice(pagePath.length + 1) : fixedPath
  return path + search + (FOR_PANEL.test(hash) ? '' : hash)
}

/** The address of a path that the frame shows; null where it would be outside of this page. */
function addressOf(framePath: string, { pagePath, onlyPath }: AddressOptions): URL | null {
  const [, path = '', queryAndHash = ''] = /^([^?#]*)(.*)$/s.exec(framePath) ?? []
  const isPage = path === onlyPath || path === ''
  const url = URL.parse(`${pagePath}${isPage ? '' : `/${path}`}${queryAndHash}`, location.origin)
  if (url === null || url.origin !== location.origin) return null
  const isOwn = url.pathname === pagePath || url.pathname.startsWith(`${pagePath}/`)
  return isOwn && !url.pathname.startsWith(`${pagePath}/~`) ? url : null
}

/** Keeps the window's address and title in step with the frame, and the frame with the address. */
export function syncAddress(options: AddressOptions) {
  const { pagePath, fixedPath, withFilesUrl, frame } = options
  let shownPath = wantedPath(pagePath, fixedPath)
  let moves = 0
  /** Of the history, while the target of the page's navigation is not shown yet. */
  let lengthBefore: number | null = null
  let updateTimer: ReturnType<typeof setTimeout> | undefined
  /** The changes that are allowed: one for each interval since `countedAt`, and those left then. */
  let updatesLeft = UPDATES_AT_ONCE
  let countedAt = performance.now()

  function showPath(path: string, suffix = ''): void {
    shownPath = path
    moves += 1
    const move = moves
    withFilesUrl((filesUrl) => {
      const { href } = new URL(filesUrl + path + suffix, location.origin)
      // Dot segments lead out of the files, to where this window's cookies would be sent.
      const isFile = href.startsWith(new URL(filesUrl, location.origin).href)
      // Where the address took a while, the visitor may have moved on.
      if (isFile && move === moves) frame.show(href)
    })
  }
  function cancelUpdate(): boolean {
    const wasPlanned = updateTimer !== undefined
    clearTimeout(updateTimer)
    updateTimer = undefined
    return wasPlanned
  }
  /** Call it before another path is shown: a later update would write that path into this entry. */
  function finishUpdate(): void {
    if (cancelUpdate()) replaceAddress()
  }
  function replaceAddress(): void {
    updateTimer = undefined
    const url = addressOf(shownPath, options)
    if (url === null || url.href === location.href) return
    updatesLeft -= 1
    history.replaceState(history.state, '', url)
  }
  function mayUpdate(): boolean {
    const now = performance.now()
    const intervals = Math.floor((now - countedAt) / UPDATE_INTERVAL_MS)
    countedAt += intervals * UPDATE_INTERVAL_MS
    updatesLeft = Math.min(UPDATES_AT_ONCE, updatesLeft + intervals)
    return updatesLeft > 0
  }
  function showAddress(): void {
    const path = wantedPath(pagePath, fixedPath)
    if (addressOf(shownPath, options)?.href === location.href || path === shownPath) return
    const isSameDocument = withoutHash(path) === withoutHash(shownPath)
    // A URL with an empty hash stays in the document; one without a hash would load it again.
    showPath(path, isSameDocument && !path.includes('#') ? '#' : '')
  }

  window.addEventListener('popstate', () => {
    cancelUpdate()
    setTimeout(showAddress, POPSTATE_DELAY_MS)
  })
  return {
    /** Adds an entry to this window's history, which survives leaving the page and coming back. */
    navigate(path: string): void {
      const url = addressOf(path, options)
      if (url === null) return
      finishUpdate()
      if (url.href !== location.href) history.pushState(null, '', url)
      showPath(path)
    },
    /** Shows where the page itself went, for which some browsers have added an entry. */
    follow(path: string): void {
      finishUpdate()
      lengthBefore = history.length
      showPath(path)
    },
    update(path: string, title: string): void {
      shownPath = path
      if (history.length === lengthBefore) history.pushState(null, '', location.href)
      lengthBefore = null
      if (title !== '') document.title = title
      if (updateTimer !== undefined) return
      if (mayUpdate()) replaceAddress()
      else updateTimer = setTimeout(replaceAddress, UPDATE_INTERVAL_MS)
    },
  }
}
