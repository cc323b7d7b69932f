import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, newWindow } from '../../../acceptance/browser.ts'
import { buildWeb, bundle } from '../../../web/build.ts'
import { loadAssets } from '../../http/kit/assets.ts'
import { testApp } from '../app.ts'
import { localAddress, withNotes } from './server.ts'

const SCRIPT = '/~/panel-of-tests.js'

/** A server whose panel has the tabs of `entry.ts`, and a browser to open its pages in. */
export async function startPanelServer() {
  const dist = mkdtempSync(join(tmpdir(), 'handbill-panel-'))
  await buildWeb(dist)
  const built = loadAssets(dist)
  const script = await bundle(join(import.meta.dir, 'entry.ts'), 'iife')
  const headers = { 'content-type': 'text/javascript; charset=utf-8' }
  const assets = {
    url: (name: string) => (name === 'panel.js' ? SCRIPT : built.url(name)),
    respond: (path: string, accepted?: string | null) =>
      path === SCRIPT
        ? new Response(Buffer.from(script), { headers })
        : built.respond(path, accepted),
  }
  const { port, baseUrl } = localAddress()
  const app = await testApp('sqlite', { baseUrl })
  const { notes, listen } = withNotes(app, assets)
  const server = listen({ port, host: '127.0.0.1' })
  const browser = await launch()
  return {
    app,
    baseUrl,
    browser,
    notes,
    async open(path: string) {
      const window = await newWindow(browser)
      await window.tab.goto(baseUrl + path)
      return window
    },
    async stop() {
      await browser.close()
      await server.stop()
      await app[Symbol.asyncDispose]()
      rmSync(dist, { recursive: true })
    },
  }
}
export type PanelServer = Awaited<ReturnType<typeof startPanelServer>>
