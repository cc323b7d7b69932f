import { afterEach } from 'bun:test'
import type { Browser } from 'playwright-core'
import { newWindow, type Window } from '../../acceptance/browser.ts'
import { duringTests, testBrowser } from '../../acceptance/test-browser.ts'
import type { Submission } from '../../web/runtime/submission.ts'
import type { Assets } from '../http/kit/assets.ts'
import { SANDBOX_TOKENS } from '../http/visitor/request/content-headers.ts'
import { shellCsp, shellPage } from '../http/visitor/shell/document.ts'
import { builtWeb } from './built-web.ts'

export type Received = Submission & { token: string }

/** What the test server serves, and what it received. */
interface TestServerState {
  /** The page's HTML files by path. */
  files: Record<string, string>
  received: Received[]
  /** The headers of the requests in `received`. */
  headers: Headers[]
  /** Answers to the next submissions, one each. All later submissions are accepted. */
  nextAnswers: (() => Response | Promise<Response>)[]
  /** Delays the answer with the runtime's script; 'missing' answers 404. */
  runtime: Promise<void> | 'missing'
}

export interface RuntimeHarness {
  url: string
  server: TestServerState
  assets: Assets
  browser: () => Browser
  /** Opens the HTML as a page, served directly or in the shell. */
  open(html: string, options?: { isFramed?: boolean }): Promise<Window>
  /** Resets the server. */
  clear(): void
  stop(): void
}

/** Serves pages with the runtime during the tests of the file. A test leaves nothing to the next. */
export function testRuntime(): () => RuntimeHarness {
  const browser = testBrowser({ closesWindows: true })
  const runtime = duringTests(
    async () => startRuntime(browser),
    (started) => started.stop(),
  )
  afterEach(() => runtime().clear())
  return runtime
}

/** Serves pages with the runtime, with production headers, to a real browser. */
function startRuntime(browser: () => Browser): RuntimeHarness {
  const assets = builtWeb()
  const state = newState()
  const server = startServer(state, assets)
  return {
    url: server.url.href,
    server: state,
    assets,
    browser,
    async open(html, { isFramed = false } = {}) {
      state.files['index.html'] = html
      const window = await newWindow(browser())
      const url = `${server.url.href}p/${isFramed ? 'framed' : 'direct'}`
      await window.tab.goto(url, { waitUntil: state.runtime === 'missing' ? 'load' : 'commit' })
      return window
    },
    clear: () => void Object.assign(state, newState()),
    stop: () => server.stop(true),
  }
}

function newState(): TestServerState {
  return { files: {}, received: [], headers: [], nextAnswers: [], runtime: Promise.resolve() }
}

function startServer(state: TestServerState, assets: Assets) {
  async function runtime(): Promise<Response> {
    if (state.runtime === 'missing') return new Response(null, { status: 404 })
    await state.runtime
    return assets.respond(assets.url('runtime.js'))!
  }
  async function receive(request: Request): Promise<Response> {
    state.headers.push(request.headers)
    state.received.push(JSON.parse(await request.text()))
    return state.nextAnswers.shift()?.() ?? answer(200, receiptOf(state.received.length))
  }

  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/~/runtime.js') return runtime()
      if (pathname === '/~/responses') return receive(request)
      if (pathname === '/p/framed') return shellResponse(assets.text('shell.js'))
      if (pathname === '/favicon.ico') return new Response(null, { status: 204 })
      const [, mode, path = ''] = /^\/p\/(direct|framed\/~cap)(?:\/(.*))?$/.exec(pathname) ?? []
      const html = state.files[path || 'index.html']
      if (mode === undefined || html === undefined) return new Response(null, { status: 404 })
      return fileResponse(html, assets, mode === 'direct' ? 'page token' : null)
    },
  })
}

/** @param token of the viewer; null in the shell, which sends it itself */
function fileResponse(html: string, assets: Assets, token: string | null): Response {
  const tokenAttribute = token === null ? '' : ` data-token="${token}"`
  // With a source token of its own, as where the page has conversations.
  const frameScript = `<script data-stamp="panel token">${assets.text('shell.frame.js')}</script>`
  const tags = `${token === null ? frameScript : ''}
<script>${assets.text('runtime.stub.js')}</script>
<script src="/~/runtime.js" async${tokenAttribute} data-stamp="source token"></script>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `sandbox ${SANDBOX_TOKENS}`,
    'set-cookie': 'somebody=1; Path=/; SameSite=Lax',
  }
  return new Response(`<!doctype html><html><head>${tags}${html}`, { headers })
}

function shellResponse(script: string): Response {
  const nonce = 'bm9uY2U'
  const frame = {
    sandbox: SANDBOX_TOKENS,
    filesUrl: '/p/framed/~cap/',
    pagePath: '/p/framed',
    renewalUrl: '',
    path: 'index.html',
    onlyPath: 'index.html',
    paths: ['index.html'],
    pageKey: 'key',
    isIsolated: false,
    origin: 'null',
    token: 'shell token',
    timeToken: '',
    stamp: '',
  }
  const og = { title: null, description: null, url: '' }
  const about = { title: 'A title', nonce, accent: 'blue', isIndexed: false, ownerBar: null }
  const page = shellPage({ ...about, og, frame, script, panel: null })
  const csp = shellCsp(nonce, "'self'")
  return new Response(page, {
    headers: { 'content-type': 'text/html', 'content-security-policy': csp },
  })
}

function receiptOf(submitCount: number) {
  return {
    data: { id: 'rsp_1', submitted_at: '2026-11-21T10:00:00.000000Z', submit_count: submitCount },
  }
}

/** An answer for `nextAnswers` that refuses the submission. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}) {
  return () => answer(status, { error: { code, message: `It is ${code}.` } }, headers)
}

function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after',
  }
  return Response.json(body, { status, headers: { ...cors, ...headers } })
}
