/** What the dashboard's document shows before any script, style or font has arrived. */
import { beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import { markFirstRow, SLOW_4G } from '../../src/testing/slow-4g.ts'
import { becomes } from '../browser.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { type Dashboard, isTakenOver, openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000
const HOSTILE = '</script><img src=x onerror=alert(1)> "quoted" & \'single\''
const PHONE = { width: 390, height: 844 }
const GOAL_MS = 1000
/** Another process may have the processor during some of them. */
const MAX_TRIES = 12

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openDashboard(browser())
  for (const title of [...Array.from({ length: 30 }, () => word('plan')), HOSTILE]) {
    await dashboard.owner.publish({ html: html('words'), title })
  }
}, TIMEOUT)

/** A window of the same owner on a phone. */
async function onPhone(options: object = {}): Promise<{ tab: Tab; context: BrowserContext }> {
  const storageState = await dashboard.tab.context().storageState()
  const phone = { viewport: PHONE, isMobile: true, hasTouch: true }
  const context = await browser().newContext({ storageState, ...phone, ...options })
  return { context, tab: await context.newPage() }
}

/** Lets nothing arrive but documents. */
async function blockAllElse(context: BrowserContext): Promise<void> {
  await context.route('**/*', (route) =>
    route.request().resourceType() === 'document' ? route.continue() : route.abort(),
  )
}

test(
  'the document alone paints the list, styled, light and dark, with hostile titles as text',
  async () => {
    for (const [colorScheme, paper] of [
      ['light', 'rgb(251, 250, 247)'],
      ['dark', 'rgb(21, 20, 18)'],
    ] as const) {
      const { tab, context } = await onPhone({ colorScheme })
      await blockAllElse(context)
      await tab.goto(`${server.url}/app`)
      await tab.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
      await tab.getByRole('searchbox', { name: 'Search pages' }).waitFor()
      await tab.getByRole('button', { name: 'Access', exact: true }).waitFor()
      await tab.getByRole('link', { name: HOSTILE, exact: true }).waitFor()
      const rows = tab.getByRole('table', { name: 'Pages' }).locator('tbody tr')
      expect(await rows.count()).toBe(20)
      const look = await rows.first().evaluate((row) => ({
        display: getComputedStyle(row).display,
        height: row.getBoundingClientRect().height,
        paper: getComputedStyle(document.documentElement).backgroundColor,
        wide: document.documentElement.scrollWidth,
        title: document.title,
        images: document.images.length,
      }))
      expect(look).toMatchObject({ display: 'grid', paper, wide: PHONE.width, images: 0 })
      expect(look.height).toBeGreaterThan(40)
      expect(look.title).toBe('Pages · Handbill')
      const bar = await tab.getByRole('navigation', { name: 'Main' }).boundingBox()
      expect(Math.round(bar!.y + bar!.height)).toBe(PHONE.height)
      await context.close()
    }
  },
  TIMEOUT,
)

test(
  'the rows are painted within a second on a phone with slow 4G',
  async () => {
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < MAX_TRIES && best > GOAL_MS; tries++) {
      const { tab, context } = await onPhone()
      const session = await context.newCDPSession(tab)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', SLOW_4G)
      await tab.addInitScript(markFirstRow)
      await tab.goto(`${server.url}/app`)
      const painted = await tab.evaluate(
        () => performance.getEntriesByName('row')[0]?.startTime ?? null,
      )
      expect(painted).toBeGreaterThan(SLOW_4G.latency)
      best = Math.min(best, painted!)
      await context.close()
    }
    expect(best).toBeLessThanOrEqual(GOAL_MS)
  },
  TIMEOUT,
)

/** Opens the list with its scripts held back until `release` is called. */
async function openHeld() {
  const { tab, context } = await onPhone()
  const problems: string[] = []
  tab.on('pageerror', ({ message }) => problems.push(message))
  tab.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await context.route('**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await tab.goto(`${server.url}/app`, { waitUntil: 'commit' })
  await tab.getByRole('table', { name: 'Pages' }).waitFor()
  expect(await isTakenOver(tab)).toBe(false)
  async function takeOver(): Promise<void> {
    release()
    await becomes(() => isTakenOver(tab), true)
  }
  return { tab, context, problems, takeOver }
}

test(
  'what is typed before the script is there is searched for, and keeps the focus',
  async () => {
    const { tab, context, problems, takeOver } = await openHeld()
    const box = tab.getByRole('searchbox', { name: 'Search pages' })
    await tab.keyboard.press('/')
    await tab.keyboard.type('img one')
    await takeOver()
    await tab.keyboard.type('rror')
    expect(await box.inputValue()).toBe('img onerror')
    await becomes(() => tab.getByRole('table', { name: 'Pages' }).locator('tbody tr').count(), 1)
    expect(await box.evaluate((field) => field === document.activeElement)).toBe(true)
    await becomes(async () => new URL(tab.url()).searchParams.get('search'), 'img onerror')
    expect(problems).toEqual([])
    await context.close()
  },
  TIMEOUT,
)

test(
  'presses, boxes, keys and the place on the page are not lost before the script is there',
  async () => {
    const first = await openHeld()
    await first.tab.evaluate(() => scrollTo(0, 300))
    await first.tab.getByRole('checkbox', { name: `Select ${HOSTILE}` }).dispatchEvent('click')
    await first.tab.getByRole('button', { name: 'Access', exact: true }).dispatchEvent('click')
    await first.takeOver()
    await first.tab.getByText('1 page chosen').waitFor()
    await first.tab.getByRole('menuitemradio', { name: 'Anyone with the link' }).waitFor()
    expect(await first.tab.evaluate(() => scrollY)).toBe(300)
    const all = first.tab.getByRole('table', { name: 'Pages' }).locator('tbody tr')
    await becomes(() => all.count(), 31)
    expect(first.problems).toEqual([])
    await first.context.close()

    const second = await openHeld()
    await second.tab.keyboard.press('Control+k')
    await second.takeOver()
    await second.tab.getByRole('combobox', { name: 'Search pages and commands' }).waitFor()
    expect(second.problems).toEqual([])
    await second.context.close()

    const third = await openHeld()
    await third.tab.getByRole('button', { name: 'More' }).click()
    await third.tab.getByRole('link', { name: 'Account' }).waitFor()
    await third.takeOver()
    expect(await third.tab.getByRole('link', { name: 'Account' }).isVisible()).toBe(true)
    expect(third.problems).toEqual([])
    await third.context.close()
  },
  TIMEOUT,
)

test(
  'without a page yet the ways to make one are painted, and other screens paint the frame',
  async () => {
    const { tab, problems } = await openDashboard(browser())
    await blockAllElse(tab.context())
    await tab.goto(`${server.url}/app`)
    await tab.getByRole('heading', { name: 'Drop something' }).waitFor()
    await tab.getByRole('textbox', { name: 'HTML' }).waitFor()
    expect(await tab.getByRole('tabpanel').textContent()).toContain(`${server.url}/mcp`)
    for (const path of ['/app/inbox', '/app/account', '/app/new']) {
      await tab.goto(server.url + path)
      const current = tab.locator('nav a[aria-current=page]:visible')
      expect(await current.getAttribute('href')).toBe(path === '/app/new' ? '/app' : path)
    }
    await tab.context().unrouteAll()
    problems.length = 0
    await tab.goto(`${server.url}/app`)
    await becomes(() => isTakenOver(tab), true)
    await tab.getByRole('heading', { name: 'Drop something' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'with scripts off the list is shown, and says that it needs them',
  async () => {
    const { tab, context } = await onPhone({ javaScriptEnabled: false })
    await tab.goto(`${server.url}/app`)
    const note = tab.locator('noscript')
    expect(await note.textContent()).toContain('This page needs JavaScript.')
    expect(await note.isVisible()).toBe(true)
    await tab.getByRole('link', { name: HOSTILE, exact: true }).waitFor()
    await context.close()
  },
  TIMEOUT,
)

test(
  'the document brings the first fifty pages along, and the rest of the list comes by itself',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    await Promise.all(Array.from({ length: 55 }, () => owner.publish({ html: html('words') })))
    await open('/app')
    const boot = JSON.parse((await tab.locator('#boot').textContent())!)
    expect([boot.pages.data.length, boot.pages.next_offset]).toEqual([50, 50])
    await becomes(() => isTakenOver(tab), true)
    const rows = tab.getByRole('table', { name: 'Pages' }).locator('tbody tr')
    await rows.last().scrollIntoViewIfNeeded()
    await becomes(async () => {
      await rows.last().scrollIntoViewIfNeeded()
      return rows.count()
    }, 55)
    await tab.context().close()
  },
  TIMEOUT,
)
