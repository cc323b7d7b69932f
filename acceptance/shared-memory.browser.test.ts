/** `SharedArrayBuffer` on a page's own host, whose `_headers` ask for isolation, in Chromium. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from './browser.ts'
import { testChromium } from './isolation-visitor.ts'
import { base64 } from './material.ts'
import { BY_ITSELF, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'

setDefaultTimeout(240_000)
const site = await startOrigins(BY_ITSELF)
const browser = testChromium()
afterAll(cleanUp)

const SHOW = `document.title = [crossOriginIsolated, typeof SharedArrayBuffer, typeof Service].join(' ')`
const ISOLATED = `/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
  Cross-Origin-Resource-Policy: same-origin
`

test.each<[string, object]>([
  ['in a window', {}],
  ['beside the panel', { allow_comments: true }],
  ['beside the panel, with a view limit', { allow_comments: true, max_views: 9 }],
])('a page shares memory %s', async (name, settings) => {
  const page = await site.publish({
    title: name,
    files: [{ path: 'index.html', html: '<form data-service></form><script src="a.js"></script>' }],
    assets: [
      { path: 'a.js', data_base64: base64(SHOW) },
      { path: '_headers', data_base64: base64(ISOLATED) },
    ],
    ...settings,
  })
  const { tab, problems, leave } = await browser().newVisitor()
  await tab.goto(page.url)
  await becomes(() => tab.evaluate('document.title'), 'true function object')
  expect(problems).toEqual([])
  await leave()
})
