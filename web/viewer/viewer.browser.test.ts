import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { testBrowser } from '../../acceptance/test-browser.ts'
import { LOCKED_PDF } from '../../src/testing/locked-pdf.ts'
import { samplePdf } from '../../src/testing/sample-pdf.ts'
import {
  countInk,
  type Files,
  startViewer,
  type ViewerHarness,
  waitUntilRendered,
} from '../../src/testing/viewer-page.ts'

const LINES = ['The handbill is a printed sheet', 'passed from hand to hand (quietly)']
const pdf = (bytes: Uint8Array<ArrayBuffer>) => ({ mime: 'application/pdf', bytes })
const files: Files = {
  'report.pdf': pdf(samplePdf({ pages: 12, lines: LINES })),
  'slides.pdf': pdf(samplePdf({ pages: 3, landscape: true })),
  'broken.pdf': pdf(new TextEncoder().encode('%PDF-1.4 no more')),
  'locked.pdf': pdf(LOCKED_PDF),
  'huge.pdf': pdf(samplePdf({ pages: 400, bulkBytes: 100_000, lines: LINES })),
}

const browser = testBrowser({ closesWindows: true })
let viewer: ViewerHarness
const open: ViewerHarness['open'] = (...request) => viewer.open(...request)

/** In the page: the value of the page field, the text of an element. */
declare function value(): string
declare function text(selector: string): string

describe('the viewer', () => {
  beforeAll(async () => {
    viewer = startViewer(files, browser)
    files['wide.png'] = { mime: 'image/png', bytes: await drawPng() }
  }, 30_000)
  afterAll(() => viewer.stop())

  test('renders the first pages with selectable text, and shows the page number', async () => {
    const { page, problems } = await open('report.pdf')
    expect(await page.inputValue('#page')).toBe('1')
    expect(await page.textContent('#page-count')).toBe('12')
    expect(await page.textContent('.page[data-page-number="1"] .textLayer')).toContain(LINES[0]!)
    expect(await countInk(page, 1)).toBeGreaterThan(0)
    expect(problems).toEqual([])
  }, 20_000)

  test('goes to a page by number, keys and links', async () => {
    const { page } = await open('report.pdf')
    await page.fill('#page', '7')
    await page.press('#page', 'Enter')
    await waitUntilRendered(page, 7)
    await page.keyboard.press('End')
    await page.waitForFunction(() => value() === '12')
    await page.keyboard.press('Home')
    await page.waitForFunction(() => value() === '1')
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => value() === '2')
    await page.fill('#page', '99')
    await page.press('#page', 'Enter')
    expect(await page.inputValue('#page')).toBe('2')
    await page.keyboard.press('Home')
    await page.click('.page[data-page-number="1"] .linkAnnotation a[href^="#"]')
    await page.waitForFunction(() => value() === '12')
  }, 20_000)

  test('opens external links in a new window without an opener', async () => {
    const { page } = await open('report.pdf')
    const link = page.locator('.page[data-page-number="1"] a[href^="https://example.com"]')
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toContain('noopener')
  }, 20_000)

  test('finds text in pages that were never rendered', async () => {
    const { page } = await open('report.pdf')
    await page.keyboard.press('Control+f')
    await page.fill('#find-field', 'page 11 of')
    await page.waitForFunction(() => text('#find-count') === '1 of 1')
    await waitUntilRendered(page, 11)
    await page.fill('#find-field', 'hand to hand')
    await page.waitForFunction(() => text('#find-count').endsWith('of 12'))
    await page.fill('#find-field', 'nowhere to be found')
    await page.waitForFunction(() => text('#find-count') === 'Not found')
    await page.keyboard.press('Escape')
    expect(await page.isVisible('#find')).toBe(false)
  }, 20_000)

  test('zooms by buttons, keys and wheel, and fits again', async () => {
    const { page } = await open('report.pdf')
    const percent = async () => Number.parseInt((await page.textContent('#zoom-fit'))!, 10)
    expect(await percent()).toBe(125)
    await page.click('#zoom-in')
    expect(await percent()).toBe(150)
    await page.keyboard.press('-')
    expect(await percent()).toBe(125)
    await page.mouse.move(600, 400)
    await page.keyboard.down('Control')
    for (let step = 0; step < 20; step += 1) await page.mouse.wheel(0, -3)
    await page.keyboard.up('Control')
    await page.waitForTimeout(200)
    expect(await percent()).toBeGreaterThan(145)
    await page.keyboard.press('0')
    expect(await percent()).toBe(125)
    await page.click('#zoom-fit')
    expect(await percent()).toBe(100)
  }, 20_000)

  test('keys typed in the panel beside it are no shortcuts', async () => {
    const { page } = await open('report.pdf')
    const zoom = await page.textContent('#zoom-fit')
    await page.evaluate(() => {
      const root = document.body.appendChild(document.createElement('div'))
      root.id = 'conversations'
      root.attachShadow({ mode: 'open' }).innerHTML = '<textarea></textarea>'
    })
    await page.focus('#conversations textarea')
    for (const key of ['2', '0', '-', '+', '=', '_', 'Home', 'End', 'ArrowLeft', '1']) {
      await page.keyboard.press(key)
    }
    expect(await page.inputValue('#conversations textarea')).toBe('20-+=1_')
    expect([await page.textContent('#zoom-fit'), await page.inputValue('#page')]).toEqual([
      zoom,
      '1',
    ])
  }, 20_000)

  test('shows the table of contents', async () => {
    const { page } = await open('report.pdf')
    await page.click('#outline-button')
    await page.click('#outline >> text=The end')
    await page.waitForFunction(() => value() === '12')
  }, 20_000)

  test('hides the bars on scrolling down, and shows them on scrolling up', async () => {
    const { page } = await open('report.pdf')
    await page.mouse.move(600, 400)
    await page.mouse.wheel(0, 600)
    await page.waitForFunction(() => document.body.hasAttribute('data-reading'))
    await page.mouse.wheel(0, -200)
    await page.waitForFunction(() => !document.body.hasAttribute('data-reading'))
  }, 20_000)

  test('prints every page', async () => {
    const { page } = await open('report.pdf')
    await page.evaluate(() => {
      window.print = () => {
        const count = document.querySelectorAll('#print img').length
        document.body.dataset.printed = String(count)
      }
    })
    await page.click('#print-button')
    await page.waitForFunction(() => document.body.dataset.printed === '12')
    expect(await page.locator('#print img').count()).toBe(0)
  }, 30_000)

  test('renders and fetches little of a file with hundreds of pages', async () => {
    const { page, problems, received } = await open('huge.pdf')
    expect(files['huge.pdf']!.bytes.length).toBeGreaterThan(35_000_000)
    for (const number of [100, 200, 300, 400, 37]) {
      await page.fill('#page', String(number))
      await page.press('#page', 'Enter')
      await waitUntilRendered(page, number)
    }
    await page.waitForTimeout(800)
    expect(await page.locator('.page canvas').count()).toBeLessThanOrEqual(6)
    expect(received.bytes).toBeLessThan(16_000_000)
    expect(problems).toEqual([])
  }, 60_000)

  test('explains what to do about a file that is damaged or gone', async () => {
    const { page } = await open('broken.pdf', { ready: '#message:not([hidden])' })
    expect(await page.textContent('#message')).toContain('damaged or incomplete')
    const gone = await open('gone.pdf', { ready: '#message:not([hidden])' })
    expect(await gone.page.textContent('#message')).toContain('closed or changed the link')
  }, 20_000)

  test('asks for the password of an encrypted file, and again after a wrong one', async () => {
    const { page } = await open('locked.pdf', { ready: '#message input' })
    await page.fill('#message input', 'a guess')
    await page.press('#message input', 'Enter')
    await page.waitForFunction(() => text('#message').includes('not its password'))
    await page.fill('#message input', 'opensesame')
    await page.press('#message input', 'Enter')
    await waitUntilRendered(page, 1)
    expect(await page.isVisible('#message')).toBe(false)
  }, 20_000)

  test('offers neither download nor print when view-only', async () => {
    const { page } = await open('report.pdf', { viewOnly: true })
    expect(await page.locator('#download, #print-button, a[download]').count()).toBe(0)
    const normal = await open('report.pdf')
    expect(await normal.page.getAttribute('#download', 'download')).toBe('report.pdf')
  }, 20_000)

  test('fits an image, shows it at actual size, and zooms around the pointer', async () => {
    const { page, problems } = await open('wide.png')
    const width = async () => (await page.locator('#image').boundingBox())!.width
    expect(await width()).toBe(1200 - 32)
    await page.click('#zoom-fit')
    expect(await width()).toBe(2000)
    await page.click('#zoom-fit')
    await page.dblclick('#image', { position: { x: 100, y: 100 } })
    expect(await width()).toBe((1200 - 32) * 2)
    const scrolled = await page.evaluate(() => document.querySelector('#container')!.scrollLeft)
    expect(Math.abs(scrolled - 100)).toBeLessThan(2)
    expect(await page.getAttribute('#image', 'alt')).toBe('A title')
    expect(problems).toEqual([])
  }, 20_000)

  test('shows an image without scripts, and a link to a PDF', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${viewer.url}view/wide.png`)
    expect((await page.locator('#image').boundingBox())!.width).toBeGreaterThan(1000)
    expect(await page.isVisible('#position')).toBe(false)
    await page.goto(`${viewer.url}view/report.pdf`)
    expect(await page.getAttribute('.no-script a', 'href')).toBe('/file/report.pdf')
  }, 20_000)

  test('is not wider than the screen of a phone', async () => {
    for (const name of ['report.pdf', 'slides.pdf', 'wide.png']) {
      const { page } = await open(name, { width: 390 })
      const rightEdge = await page.evaluate(() =>
        Math.max(
          ...['#bar', '#position', '#container > *'].map(
            (selector) => document.querySelector(selector)!.getBoundingClientRect().right,
          ),
        ),
      )
      expect(rightEdge).toBeLessThanOrEqual(390)
    }
  }, 30_000)
})

async function drawPng(): Promise<Uint8Array<ArrayBuffer>> {
  const page = await browser().newPage({ viewport: { width: 2000, height: 900 } })
  await page.setContent('<body style="background:linear-gradient(90deg,teal,gold)">')
  const bytes = await page.screenshot()
  await page.context().close()
  return new Uint8Array(bytes)
}
