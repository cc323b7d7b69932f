/**
 * Every screen with the data of a used account: accessible, without errors, and not wider than a
 * phone of 320 px. SCREENSHOTS=FOLDER also writes pictures of each.
 */
import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { viewer } from '../responses/viewer.ts'
import { testBrowser } from '../test-browser.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { fillAccount, type SampleAccount } from './sample-account.ts'

const TIMEOUT = 240_000
const FOLDER = process.env.SCREENSHOTS

const browser = testBrowser()
let dashboard: Dashboard
let sample: SampleAccount
beforeAll(async () => {
  dashboard = await openDashboard(browser(), { plan: 'team', bypassCSP: true, isOperator: true })
  sample = await fillAccount(dashboard.owner)
}, TIMEOUT)

const SCREENS: Record<string, (pages: SampleAccount) => string> = {
  pages: () => '/app',
  'new-page': () => '/app/new',
  page: ({ plan }) => `/app/pages/${plan.id}`,
  edit: ({ plan }) => `/app/pages/${plan.id}/edit`,
  'edit-deck': ({ deck }) => `/app/pages/${deck.id}/edit`,
  versions: ({ plan }) => `/app/pages/${plan.id}/versions`,
  share: ({ plan }) => `/app/pages/${plan.id}/share`,
  responses: ({ survey }) => `/app/pages/${survey.id}/responses`,
  comments: ({ plan }) => `/app/pages/${plan.id}/comments`,
  approvals: ({ plan }) => `/app/pages/${plan.id}/approvals`,
  poll: ({ plan }) => `/app/pages/${plan.id}/poll`,
  'page-analytics': ({ plan }) => `/app/pages/${plan.id}/analytics`,
  pdf: ({ report }) => `/app/pages/${report.id}`,
  inbox: () => '/app/inbox',
  analytics: () => '/app/analytics',
  developer: () => '/app/developer',
  account: () => '/app/account',
  operator: () => '/app/admin',
  'operator-accounts': () => '/app/admin/accounts',
  'operator-pages': () => '/app/admin/pages',
  'operator-outbox': () => '/app/admin/outbox',
  'operator-settings': () => '/app/admin/settings',
}

for (const [name, pathOf] of Object.entries(SCREENS)) {
  test(
    `${name}: accessible at every width, without errors and without sideways scrolling`,
    async () => {
      const { tab, problems, open, expectAccessible } = dashboard
      problems.length = 0
      await tab.emulateMedia({ colorScheme: 'light' })
      await open(pathOf(sample))
      await tab.waitForLoadState('networkidle')
      if (name.startsWith('edit')) {
        await tab.locator('.cm-content[contenteditable=true]').waitFor()
        // The frame first loads our document, which then writes the draft.
        const draft = tab.frameLocator('[title="Preview of the draft"]')
        await draft.locator('h1').first().waitFor({ state: 'attached' })
      }
      await expectAccessible()
      await tab.setViewportSize({ width: 320, height: 640 })
      const width = await tab.evaluate(() => document.documentElement.scrollWidth)
      expect(width, 'the width of the document').toBeLessThanOrEqual(320)
      if (FOLDER !== undefined) await takePictures(tab, join(FOLDER, name))
      await tab.setViewportSize({ width: 1280, height: 800 })
      expect(await cutRings(tab)).toEqual([])
      expect(problems).toEqual([])
    },
    TIMEOUT,
  )
}

test(
  'on a phone the open tab and the open place are in view, once counts and folders have come',
  async () => {
    const { tab, owner, open } = dashboard
    const folders = ['Clients', 'Events', 'Proposals', 'Research']
    for (const folder of folders) await owner.publish({ html: '<p>x</p>', folder })
    await tab.setViewportSize({ width: 390, height: 844 })
    const { id } = await owner.publish({ html: '<p>x</p>', title: 'of a long title '.repeat(12) })
    await open(`/app/pages/${id}`)
    const heading = await tab.getByRole('heading', { level: 1 }).boundingBox()
    expect(heading!.height).toBeLessThan(120)
    for (const [name, path, last] of [
      ['Page', SCREENS['page-analytics']!(sample), 'Analytics'],
      ['Folders', '/app?state=trash', 'Trash'],
    ] as const) {
      await open(path)
      const strip = tab.getByRole('navigation', { name, exact: true })
      const shows = () =>
        strip.evaluate((nav) => {
          const { left, right } = nav.querySelector('[aria-current]')!.getBoundingClientRect()
          return nav.scrollWidth > nav.clientWidth && left >= 0 && right <= innerWidth
        })
      expect(await strip.locator('[aria-current]').textContent()).toBe(last)
      await tab.waitForLoadState('networkidle')
      await becomes(shows, true)
      // The keyboard brings what is cut at the edge whole.
      const cut = await strip.getByRole('link').evaluateAll(
        (links) =>
          links.filter((link) => {
            link.focus()
            const { left, right } = link.getBoundingClientRect()
            return left < 0 || right > innerWidth
          }).length,
      )
      expect(cut).toBe(0)
    }
  },
  TIMEOUT,
)

test(
  'on a phone of 320 px, the longest words and addresses break and stay inside',
  async () => {
    const { tab, owner, open } = dashboard
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(3)
    const email = `${'a.long.name.'.repeat(5)}x@${'department.of.a.company.'.repeat(3)}example.com`
    const page = await owner.publish({
      html: '<form data-service><input name="word"></form>',
      ...{ collect_votes: true, poll_question: long, poll_options: [long, 'Short'] },
      ...{ collect_approvals: true, approver_emails: [email] },
    })
    await viewer().respond(page, { word: long, [long]: 'Short' })
    const files = ['index.html', `${'a-folder/'.repeat(8)}page.html`]
    const deck = await owner.publish({ files: files.map((path) => ({ path, html: '<p>x' })) })
    const ends: [id: string, path: string, text: string][] = [
      [page.id, 'poll', long],
      [page.id, 'approvals', email],
      [page.id, 'responses', long],
      [deck.id, 'edit', files[1]!],
    ]
    await tab.setViewportSize({ width: 320, height: 640 })
    for (const [id, path, text] of ends) {
      await open(`/app/pages/${id}/${path}`)
      const longText = tab.getByRole('main').getByText(text, { exact: true }).last()
      await longText.waitFor({ state: 'attached' })
      const end = await tab.getByRole('main').evaluate((main, words) => {
        const has = [...main.querySelectorAll('p, span, bdi')].filter(
          (each) => each.textContent === words && each.closest('table') === null,
        )
        const ends = has.map((each) => each.getBoundingClientRect().right)
        return Math.max(document.documentElement.scrollWidth, ...ends)
      }, text)
      expect(end, path).toBeLessThanOrEqual(320)
    }
    await open('/app/inbox')
    await tab.getByText(long, { exact: true }).first().waitFor()
    const width = await tab.evaluate(() => document.documentElement.scrollWidth)
    expect(width, 'inbox').toBeLessThanOrEqual(320)
    // Fixed, it would cover some of each sheet.
    await tab.emulateMedia({ media: 'print' })
    expect(await tab.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    await tab.emulateMedia({ media: null })
  },
  TIMEOUT,
)

test(
  'where a browser has letters of twice the size, the layout is that of half the width',
  async () => {
    const { tab, open } = dashboard
    const devtools = await tab.context().newCDPSession(tab)
    const lettersOf = (standard: number) =>
      devtools.send('Page.setFontSizes', { fontSizes: { standard } })
    await tab.setViewportSize({ width: 1280, height: 800 })
    await lettersOf(32)
    try {
      await open('/app')
      const title = tab.getByRole('link', { name: 'Launch plan for the spring collection' })
      expect((await title.boundingBox())!.width).toBeGreaterThan(400)
      expect(await tab.locator('table thead').isVisible()).toBe(false)
      await tab.setViewportSize({ width: 390, height: 800 })
      for (const whole of [tab.getByRole('cell', { name: 'Changes waiting' }), title]) {
        const cut = await whole.evaluate((each) => each.scrollWidth - each.clientWidth)
        expect(cut, 'on a phone, state and title are whole').toBeLessThanOrEqual(0)
      }
    } finally {
      await lettersOf(16)
      await devtools.detach()
    }
  },
  TIMEOUT,
)

test(
  'with the text spacing that readers may set, no head of a column breaks within its word',
  async () => {
    const { tab, open } = dashboard
    await tab.setViewportSize({ width: 1440, height: 900 })
    await open('/app')
    await tab.addStyleTag({
      content: '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    })
    const linesOf = (heads: Element[]) =>
      heads.map((head) => {
        const range = document.createRange()
        range.selectNodeContents(head)
        return [head.textContent, new Set([...range.getClientRects()].map((r) => r.bottom)).size]
      })
    const heads = tab.getByRole('columnheader').filter({ hasText: /Responses|Comments/ })
    expect(await heads.evaluateAll(linesOf)).toEqual([
      ['Responses', 1],
      ['Comments', 1],
    ])
  },
  TIMEOUT,
)

test(
  'where the system gives the colours, the open tab and a switch that is on are told apart',
  async () => {
    const { tab, open } = dashboard
    await tab.emulateMedia({ forcedColors: 'active' })
    const coloursOf = (selector: string) =>
      tab
        .locator(selector)
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
    await open(SCREENS['page-analytics']!(sample))
    const tabs = 'nav[aria-label=Page] a'
    const [chosen] = await coloursOf(`${tabs}[aria-current]`)
    expect(await coloursOf(`${tabs}:not([aria-current])`)).not.toContain(chosen)
    // Else the text has a plate in the colour of the page, which is its own.
    const adjusts = (each: Element) => getComputedStyle(each).forcedColorAdjust
    expect(await tab.locator(`${tabs}[aria-current]`).evaluate(adjusts)).toBe('none')
    const ring = (each: Element) => getComputedStyle(each).outlineColor
    await tab.locator(`${tabs}[aria-current]`).focus()
    expect(await tab.locator(`${tabs}[aria-current]`).evaluate(ring)).toBe(chosen!)
    await open(SCREENS.page!(sample))
    await tab.locator('fieldset label').first().waitFor()
    expect(await coloursOf('fieldset label:has(:checked)')).toContain(chosen!)
    await open(SCREENS.account!(sample))
    const [on] = await coloursOf('[role=switch][aria-checked=true]')
    expect(on).not.toBe((await coloursOf('body'))[0])
    await open('/app/admin/settings')
    const looks = (all: Element[]) => all.map((each) => getComputedStyle(each).appearance)
    const lists = await tab.locator('select').evaluateAll(looks)
    expect([...new Set(lists)]).toEqual(['auto'])
    await tab.emulateMedia({ forcedColors: null })
  },
  TIMEOUT,
)

/** What the keyboard reaches and whose focus ring something around it cuts off. */
async function cutRings(tab: Tab): Promise<string[]> {
  const cut = new Set<string>()
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await tab.keyboard.press('Tab')
    const problem = await tab.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused === document.body || focused.tagName === 'IFRAME') return null
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused)
      if (outlineStyle === 'none') return null
      const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
      const { left, right, top, bottom } = focused.getBoundingClientRect()
      for (let around = focused.parentElement; around !== null; around = around.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(around)
        const box = around.getBoundingClientRect()
        const inner = { left: box.left + around.clientLeft, top: box.top + around.clientTop }
        const isCutAcross =
          overflowX !== 'visible' &&
          (left - ring < inner.left - 0.5 || right + ring > inner.left + around.clientWidth + 0.5)
        const isCutDown =
          overflowY !== 'visible' &&
          (top - ring < inner.top - 0.5 || bottom + ring > inner.top + around.clientHeight + 0.5)
        const isRoot = around === document.body || around === document.documentElement
        if (!isRoot && (isCutAcross || isCutDown)) {
          const name = focused.getAttribute('aria-label') ?? focused.textContent ?? ''
          return `${focused.tagName} ${name.slice(0, 40)} in ${around.tagName}.${around.className}`
        }
        if (position === 'fixed') break
      }
      return null
    })
    if (problem !== null) cut.add(problem)
  }
  return [...cut]
}

/** At 1440 and 390 px, light and dark. */
async function takePictures(tab: Tab, path: string): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await tab.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.waitForTimeout(100)
      await tab.screenshot({ path: `${path}-${width}-${colorScheme}.png` })
    }
  }
}
