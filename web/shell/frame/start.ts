import { type Answer, SHELL_SEND, type Submission } from '../../runtime/submission.ts'
import { explainDatabases } from '../../sandbox/explain-databases.ts'
import type { FindFile } from '../find-file.ts'
import {
  type Area,
  type DocumentMessage,
  type Entries,
  MAX_TITLE_CHARS,
  type MessageOf,
  readMessage,
} from '../frame-message.ts'
import { type Connection, connectToShell, type Post } from './connection.ts'
import { handleLinks } from './links.ts'
import {
  FILES,
  framedUrl,
  IS_AT_ROOT,
  IS_PREVIEW,
  isForeign,
  openPageAddress,
  ownPath,
} from './location.ts'
import { dispatchStorageEvent, installStorage, isBlocked, type ReportChange } from './storage.ts'
import { patchWindowOpen } from './window-open.ts'

/** An entry's expiry where it has none. */
const NO_EXPIRY = '0'

/**
 * The first script of a framed page. It runs in the page's own realm, where the page can undo all
 * of it, so it protects nothing: it makes a sandboxed page work like one with an origin.
 *
 * @param connectMore called where a shell is around the page
 */
export function start(connectMore: (connection: Connection) => void = () => {}): void {
  if (FILES === null) return
  if (window.top === window) {
    if (IS_PREVIEW) installAreas(null)
    else if (!IS_AT_ROOT) openPageAddress()
    return
  }
  // The page's service worker has answered the address at which a frame starts.
  const [, path] = /^\/~\/framed?\/[^/]+(\/.*)/.exec(location.pathname) ?? []
  if (path !== undefined) {
    location.replace(path + location.search + location.hash)
    return
  }
  // A frame inside the page has entries of its own, which are not saved.
  const isNested = window.parent !== window.top
  const connection = isNested ? null : connectToShell()
  // The server has sent our script alone, because it gave this document before.
  if (document.documentElement.dataset.handbill === 'given') {
    const path = ownPath(new URL(location.href)) ?? ''
    if (isNested || connection !== null) {
      void requestFiles(connection?.post ?? null).then((url) => location.replace(url + path))
    }
    return
  }
  installAreas(connection)
  if (isNested) offerSubmit(null)
  else if (connection !== null) {
    // A preview sends nothing and leads nowhere: the owner’s dashboard is around it.
    if (IS_PREVIEW) reportLocation(connection.post, connection.findFile)
    else connectPage(connection)
    connectMore(connection)
  }
}

function installAreas(connection: Connection | null): void {
  const { local = [], session = [], cookie = [] } = connection?.entries ?? {}
  const areas = { local: new Map(local), session: new Map(session), cookie: new Map(cookie) }
  const saveEntries = () => connection?.saveEntries(() => entriesOf(areas))
  const reportTo = (area: Area) => (key: string | null, value: string | null) => {
    connection?.post(
      key === null ? { type: 'storage-clear', area } : { type: 'storage', area, key, value },
    )
    saveEntries()
  }
  if (isBlocked('localStorage')) installStorage('localStorage', areas.local, reportTo('local'))
  if (isBlocked('sessionStorage')) {
    installStorage('sessionStorage', areas.session, reportTo('session'))
  }
  installCookies(areas.cookie, reportTo('cookie'))
  explainDatabases()
  saveEntries()
}

function connectPage({ post, onMessage, findFile }: Connection): void {
  onMessage((message) => {
    if (message.type === 'storage-event') dispatchStorageEvent('localStorage', message)
  })
  offerSubmit(post)
  patchWindowOpen()
  handleLinks(post, findFile)
  reportLocation(post, findFile)
  reportHeight(post)
  reportViewport(post)
  // Browsers let no sandboxed frame go to an entry of its window, such as the file before.
  const go = (delta = 0) => (delta ? post({ type: 'traverse', delta }) : location.reload())
  Object.assign(History.prototype, { go, back: () => go(-1), forward: () => go(1) })
}

function entriesOf(areas: Record<Area, Map<string, string>>): Record<Area, Entries> {
  return { local: [...areas.local], session: [...areas.session], cookie: [...areas.cookie] }
}

/**
 * Reports the height of the content, by which the shell prints the whole page. Ctrl+P in the page
 * prints the page alone.
 */
function reportHeight(post: Post): void {
  const report = () => post({ type: 'height', pixels: document.documentElement.scrollHeight })
  window.addEventListener('DOMContentLoaded', () => {
    new ResizeObserver(report).observe(document.documentElement)
  })
  window.addEventListener('keydown', (event) => {
    const isPrint = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p'
    if (!isPrint || event.defaultPrevented || event.shiftKey || event.altKey) return
    event.preventDefault()
    print()
  })
}

/** Reports every change of the document's address or title to the shell. */
function reportLocation(post: Post, findFile: FindFile): void {
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
    const changes = { childList: true, subtree: true, characterData: true }
    new MutationObserver(report).observe(document.head, changes)
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
  const target = URL.parse(url, document.baseURI)
  const path = target && (ownPath(target) ?? findFile(target))
  return path === null ? url : framedUrl(path)
}

/** Reports what the page's `<meta name="viewport">` says, and that it has none. */
function reportViewport(post: Post): void {
  let last: string | null = null
  const report = () => {
    const meta = [...document.querySelectorAll<HTMLMetaElement>('meta[name=viewport i]')].at(-1)
    // Until its body starts, the tag may come.
    if (meta === undefined && document.body === null) return
    const content = meta?.content ?? ''
    if (content !== last) post({ type: 'viewport', content })
    last = content
  }
  const observer = new MutationObserver(report)
  observer.observe(document, { childList: true, subtree: true })
  window.addEventListener('DOMContentLoaded', () => {
    report()
    observer.disconnect()
    observer.observe(document.head, { childList: true, subtree: true, attributes: true })
  })
}

/**
 * Gives the runtime, and the frames inside this document, a way to send through the shell.
 * @param post null in a nested frame, which sends through the document around it
 */
function offerSubmit(post: Post | null): void {
  const forward = (submission: Submission, answerPort: MessagePort) => {
    if (post) post({ type: 'submit', submission }, [answerPort])
    else sendAround({ type: 'relay', files: FILES!, submission }, answerPort)
  }
  const send = (submission: Submission): Promise<Answer> =>
    answerTo('answer', (port) => forward(submission, port))
  Object.defineProperty(window, SHELL_SEND, { configurable: true, value: send })

  /** The paths of this page's files that the frames inside this document know. */
  const paths = new Set([FILES!])
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data, 'relay', 'relay-renew')
    // Every sandboxed frame has the origin 'null': only this page's own know the path of its files.
    const sender = event.source as Window | null
    if (message === null || !paths.has(message.files) || sender?.parent !== window) return
    if (isForeign(event)) return
    event.stopImmediatePropagation()
    const [answerPort] = event.ports
    if (answerPort === undefined) return
    if (message.type === 'relay') return forward(message.submission, answerPort)
    void requestFiles(post).then((url) => {
      const pathname = URL.parse(url, location.origin)?.pathname
      if (pathname !== undefined) paths.add(pathname)
      answerPort.postMessage({ type: 'files', url } satisfies MessageOf<'files'>)
    })
  })
}

/** Sends from a nested frame to the document around it. */
function sendAround(message: MessageOf<'relay' | 'relay-renew'>, answerPort: MessagePort): void {
  window.parent.postMessage(message, '*', [answerPort])
}

/** What comes on a port of its own, once it is sent with what asks for it. */
function answerTo<Type extends 'answer' | 'files'>(
  type: Type,
  send: (port: MessagePort) => void,
): Promise<MessageOf<Type>> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      const answer = readMessage(data, type)
      if (answer === null) return
      port1.close()
      resolve(answer)
    }
    send(port2)
  })
}

/**
 * Replaces `document.cookie` where it keeps nothing. An entry of the `cookie` area is a cookie's
 * name and `{expiry in milliseconds} {value}`.
 */
function installCookies(entries: Map<string, string>, report: ReportChange): void {
  if (!areCookiesBlocked()) return
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    enumerable: true,
    get: () => serialize(entries),
    set(text: unknown) {
      const { name, value, expiresMs } = parse(String(text))
      const isExpired = expiresMs !== null && expiresMs <= Date.now()
      if (isExpired) entries.delete(name)
      else entries.set(name, `${expiresMs ?? NO_EXPIRY} ${value}`)
      report(name, isExpired ? null : entries.get(name)!)
    },
  })
}

/** A sandbox throws. A frame on the page's own host is of another site, and says nothing. */
function areCookiesBlocked(): boolean {
  try {
    const probe = 'handbill=probe'
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
    document.cookie = probe
    const isKept = document.cookie.includes(probe)
    // biome-ignore lint/suspicious/noDocumentCookie: as above
    document.cookie = `${probe}; max-age=0`
    return !isKept
  } catch {
    return true
  }
}

function serialize(entries: Map<string, string>): string {
  const live = [...entries].flatMap(([name, entry]) => {
    const [expires = '', ...value] = entry.split(' ')
    const isOver = expires !== NO_EXPIRY && Number(expires) <= Date.now()
    return isOver ? [] : (name && `${name}=`) + value.join(' ')
  })
  return live.join('; ')
}

function parse(text: string) {
  const [pair = '', ...attributes] = text.split(';')
  const equals = pair.indexOf('=')
  const name = equals < 0 ? '' : pair.slice(0, equals).trim()
  const value = pair.slice(equals + 1).trim()
  const values = new Map(
    attributes.map((attribute) => {
      const [key = '', ...rest] = attribute.split('=')
      return [key.trim().toLowerCase(), rest.join('=').trim()]
    }),
  )
  const maxAge = values.get('max-age') ?? ''
  if (/^-?\d+$/.test(maxAge)) return { name, value, expiresMs: Date.now() + Number(maxAge) * 1000 }
  const dateMs = Date.parse(values.get('expires') ?? '')
  return { name, value, expiresMs: Number.isNaN(dateMs) ? null : dateMs }
}

/**
 * Asks the shell for a new address of the page's files.
 * @param post null in a nested frame, which asks through the document around it
 */
const requestFiles = (post: Post | null): Promise<string> =>
  answerTo('files', (port) => {
    if (post) post({ type: 'renew' }, [port])
    else sendAround({ type: 'relay-renew', files: FILES! }, port)
  }).then(({ url }) => url)
