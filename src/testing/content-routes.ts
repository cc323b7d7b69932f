/** Every way in which content of a page leaves the service to somebody else than its owner. */
import { brotliDecompressSync } from 'node:zlib'
import { createGateCookies, createPageCookies } from '../http/visitor/request/gate-cookies.ts'
import { APP_HEADER } from '../model/app-api.ts'
import type { PageObject } from '../model/page/page-object.ts'
import { BASE_URL, type TestApp } from './app.ts'
import { base64 } from './material.ts'
import { askHost, enter, LOADED, WINDOW } from './own-host.ts'
import { panelDataIn } from './panel/server.ts'
import type { Owner } from './people.ts'
import { samplePdf } from './sample-pdf.ts'
import { BROWSER, framePathIn, type Visitor } from './visitor.ts'

type Sent = Record<string, string>

/** Words that are in every file of the content, in its title and in a comment. */
export const MARKER = 'Words-4711-of-the-content'
/** Enough to be compressed. */
const FILLER = `<p>${'text '.repeat(400)}`

const document = (path: string) => ({
  path,
  html: `<!doctype html><title>${MARKER}</title><link rel=stylesheet href=a.css>${MARKER}${FILLER}<script></script>
<script>navigator.serviceWorker</script>`,
})
const asset = (path: string, text = '') => ({
  path,
  data_base64: base64(`/* ${MARKER} */ ${text || FILLER}`),
})

/** Each kind of content, and what is on its page. */
export const KINDS = {
  deck: {
    files: ['index.html', 'team.html'].map(document),
    assets: [asset('a.css'), asset('sw.js'), asset('app.json', '{}')],
    allow_comments: true,
  },
  'deck without conversations': {
    files: ['index.html', 'team.html'].map(document),
    assets: [asset('a.css'), asset('sw.js'), asset('app.json', '{}')],
  },
  'single page': { html: document('').html },
  file: {
    file_base64: base64(`%PDF-1.7\n% ${MARKER}\n${FILLER}`),
    filename: 'paper.pdf',
    title: MARKER,
  },
  // The words are in a stream, which a copy has as it was.
  'marked file': {
    file_base64: base64(samplePdf({ pages: 1, lines: [MARKER] })),
    filename: 'paper.pdf',
    title: MARKER,
    watermark: true,
  },
}
export type Kind = keyof typeof KINDS

/** Somebody who could open the page, with all that they were given while it was open. */
export interface Holder {
  app: TestApp
  owner: Owner
  page: PageObject
  kind: Kind
  visitor: Visitor
}

/** A request that somebody keeps, to send it again later. */
export interface Route {
  name: string
  /**
   * `address`: the page's own, which tells why it is closed. `token`: one that a visitor was given.
   * `host`: on the page's own. `ours`: answered without content while the page is closed as well.
   */
  by: 'address' | 'token' | 'host' | 'ours' | 'preview'
  /** Whether the answer has content while the page is open. Otherwise it only leads to it. */
  hasContent: boolean
  send(headers?: Sent, method?: string): Promise<Response>
}

const IFRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', accept: '*/*' }

const isFile = (kind: Kind) => kind === 'file' || kind === 'marked file'

/** The files of a kind: its document, and the others. */
function filesOf(kind: Kind): [document: string, ...others: string[]] {
  if (isFile(kind)) return ['paper.pdf']
  return kind === 'single page' ? ['index.html'] : ['index.html', 'a.css']
}

/** The addresses of a page that anybody may know. */
export function addressRoutes({ page, kind, visitor }: Holder): Route[] {
  const [entry, ...others] = filesOf(kind)
  const isDeck = others.length > 0
  const root = `/p/${page.slug}`
  const at = isDeck ? `${root}/${entry}` : root
  const route = (name: string, path: string, own: Sent = {}, hasContent = true): Route => ({
    ...{ name, hasContent, by: 'address' },
    send: (headers = {}, method = 'GET') => visitor.open(path, { ...own, ...headers }, method),
  })
  return [
    route('the page, for a program', at),
    route('the page, as Markdown', at, { accept: 'text/markdown' }),
    route('the page, in a window', at, BROWSER, false),
    route('the page, in a frame elsewhere', at, IFRAME),
    route('the page, at an address with a slash', `${root}/`, {}, false),
    ...others.map((path) => route('a file of a deck', `${root}/${path}`)),
    ...others.map((path) => route('a saved file of a deck', `${root}/${path}?~download=x`)),
    { ...route('the page, for a chat', at, { 'user-agent': 'Slackbot 1.0' }, false), by: 'ours' },
    { ...route('whether the gate is open', `${root}/~/status`, {}, false), by: 'ours' },
  ]
}

/** The addresses and tokens that the documents around a page hold. */
export async function tokenRoutes(holder: Holder): Promise<Route[]> {
  const { page, kind, visitor } = holder
  const [entry, ...others] = filesOf(kind)
  const root = `/p/${page.slug}`
  const answer = await visitor.open(others.length > 0 ? `${root}/${entry}` : root, BROWSER)
  const html = await answer.text()
  const route = (name: string, path: string, own: Sent = {}, hasContent = true): Route => ({
    ...{ name, hasContent, by: 'token' },
    send: (headers = {}, method = 'GET') => visitor.open(path, { ...own, ...headers }, method),
  })
  const routes = [
    route('a new frame token', `${root}/~/frame`, {}, false),
    route('the viewer of the panel', `${root}/~/viewer`, {}, false),
  ]
  const panel = kind === 'deck' ? panelDataIn(html) : null
  if (panel !== null) routes.push(...panelRoutes(holder, panel))
  if (!html.includes('/~v1')) return routes
  const base = await framePathIn(new Response(html))
  return [
    ...routes,
    route('a frame', base + entry, IFRAME),
    route('a frame, in a window', base + entry, BROWSER, false),
    ...others.map((path) => route('a file in a frame', base + path)),
    ...others.map((path) => route('a saved file in a frame', `${base}${path}?~download=x`)),
    ...(isFile(kind) ? [route('the download of the viewer', `${base}${entry}?download`)] : []),
  ]
}

/** All visitor operations, with the token of a panel. */
function panelRoutes({ app, visitor }: Holder, panel: object): Route[] {
  const { token, stamp } = panel as { token: string; stamp: string }
  return app.visitorOperations.map(({ contract }) => ({
    name: contract.http.path,
    by: contract.http.path === '/~/comments' ? 'token' : 'ours',
    hasContent: contract.http.path === '/~/comments',
    async send() {
      const headers = {
        'content-type': 'application/json',
        origin: BASE_URL,
        'sec-fetch-site': 'same-origin',
        cookie: visitor.cookieFor('/~/comments'),
      }
      const body = JSON.stringify({ token, stamp })
      const { path } = contract.http
      return app.fetch(new Request(BASE_URL + path, { method: 'POST', headers, body }))
    },
  }))
}

/** The page on its own host: in a window with the cookie of a visit, or in the frame of a shell. */
export async function hostRoutes(holder: Holder): Promise<Route[]> {
  const { app, page, kind, visitor } = holder
  if (app.platform.config.contentUrl === null || isFile(kind)) return []
  const path = `/p/${page.slug}${kind === 'single page' ? '' : '/index.html'}`
  const answer = await visitor.open(path, { ...WINDOW, 'sec-fetch-site': 'none' })
  const [, files] = /data-files="(http[^"]+)"/.exec(await answer.text()) ?? []
  if (files !== undefined) return framedRoutes(holder, files)
  if (answer.status !== 303) return []
  const { origin, cookie } = await enter(app, visitor, path)
  const route = hostRoute(app)
  const documents = [
    route('the host, in a window', `${origin}/`, { ...WINDOW, cookie }),
    route('the host, for a script of the page', `${origin}/`, { ...LOADED, cookie }),
    route('a ticket', answer.headers.get('location')!, WINDOW, false),
  ]
  if (kind === 'single page') return documents
  const manifest = { ...LOADED, 'sec-fetch-dest': 'manifest' }
  const worker = { ...LOADED, cookie, 'service-worker': 'script' }
  return [
    ...documents,
    route('a file on the host', `${origin}/a.css`, { ...LOADED, cookie }),
    route('the manifest of an app', `${origin}/app.json`, { ...manifest, cookie }),
    route('the manifest of an app, without cookies', `${origin}/app.json`, manifest, false),
    { ...route('a service worker', `${origin}/sw.js`, worker), by: 'ours' },
  ]
}

function framedRoutes({ app, page, kind }: Holder, files: string): Route[] {
  const route = hostRoute(app)
  const { origin } = new URL(files)
  const [, token = ''] = /(v1\.[^/]+)\//.exec(files) ?? []
  const below = `${origin}/p/${page.slug}/~${token}/`
  const cookie = `handbill_frame=${token}`
  const [inFrame, loaded] = [
    { ...IFRAME, cookie },
    { ...LOADED, cookie },
  ]
  const [, ...others] = filesOf(kind)
  return [
    route('a frame on the host, by its token', `${below}index.html`, IFRAME),
    ...others.map((path) => route('a file on the host, by its token', below + path, LOADED)),
    route('a frame that enters the host', `${files}index.html`, IFRAME, false),
    // Documents of a page with a view limit are given once for a token.
    route('a frame on the host', `${origin}/index.html`, inFrame, page.max_views === null),
    ...others.map((path) => route('a file in a frame on the host', `${origin}/${path}`, loaded)),
  ]
}

function hostRoute(app: TestApp) {
  return (name: string, url: string, own: Sent, hasContent = true): Route => ({
    ...{ name, hasContent, by: 'host' },
    send: (headers = {}, method = 'GET') => askHost(app, url, { ...own, ...headers }, method),
  })
}

/** A preview of the draft, which the holder of the address or the owner opens. */
export function previewRoutes(
  { app, kind }: Pick<Holder, 'app' | 'kind'>,
  { url, cookie }: { url: string; cookie: string },
): Route[] {
  const [entry, ...others] = filesOf(kind)
  const path = url.slice(BASE_URL.length)
  const base = path.slice(0, path.lastIndexOf('/') + 1)
  const route = (name: string, at: string, own: Sent): Route => ({
    ...{ name, hasContent: true, by: 'preview' },
    send: (headers = {}, method = 'GET') => app.open(at, { ...own, ...headers }, method),
  })
  return [
    route('a preview, in a window', path, { ...BROWSER, cookie }),
    route('a preview', path, IFRAME),
    route('a preview, for a program', path, {}),
    ...[entry, ...others].map((file) => route('a file of a preview', base + file, {})),
  ]
}

/** Starts a preview by the key of an owner, or by a session. */
export async function previewUrl(app: TestApp, owner: Owner, { id }: PageObject, cookie?: string) {
  const path = `/pages/${id}/preview`
  if (cookie === undefined) return (await owner.ask<{ url: string }>('POST', path)).url
  const headers = {
    cookie,
    origin: BASE_URL,
    [APP_HEADER]: '1',
    'content-type': 'application/json',
  }
  const request = new Request(`${BASE_URL}/app/api${path}`, { method: 'POST', headers, body: '{}' })
  const { data } = (await (await app.fetch(request)).json()) as { data: { url: string } }
  return data.url
}

/** The cookie of a browser that has confirmed an address. */
export function emailCookie({ secrets, clock }: TestApp, email: string): string {
  const pageCookies = createPageCookies(secrets, false)
  const gateCookies = createGateCookies({ secrets, pageCookies, isHttps: false })
  return gateCookies.emailCookie(new Request('http://localhost'), email, clock.ms()).split(';')[0]!
}

/** Everything that an answer says: its headers, and its body as it is read. */
export async function wordsOf(answer: Response): Promise<string> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isEncoded = answer.headers.get('content-encoding') === 'br' && bytes.byteLength > 0
  const body = isEncoded ? brotliDecompressSync(bytes) : bytes
  return `${[...answer.headers].map((pair) => pair.join(': ')).join('\n')}\n\n${body.toString()}`
}
