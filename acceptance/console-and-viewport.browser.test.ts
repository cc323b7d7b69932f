/** Our documents around a page write nothing in the console, and leave the page its viewport. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { framed } from './browser.ts'
import { base64, pdf, png, svg, word } from './material.ts'
import { type OriginSite, type Published, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'
import { testBrowser } from './test-browser.ts'

setDefaultTimeout(120_000)

const browser = testBrowser({ closesWindows: true })
const sites: OriginSite[] = []
beforeAll(async () => {
  sites.push(await startOrigins({ contentUrl: 'off' }), await startOrigins())
})
afterAll(cleanUp)

const HEAD = `<!doctype html><html lang=en><title>Words</title>
<meta name=viewport content="width=device-width, initial-scale=1">`
const BODY = '<body id=words style="margin:0"><p>Some words.</p>'
const STORED = `<script>localStorage.a = sessionStorage.b = 1; document.cookie = 'c=1'</script>`
const USED = `<svg width=9 height=9><use href="icons.svg#sun"></use></svg>
<script>new Worker('worker.js').onmessage = () => { document.body.dataset.worked = '' }</script>`
const FORM = '<form data-service><input name=a><button>Send</button></form>'
const DECK = {
  files: [{ path: 'index.html', html: HEAD + BODY + USED }],
  assets: [
    { path: 'worker.js', data_base64: base64('postMessage(1)') },
    { path: 'icons.svg', data_base64: base64(svg()) },
  ],
}

const PAGES: Record<string, object> = {
  'a page': { html: HEAD + BODY },
  'a page that uses storage': { html: HEAD + BODY + STORED },
  'a page that collects responses': { html: HEAD + BODY + FORM },
  'a page that collects responses and uses storage': { html: HEAD + BODY + FORM + STORED },
  'a page with conversations': {
    html: HEAD + BODY + FORM + STORED,
    allow_comments: true,
    collect_approvals: true,
    approver_emails: ['ann@example.com'],
    collect_votes: true,
    poll_question: 'Which?',
    poll_options: ['One', 'Two'],
  },
  'a deck with a worker and a sprite': DECK,
  'a deck with a view limit': { ...DECK, max_views: 100 },
  'a PDF': { file_base64: base64(pdf()), filename: 'a.pdf' },
  'an image': { file_base64: base64(png()), filename: 'a.png' },
}

const KINDS = Object.keys(PAGES)

/** Waits until the page, wherever it is framed, has loaded with all that it loads. */
async function show(tab: Tab, { url }: Published): Promise<void> {
  await tab.goto(url)
  await tab.waitForLoadState('networkidle')
}

test.each(KINDS)('%s has nothing of ours in its console', async (kind) => {
  for (const site of sites) {
    const page = await site.publish({ title: word('console'), ...PAGES[kind] })
    const tab = await browser().newPage()
    const said: string[] = []
    tab.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
    tab.on('pageerror', (error) => said.push(String(error)))
    await show(tab, page)
    await tab.reload()
    await tab.waitForLoadState('networkidle')
    expect(said).toEqual([])
    await tab.close()
  }
})

const MEASURES = `JSON.stringify({
  inner: [innerWidth, innerHeight],
  client: document.documentElement.clientWidth,
  visual: [visualViewport.width, visualViewport.scale],
  narrow: matchMedia('(max-width: 390px)').matches,
  wide: matchMedia('(min-width: 391px)').matches,
  portrait: matchMedia('(orientation: portrait)').matches,
  touch: matchMedia('(pointer: coarse)').matches,
})`

const PHONE = { isMobile: true, hasTouch: true }
const VIEWPORTS: [name: string, options: object][] = [
  ['a phone', { ...PHONE, viewport: { width: 390, height: 844 } }],
  ['a phone on its side', { ...PHONE, viewport: { width: 844, height: 390 } }],
  ['a computer', { viewport: { width: 1000, height: 700 } }],
]

test.each(VIEWPORTS)(
  'the page has the viewport of a window in the shell, on %s',
  async (_, its) => {
    const [site] = sites as [OriginSite]
    const context = await browser().newContext(its)
    const tab = await context.newPage()
    for (const tall of ['', '<p style="height:3000px">Tall</p>']) {
      const direct = await site.publish({ title: word('direct'), html: HEAD + BODY + tall })
      await show(tab, direct)
      const expected = JSON.parse(await tab.evaluate(MEASURES))
      expect(tab.frames()).toHaveLength(1)
      const inShell = await site.publish({
        title: word('shell'),
        html: HEAD + BODY + tall + STORED,
      })
      await show(tab, inShell)
      const frame = await framed(tab, '#words')
      expect(JSON.parse(await frame.evaluate(MEASURES))).toEqual(expected)
    }
  },
)
