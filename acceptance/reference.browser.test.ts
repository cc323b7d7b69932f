/** The layout of /docs in a browser, on a phone and a desktop. */
import { afterAll, expect, test } from 'bun:test'
import { launch, newWindow } from './browser.ts'
import { violationsIn } from './gates/axe.ts'
import { server } from './server.ts'

const browser = await launch()
afterAll(() => browser.close())

async function opened(anchor = '') {
  const { tab, problems } = await newWindow(browser)
  await tab.goto(`${server.url}/docs${anchor}`)
  return { tab, problems }
}

test('/docs passes axe, narrow and wide, light and dark', async () => {
  const { tab, problems } = await opened()
  expect(await violationsIn(tab)).toEqual([])
  expect(problems).toEqual([])
}, 60_000)

test('nothing in /docs is wider than the window, and examples scroll by themselves', async () => {
  const { tab } = await opened()
  for (const width of [320, 390, 768, 1440]) {
    await tab.setViewportSize({ width, height: 800 })
    const wide = await tab.evaluate(() => {
      const page = document.documentElement
      const far = [...document.querySelectorAll('main *')].filter(
        (each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('pre'),
      )
      return { scrolls: page.scrollWidth > innerWidth, far: far.map((each) => each.outerHTML) }
    })
    expect(wide, `${width} px`).toEqual({ scrolls: false, far: [] })
  }
}, 30_000)

test('an error’s anchor shows the error, and operations link to it', async () => {
  const { tab } = await opened('#editHtml')
  await tab.click('#editHtml .codes a[href="#error-edit_not_found"]')
  const entry = tab.locator('#error-edit_not_found')
  expect(await entry.innerText()).toMatch(/edit_not_found\s+422\s+The page does not contain/)
  const box = (await entry.boundingBox())!
  expect(box.y).toBeGreaterThanOrEqual(0)
  expect(box.y).toBeLessThan(400)
  expect(await tab.locator('#error-closed').boundingBox()).not.toEqual(box)
}, 30_000)

test('the contents are beside the text on a desktop, and a menu above it on a phone', async () => {
  const { tab } = await opened()
  await tab.setViewportSize({ width: 1440, height: 800 })
  expect(await tab.locator('nav.side').isVisible()).toBe(true)
  expect(await tab.locator('.menu').isVisible()).toBe(false)
  await tab.setViewportSize({ width: 390, height: 800 })
  expect(await tab.locator('nav.side').isVisible()).toBe(false)
  await tab.click('.menu summary')
  await tab.click('.menu a[href="#createPage"]')
  const box = (await tab.locator('#createPage h3').boundingBox())!
  expect(box.y).toBeLessThan(400)
}, 30_000)
