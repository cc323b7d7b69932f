import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launch, newWindow, type Window } from '../../acceptance/browser.ts'
import { buildWeb } from '../../web/build.ts'
import type { Submission } from '../../web/runtime/submission.ts'
import { type Assets, loadAssets } from '../http/kit/assets.ts'
import { createInlineScripts } from '../http/kit/inline-scripts.ts'
import { SANDBOX_TOKENS } from '../http/visitor/request/content-headers.ts'
import { shellCsp, shellPage } from '../http/visitor/shell/document.ts'

export type Received = Submission & { token: string }

/** What the server of the tests is told, and what it was sent. */
interface Stage {
  /** Path below the page → its HTML. */
  files: Record<string, string>
  received: Received[]
  /** Of the requests that brought them. */
  headers: Headers[]
  /** Given first, one each; after them every request is taken. */
  refusals: (() => Response)[]
  /** What the runtime's own request waits for; 'missing' answers that there is none. */
  runtime: Promise<void> | 'missing'
}

export interface RuntimeHarness {
  url: string
  stage: Stage
  assets: Assets
  browser: Browser
  /** Opens what the stage's `files` hold, as a page by itself or in the shell. */
  open(html: string, options?: { isFramed?: boolean }): Promise<Window>
  clear(): Promise<void>
  stop(): Promise<void>
}

/** The runtime as built now, in pages with the headers of real ones, in a real browser. */
export async function startRuntime(): Promise<RuntimeHarness> {
  const dist = mkdtempSync(join(tmpdir(), 'handbill-runtime-'))
  await buildWeb(dist)
  const assets = loadAssets(dist)
  const stage = {} as Stage
  const server = serveStage(stage, assets)
  const browser = await launch()
  const clear = async () => {
    for (const context of browser.contexts()) await context.close()
    const fresh = { files: {}, received: [], headers: [], refusals: [], runtime: Promise.resolve() }
    Object.assign(stage, fresh)
  }
  await clear()
  return {
    url: server.url.href,
    stage,
    assets,
    browser,
    async open(html, { isFramed = false } = {}) {
      stage.files['index.html'] = html
      const window = await newWindow(browser)
      const url = `${server.url.href}p/${isFramed ? 'framed' : 'direct'}`
      await window.tab.goto(url, { waitUntil: stage.runtime === 'missing' ? 'load' : 'commit' })
      return window
    },
    clear,
    async stop() {
      await browser.close()
      server.stop(true)
      rmSync(dist, { recursive: true })
    },
  }
}

function serveStage(stage: Stage, assets: Assets) {
  const scripts = createInlineScripts(assets)
  const nonce = 'bm9uY2U'

  async function fileOf(path: string, token: string | null): Promise<Response> {
    const html = stage.files[path || 'index.html']
    if (html === undefined) return new Response(null, { status: 404 })
    const credential = token === null ? '' : ` data-token="${token}"`
    const frame = `<script>${await scripts.text('shell.frame.js')}</script>`
    const tags = `${token === null ? frame : ''}
<script>${await scripts.text('runtime.stub.js')}</script>
<script src="/~/runtime.js" async${credential} data-stamp="a stamp"></script>`
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `sandbox ${SANDBOX_TOKENS}`,
      'set-cookie': 'somebody=1; Path=/; SameSite=Lax',
    }
    return new Response(`<!doctype html><html><head>${tags}${html}`, { headers })
  }
  async function shell(): Promise<Response> {
    const frame = {
      sandbox: SANDBOX_TOKENS,
      filesUrl: '/p/framed/~cap/',
      pagePath: '/p/framed',
      path: 'index.html',
      onlyPath: 'index.html',
      pageKey: 'key',
      origin: 'null',
      token: 'of the shell',
    }
    const og = { title: null, description: null, url: '' }
    const about = { title: 'A title', nonce, accent: 'blue', isIndexed: false, ownerBar: null }
    const page = shellPage({ ...about, og, frame, script: await scripts.text('shell.js') })
    const csp = shellCsp(nonce, "'self'")
    return new Response(page, {
      headers: { 'content-type': 'text/html', 'content-security-policy': csp },
    })
  }
  async function runtime(): Promise<Response> {
    if (stage.runtime === 'missing') return new Response(null, { status: 404 })
    await stage.runtime
    return assets.respond(assets.url('runtime.js'))!
  }
  async function take(request: Request): Promise<Response> {
    stage.headers.push(request.headers)
    stage.received.push(JSON.parse(await request.text()))
    return stage.refusals.shift()?.() ?? answer(200, receiptOf(stage.received.length))
  }

  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/~/runtime.js') return runtime()
      if (pathname === '/~/responses') return take(request)
      if (pathname === '/p/framed') return shell()
      if (pathname === '/favicon.ico') return new Response(null, { status: 204 })
      const [, way, path = ''] = /^\/p\/(direct|framed\/~cap)(?:\/(.*))?$/.exec(pathname) ?? []
      if (way === undefined) return new Response(null, { status: 404 })
      return fileOf(path, way === 'direct' ? 'of the page' : null)
    },
  })
}

function receiptOf(submitCount: number) {
  return {
    data: { id: 'rsp_1', submitted_at: '2026-11-21T10:00:00.000000Z', submit_count: submitCount },
  }
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}) {
  return () => answer(status, { error: { code, message: `It is ${code}.` } }, headers)
}

function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  const open = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after',
  }
  return Response.json(body, { status, headers: { ...open, ...headers } })
}
