/** How long visitors look at which part of a page, as browsers tell it. */
import { afterAll, expect, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { samplePdf } from '../src/testing/sample-pdf.ts'
import { openDashboard } from './app/dashboard.ts'
import { newWindow } from './browser.ts'
import { dataOf, type Page, pro } from './client.ts'
import { base64, html, word } from './material.ts'
import { cleanUp } from './start.ts'
import { testBrowser } from './test-browser.ts'

const TIMEOUT = 240_000
const DEADLINE_MS = 60_000
const POLL_MS = 100

const browser = testBrowser({ closesWindows: true })
afterAll(cleanUp)

interface Report {
  views: number
  files: { path: string; views: number; seconds: number }[]
  sections: { path: string; views: number; seconds: number }[]
  sheets: { sheet: number; views: number; seconds: number }[]
  measured: { opens: number; seconds: number; seconds_median: number | null }
}

/** In the page: how many seconds its script has counted. */
declare const ticks: number
const COUNT_TICKS = `{
  const start = setInterval
  window.ticks = 0
  window.setInterval = (run, ms) => start(ms === 1000 ? () => { run(); ticks += 1 } : run, ms)
}`

/** A visitor's tab on the page. */
async function visit({ url }: Page, { script = '' } = {}): Promise<Tab> {
  const { tab } = await newWindow(browser())
  await tab.addInitScript(COUNT_TICKS + script)
  await tab.goto(url)
  return tab
}

/** Waits until the script in the page has counted two more seconds. */
async function stay(tab: Tab): Promise<void> {
  const before = await tab.evaluate(() => ticks)
  await tab.waitForFunction((count) => ticks >= count + 2, before)
}

/** Opens another document. The window stays: Chromium drops what a window that closes still sends. */
async function leave(tab: Tab): Promise<void> {
  await tab.goto('about:blank')
}

/** The analytics of a page, once the time of so many views is in it. */
async function reportOf({ id }: Page, opens: number, by = pro): Promise<Report> {
  const end = Date.now() + DEADLINE_MS
  for (;;) {
    const report = dataOf<Report>(await by.call('GET', `/pages/${id}/analytics`))
    if (report.measured.opens >= opens) return report
    if (Date.now() > end) throw new Error(`Nothing was measured: ${JSON.stringify(report)}`)
    await Bun.sleep(POLL_MS)
  }
}

test(
  'of a PDF, the time is reported for each of its pages that was on the screen',
  async () => {
    const { owner, tab: app, open } = await openDashboard(browser())
    const fields = { file_base64: base64(samplePdf({ pages: 4 })), filename: 'plan.pdf' }
    const page = await owner.publish(fields)
    const tab = await visit(page)
    await tab
      .locator('.page[data-page-number="1"] .textLayer')
      .getByText('Page 1')
      .first()
      .waitFor()
    await stay(tab)
    await tab.fill('#page', '3')
    await tab.press('#page', 'Enter')
    await tab
      .locator('.page[data-page-number="3"] .textLayer')
      .getByText('Page 3')
      .first()
      .waitFor()
    await tab.waitForFunction(
      () => document.querySelector<HTMLInputElement>('#page')?.value === '3',
    )
    await stay(tab)
    await leave(tab)
    const { views, sheets, measured } = await reportOf(page, 1, owner)
    const secondsOf = (number: number) => sheets.find(({ sheet }) => sheet === number)?.seconds ?? 0
    expect(views).toBe(1)
    expect(secondsOf(1)).toBeGreaterThanOrEqual(1)
    expect(secondsOf(3)).toBeGreaterThanOrEqual(1)
    expect(secondsOf(4)).toBe(0)
    expect(measured.opens).toBe(1)
    expect(measured.seconds).toBeGreaterThanOrEqual(secondsOf(1) + secondsOf(3))
    await open(`/app/pages/${page.id}/analytics`)
    const list = app.getByRole('region', { name: 'Pages of the PDF' })
    for (const name of ['Page 1', 'Page 3']) await list.getByText(name, { exact: true }).waitFor()
    expect(await list.getByText('Page 4', { exact: true }).count()).toBe(0)
  },
  TIMEOUT,
)

test(
  'of a deck, the time is reported for its files, and for the places in them that were linked to',
  async () => {
    const page = await pro.publish({
      allow_comments: true,
      files: [
        { path: 'index.html', html: html('<a href="b.html#costs">To the costs</a>', word('deck')) },
        { path: 'b.html', html: html('<h2 id="costs">What it costs</h2>') },
        { path: 'c.html', html: html('never opened') },
      ],
    })
    const tab = await visit(page)
    const frame = tab.frameLocator('iframe').first()
    await frame.getByText('To the costs').waitFor()
    await stay(tab)
    await frame.getByText('To the costs').click()
    await frame.getByText('What it costs').waitFor()
    await tab.waitForURL(/\/b\.html#costs$/)
    await stay(tab)
    await leave(tab)
    const { files, sections, measured } = await reportOf(page, 1)
    const paths = files.filter(({ seconds }) => seconds >= 1).map(({ path }) => path)
    expect(paths.sort()).toEqual(['b.html', 'index.html'])
    expect(sections).toMatchObject([{ path: 'b.html#costs', views: 1 }])
    expect(sections[0]!.seconds).toBeGreaterThanOrEqual(1)
    expect(measured.seconds).toBeGreaterThanOrEqual(2)
  },
  TIMEOUT,
)

test(
  'a browser that asks not to be tracked is a view whose time is not reported',
  async () => {
    const form = '<form data-service><input name="a"></form>'
    const page = await pro.publish({ html: html(form, word('form')) })
    const script = "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })"
    const refusing = await visit(page, { script })
    await refusing.locator('input').waitFor()
    await leave(refusing)
    const tab = await visit(page)
    await tab.locator('input').waitFor()
    await stay(tab)
    await leave(tab)
    const { views, measured } = await reportOf(page, 1)
    expect([views, measured.opens]).toEqual([2, 1])
    expect(measured.seconds).toBeGreaterThanOrEqual(1)
  },
  TIMEOUT,
)
