/** Our documents around a page write nothing in the console, and leave the page its viewport. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed } from './browser.ts'
import { base64, pdf, png, svg, word } from './material.ts'
import { type OriginSite, type Published, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'
import { testBrowser } from './test-browser.ts'

setDefaultTimeout(240_000)

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
  inner: innerWidth,
  client: document.documentElement.clientWidth,
  narrow: matchMedia('(max-width: 390px)').matches,
  wide: matchMedia('(min-width: 391px)').matches,
  portrait: matchMedia('(orientation: portrait)').matches,
  touch: matchMedia('(pointer: coarse)').matches,
  text: document.querySelector('p').getBoundingClientRect().height,
})`
/** How large the window shows a pixel, in hundredths. */
const SCALE = 'Math.round(visualViewport.scale * 100)'

const PHONE = { isMobile: true, hasTouch: true }
const PHONE_OPTIONS = { ...PHONE, viewport: { width: 390, height: 844 } }
const VIEWPORTS: [name: string, options: object][] = [
  ['a phone', PHONE_OPTIONS],
  ['a phone on its side', { ...PHONE, viewport: { width: 844, height: 390 } }],
  ['a computer', { viewport: { width: 1000, height: 700 } }],
]

/** What the page says of its viewport. */
const SAID: [name: string, meta: string][] = [
  ['the usual viewport', '<meta name=viewport content="width=device-width, initial-scale=1">'],
  ['no viewport', ''],
  ['a fixed width', '<meta name=viewport content="width=600">'],
  ['no zoom', '<meta name=viewport content="width=device-width, user-scalable=no">'],
]
const documentOf = (meta: string, body: string) =>
  `<!doctype html><html lang=en><title>Words</title>${meta}${BODY}${body}`

const CASES = VIEWPORTS.flatMap(([name, its]) =>
  SAID.map(([said, meta]) => [said, name, its, meta] as const),
)
test.each(CASES)(
  'a page with %s is laid out in the shell as in a window, on %s',
  async (...each) => {
    const [, , its, meta] = each
    const [site] = sites as [OriginSite]
    const context = await browser().newContext(its)
    const tab = await context.newPage()
    for (const tall of ['', '<p style="height:3000px">Tall</p>']) {
      const direct = await site.publish({ title: word('direct'), html: documentOf(meta, tall) })
      await show(tab, direct)
      const expected = await tab.evaluate(MEASURES)
      const scale = await tab.evaluate(SCALE)
      const height = Number(await tab.evaluate('innerHeight'))
      expect(tab.frames()).toHaveLength(1)
      const html = documentOf(meta, tall + STORED)
      const inShell = await site.publish({ title: word('shell'), html })
      await show(tab, inShell)
      const frame = await framed(tab, '#words')
      await becomes(() => frame.evaluate(MEASURES), expected)
      // The visitor sees it as large as in a window, and can zoom as far.
      await becomes(() => tab.evaluate(SCALE), scale)
      // Fractions of a pixel are rounded up or down.
      expect(Math.abs(Number(await frame.evaluate('innerHeight')) - height)).toBeLessThanOrEqual(1)
    }
  },
)

test('what our controls stand beside keeps their viewport, and they stay as large', async () => {
  const [site] = sites as [OriginSite]
  const context = await browser().newContext(PHONE_OPTIONS)
  const tab = await context.newPage()
  const fields = { html: documentOf('', STORED), allow_comments: true }
  await show(tab, await site.publish({ title: word('controls'), ...fields }))
  await framed(tab, '#words')
  const button = tab.getByRole('button', { name: 'Comments' })
  await button.click()
  expect(await tab.evaluate('[innerWidth, visualViewport.scale]')).toEqual([390, 1])
})
