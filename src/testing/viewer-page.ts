import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Assets } from '../http/kit/assets.ts'
import { viewerCsp, viewerPage } from '../http/visitor/shell/viewer.ts'
import { NO_BRAND } from '../model/brand.ts'
import { builtWeb } from './built-web.ts'

export type Files = Record<string, { mime: string; bytes: Uint8Array<ArrayBuffer> }>

export interface Opened {
  page: Page
  /** Errors and warnings of the console. */
  problems: string[]
  received: { bytes: number }
}

export interface ViewerHarness {
  url: string
  /** Opens a file in the viewer and waits until its first page is rendered, or for `ready`. */
  open(
    name: string,
    options?: { viewOnly?: boolean; width?: number; ready?: string },
  ): Promise<Opened>
  stop(): Promise<void>
}

/** Serves the viewer with the files to a browser. */
export function startViewer(files: Files, browser: () => Browser): ViewerHarness {
  const server = serveFiles(files, builtWeb())
  const url = server.url.href
  return {
    url,
    async open(name, { viewOnly = false, width = 1200, ready = '' } = {}) {
      const context = await browser().newContext({ viewport: { width, height: 800 } })
      const opened = await newObservedPage(context)
      await opened.page.goto(`${url}${viewOnly ? 'view-only' : 'view'}/${name}`)
      const first = name.endsWith('.pdf') ? '.page[data-page-number="1"] .endOfContent' : '#image'
      await opened.page.waitForSelector(ready || `[data-ready] ${first}`, { state: 'attached' })
      return opened
    },
    stop: () => server.stop(true),
  }
}

async function newObservedPage(context: BrowserContext): Promise<Opened> {
  const page = await context.newPage()
  const problems: string[] = []
  const received = { bytes: 0 }
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  network.on('Network.dataReceived', ({ dataLength }) => {
    received.bytes += dataLength
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  await page.addInitScript(() => {
    const find = (selector: string) => document.querySelector(selector)
    Object.assign(window, {
      value: () => (find('#page') as HTMLInputElement).value,
      text: (selector: string) => find(selector)?.textContent ?? '',
    })
  })
  return { page, problems, received }
}

export async function waitUntilRendered(page: Page, number: number): Promise<void> {
  const selector = `.page[data-page-number="${number}"]`
  await page.waitForSelector(`${selector} .endOfContent`, { state: 'attached' })
}

/** How many colour values of a page's canvas are not white. */
export function countInk(page: Page, number: number): Promise<number> {
  return page.evaluate((selector) => {
    const canvas = document.querySelector<HTMLCanvasElement>(`${selector} canvas`)!
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    return data.filter((value) => value < 250).length
  }, `.page[data-page-number="${number}"]`)
}

function serveFiles(files: Files, assets: Assets) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, href } = new URL(request.url)
      const asset = assets.respond(pathname, request.headers.get('accept-encoding'))
      if (asset) return asset
      const [, mode, name] = pathname.split('/')
      const file = files[name!]
      if (mode === 'file')
        return file ? respondWithRange(request, file) : new Response(null, { status: 410 })
      const nonce = crypto.randomUUID()
      const view = viewerPage({
        title: 'A title',
        file: {
          name: name!,
          mime: file?.mime ?? 'application/pdf',
          size_bytes: file?.bytes.length ?? 1,
        },
        fileUrl: `/file/${name}`,
        downloadUrl: mode === 'view-only' ? null : `/file/${name}?download`,
        og: { title: null, description: null, url: href },
        nonce,
        assets,
        accent: 'blue',
        brand: NO_BRAND,
        isIndexed: false,
        timeToken: '',
        stamp: '',
        panel: null,
        ownerBar: null,
      })
      const headers = { 'content-type': 'text/html', 'content-security-policy': viewerCsp(nonce) }
      return new Response(view, { headers })
    },
  })
}

function respondWithRange(
  request: Request,
  { mime, bytes }: { mime: string; bytes: Uint8Array<ArrayBuffer> },
): Response {
  const headers = { 'content-type': mime, 'accept-ranges': 'bytes' }
  const range = request.headers.get('range')?.match(/bytes=(\d+)-(\d+)/)
  if (!range) return new Response(bytes, { headers })
  const [start, end] = [Number(range[1]), Number(range[2])]
  const part = bytes.slice(start, end + 1)
  const contentRange = `bytes ${start}-${start + part.length - 1}/${bytes.length}`
  return new Response(part, { status: 206, headers: { ...headers, 'content-range': contentRange } })
}
