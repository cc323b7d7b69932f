import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { newWindow } from '../../../acceptance/browser.ts'
import { bundle } from '../../../web/build.ts'
import type { Assets } from '../../http/kit/assets.ts'
import { testApp } from '../app.ts'
import { builtWeb } from '../built-web.ts'
import { localAddress, withNotes } from './server.ts'

const SCRIPT = '/~/panel-of-tests.js'

export interface PanelServerOptions {
  /** Gives each page an origin of its own. */
  hasOrigins?: boolean
}

/** A server whose panel has the tabs of `entry.ts`. */
export async function servePanel({ hasOrigins = false }: PanelServerOptions = {}) {
  const { port, baseUrl } = localAddress()
  const contentUrl = hasOrigins ? `http://{page}.localhost:${port}` : null
  const app = await testApp('sqlite', { baseUrl, contentUrl })
  const { notes, listen } = withNotes(app, await assetsWithPanel())
  const server = listen({ port, host: '127.0.0.1' })
  return {
    app,
    baseUrl,
    notes,
    async stop() {
      await server.stop()
      await app[Symbol.asyncDispose]()
    },
  }
}

/** The same, with a browser to open its pages in. */
export async function startPanelServer(browser: () => Browser, options?: PanelServerOptions) {
  const server = await servePanel(options)
  return {
    ...server,
    async open(path: string) {
      const window = await newWindow(browser())
      await window.tab.goto(server.baseUrl + path)
      return window
    },
  }
}
export type PanelServer = Awaited<ReturnType<typeof startPanelServer>>

async function assetsWithPanel(): Promise<Assets> {
  const built = builtWeb()
  const script = await bundle(join(import.meta.dir, 'entry.ts'), 'iife')
  const headers = { 'content-type': 'text/javascript; charset=utf-8' }
  return {
    url: (name) => (name === 'panel.js' ? SCRIPT : built.url(name)),
    path: built.path,
    has: built.has,
    text: built.text,
    respond: (path, accepted) =>
      path === SCRIPT
        ? new Response(Buffer.from(script), { headers })
        : built.respond(path, accepted),
  }
}
