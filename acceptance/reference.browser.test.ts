/** The pages of /docs in a browser, on a phone and a desktop. */
import { expect, test } from 'bun:test'
import { newWindow } from './browser.ts'
import { violationsIn } from './gates/axe.ts'
import { docsPages } from './reference.ts'
import { server } from './server.ts'
import { testBrowser } from './test-browser.ts'

/** It ends what hangs: axe takes 10 s of processor time for a long page, and there are many. */
const TIMEOUT = 900_000
const browser = testBrowser()

async function opened(path: string) {
  const { tab, problems } = await newWindow(browser())
  await tab.goto(server.url + path)
  return { tab, problems }
}

test(
  'every page of /docs passes axe, narrow and wide, light and dark',
  async () => {
    const { tab, problems } = await opened('/docs')
    for (const path of [...(await docsPages()).keys(), '/docs/search?q=password']) {
      await tab.goto(server.url + path)
      expect(await violationsIn(tab), path).toEqual([])
    }
    await tab.keyboard.press('/')
    await tab.keyboard.type('password')
    await tab.waitForSelector('.found a')
    expect(await violationsIn(tab), 'with results').toEqual([])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'nothing in /docs is wider than the window or longer than 70, and no code is cut off',
  async () => {
    const { tab } = await opened('/docs')
    for (const path of (await docsPages()).keys()) {
      await tab.goto(server.url + path)
      for (const width of [320, 390, 768, 1280, 1440]) {
        await tab.setViewportSize({ width, height: 800 })
        const wide = await tab.evaluate(() => {
          const far = [...document.querySelectorAll('body *')].filter(
            (each) => each.getBoundingClientRect().right > innerWidth + 1,
          )
          const cut = [...document.querySelectorAll('pre')].filter(
            (each) => each.scrollWidth > each.clientWidth + 1,
          )
          const page = document.documentElement
          return {
            scrolls: page.scrollWidth > innerWidth,
            isLong: innerWidth === 1280 && page.scrollHeight > 70 * innerHeight,
            far: far.map((each) => each.outerHTML.slice(0, 200)),
            cut: cut.map((each) => each.textContent),
          }
        })
        const fits = { scrolls: false, isLong: false, far: [], cut: [] }
        expect(wide, `${path}, ${width} px`).toEqual(fits)
      }
    }
  },
  TIMEOUT,
)

test('the slash opens the search, which is worked by the keyboard', async () => {
  const { tab, problems } = await opened('/docs/guide')
  let loads = 0
  tab.on('request', (request) => {
    if (request.url().endsWith('/docs/search.json')) loads++
  })
  const input = tab.locator('.search input')
  expect(loads).toBe(0)
  await tab.keyboard.press('/')
  expect(await input.evaluate((each) => each === document.activeElement)).toBe(true)
  expect(await input.inputValue()).toBe('')
  await tab.keyboard.type('duplicate_title')
  const first = tab.locator('.found [role=option]').first()
  expect(await first.innerText()).toContain('duplicate_title')
  expect(await first.innerText()).toContain('Errors')
  expect(await first.getAttribute('aria-selected')).toBe('true')
  expect(await input.getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'))
  expect(await input.getAttribute('aria-expanded')).toBe('true')

  await tab.keyboard.press('Escape')
  expect(await tab.locator('.found').isVisible()).toBe(false)
  await input.fill('password')
  await first.waitFor()
  await tab.keyboard.press('ArrowDown')
  const second = tab.locator('.found [role=option]').nth(1)
  expect(await second.getAttribute('aria-selected')).toBe('true')
  expect(await first.getAttribute('aria-selected')).toBe('false')
  const target = await second.getAttribute('href')
  await tab.keyboard.press('Enter')
  await tab.waitForURL(server.url + target)
  expect(loads).toBe(1)
  expect(problems).toEqual([])
}, 240_000)

test('a search without results says so, and Enter shows all results on a page', async () => {
  const { tab } = await opened('/docs')
  await tab.fill('.search input', 'zzzz')
  await tab.locator('.found p').waitFor()
  expect(await tab.locator('.found').innerText()).toContain('Nothing found')
  await tab.keyboard.press('Enter')
  await tab.waitForURL(`${server.url}/docs/search?q=zzzz`)
  expect(await tab.locator('main').innerText()).toContain('Nothing here contains zzzz')
}, 240_000)

test('a chosen language shows in every example, and on the next page', async () => {
  const { tab } = await opened('/docs/api/pages')
  const visible = () =>
    tab
      .locator('.samples pre:visible')
      .evaluateAll((all) => [...new Set(all.map((each) => (each as HTMLElement).dataset.language))])
  expect(await visible()).toEqual(['curl'])
  await tab.locator('#updatePage .languages label', { hasText: 'Python' }).click()
  expect(await visible()).toEqual(['python'])
  const label = tab.locator('#updatePage .languages label', { hasText: 'Python' })
  expect((await label.boundingBox())!.y, 'it stays where it was clicked').toBeGreaterThan(0)
  await tab.goto(`${server.url}/docs/api/responses`)
  expect(await visible()).toEqual(['python'])
  await tab.locator('.languages input:checked').first().focus()
  await tab.keyboard.press('ArrowLeft')
  expect(await visible()).toEqual(['javascript'])
}, 240_000)

test('the button copies the example that is shown', async () => {
  const { tab } = await opened('/docs/api/pages')
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const figure = tab.locator('#createPage .samples')
  await figure.locator('label', { hasText: 'JavaScript' }).click()
  await figure.locator('.copy').click()
  await tab.locator('.status', { hasText: 'Copied' }).waitFor({ state: 'attached' })
  const copied = await tab.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(await figure.locator('pre:visible').innerText())
  expect(copied).toContain('await fetch(')
  expect(await tab.locator('figure.code').count()).toBe(await tab.locator('.copy').count())
}, 240_000)

test('without a script, examples change their language and the search finds', async () => {
  const context = await browser().newContext({ javaScriptEnabled: false })
  const tab = await context.newPage()
  await tab.goto(`${server.url}/docs/api/pages`)
  const visible = tab.locator('#createPage .samples pre:visible')
  expect(await visible.innerText()).toStartWith('curl ')
  await tab.locator('#createPage .languages label', { hasText: 'Python' }).click()
  expect(await visible.innerText()).toStartWith('import os')
  expect(await tab.locator('.copy').count()).toBe(0)
  await tab.fill('.search input', 'password')
  await tab.keyboard.press('Enter')
  await tab.waitForURL(`${server.url}/docs/search?q=password`)
  expect(await tab.locator('.results li').count()).toBeGreaterThan(3)
  await context.close()
}, 240_000)

test('an error’s anchor shows the error, and operations link to it', async () => {
  const { tab } = await opened('/docs/api/html#editHtml')
  await tab.click('#editHtml .codes a[href$="#error-edit_not_found"]')
  await tab.waitForURL(`${server.url}/docs/errors#error-edit_not_found`)
  const entry = tab.locator('#error-edit_not_found')
  expect(await entry.innerText()).toMatch(/edit_not_found\s+422\s+The page does not contain/)
  const box = (await entry.boundingBox())!
  expect(box.y).toBeGreaterThanOrEqual(0)
  expect(box.y).toBeLessThan(400)
}, 240_000)

test('the contents are beside the text on a desktop, and in a menu on a phone', async () => {
  const { tab } = await opened('/docs/api/pages')
  await tab.setViewportSize({ width: 1440, height: 800 })
  expect(await tab.locator('nav.side').isVisible()).toBe(true)
  expect(await tab.locator('.menu').isVisible()).toBe(false)
  expect(await tab.locator('nav.side [aria-current=page]').innerText()).toBe('Pages')
  await tab.click('nav.side a[href="#createPage"]')
  await tab.locator('nav.side a[href="#createPage"][aria-current=true]').waitFor()
  await tab.setViewportSize({ width: 390, height: 800 })
  expect(await tab.locator('nav.side').isVisible()).toBe(false)
  await tab.click('.menu summary')
  await tab.click('.menu a[href="#updatePage"]')
  const box = (await tab.locator('#updatePage h2').boundingBox())!
  expect(box.y).toBeGreaterThanOrEqual(56)
  expect(box.y).toBeLessThan(400)
  expect(await tab.locator('.menu nav').isVisible(), 'the menu closes').toBe(false)
}, 240_000)
