/** The tray with the results of what was dropped. */
import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { becomes } from '../browser.ts'
import { html } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { type Dropped, drop } from './drop.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

const page = (title: string): Dropped => [`${title}.html`, html(title, title)]

/** Whether an element is in the window and nothing lies over the middle of it. */
const isOnTop = (element: Locator) =>
  element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    const result = document.elementFromPoint(left + width / 2, top + height / 2)
    return result !== null && (one.contains(result) || result.contains(one))
  })

/** A list of more pages than a window shows. */
async function openedList() {
  const dashboard = await openDashboard(browser(), { bypassCSP: true })
  const { owner, tab, open } = dashboard
  for (let no = 1; no <= 30; no += 1) await owner.publish({ html: html(`${no}`, `Page ${no}`) })
  await open('/app')
  return { ...dashboard, tray: tab.getByRole('region', { name: 'Publishing' }) }
}

test(
  'errors come first, then the newest; what was copied folds away, and the tray as a whole',
  async () => {
    const { tab, tray, problems } = await openedList()
    const titles = () => tray.getByRole('listitem').locator('p.font-medium').allTextContents()
    await drop(tab, page('First'))
    await tray.getByRole('link', { name: 'First' }).waitFor()
    await drop(tab, ['empty.zip', 'no zip at all'])
    await tray.getByText('1 failed, 1 published').waitFor()
    await drop(tab, page('Second'))
    await tray.getByRole('link', { name: 'Second' }).waitFor()
    expect(await titles()).toEqual(['empty.zip', 'Second', 'First'])
    const second = tray.getByRole('listitem').filter({ hasText: 'Second' })
    const height = async () => (await second.boundingBox())!.height
    const before = await height()
    await second.getByRole('button', { name: 'Copy link' }).click()
    await second.getByRole('button', { name: 'Copied', expanded: false }).waitFor()
    await becomes(async () => (await height()) < before / 2, true)
    expect(await tab.evaluate(() => navigator.clipboard.readText())).toContain('/p/')
    expect(await titles()).toEqual(['empty.zip', 'Second', 'First'])
    await becomes(() => tab.evaluate(() => document.activeElement?.textContent), 'Copied')
    await tab.keyboard.press('Enter')
    await second.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await height()).toBeGreaterThanOrEqual(before)
    await second.getByRole('button', { name: 'Copied' }).click()
    await tray.getByRole('button', { name: 'Fold the results' }).click()
    await second.waitFor({ state: 'hidden' })
    expect((await tray.boundingBox())!.height).toBeLessThan(48)
    await tray.getByRole('button', { name: 'Show the results' }).click()
    await second.waitFor()
    await tray.getByRole('button', { name: 'Hide the results' }).click()
    await tray.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'it covers neither the last row nor an action: on a wide window, and as one line on a phone',
  async () => {
    const { tab, tray, open, expectAccessible } = await openedList()
    await tab.setViewportSize({ width: 1440, height: 900 })
    await drop(tab, page('One'), page('Two'), page('Three'), page('Four'))
    await tray.getByText('4 published').waitFor()
    const lastRow = tab.getByRole('table').getByRole('link', { name: 'Page 1', exact: true })
    const newPage = tab.getByRole('button', { name: 'New page' })
    await newPage.waitFor()
    expect(await isOnTop(newPage)).toBe(true)
    const toEnd = () => tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    async function expectLastRowFree(): Promise<void> {
      await toEnd()
      expect(await isOnTop(lastRow)).toBe(true)
      const row = (await tab.locator('tr[data-id]').last().boundingBox())!
      expect(row.y + row.height).toBeLessThanOrEqual((await tray.boundingBox())!.y)
    }
    await expectLastRowFree()
    await expectAccessible()
    await open('/app')
    await tab.setViewportSize({ width: 390, height: 844 })
    await drop(tab, page('Five'))
    await tray.getByText('1 published').waitFor()
    const bar = tab.getByRole('navigation', { name: 'Main' }).filter({ visible: true })
    const box = (await tray.boundingBox())!
    expect(box.height).toBeLessThan(48)
    expect(box.y + box.height).toBeLessThanOrEqual((await bar.boundingBox())!.y)
    for (const place of await bar.getByRole('link').all()) expect(await isOnTop(place)).toBe(true)
    await expectLastRowFree()
    await tray.getByRole('button', { name: 'Show the results' }).click()
    await tray.getByRole('link', { name: 'Five' }).waitFor()
    await expectLastRowFree()
    await open('/app')
    await drop(tab, ['empty.zip', 'no zip at all'])
    await tray.getByRole('listitem').filter({ hasText: 'empty.zip' }).waitFor()
    await expectLastRowFree()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'on another screen it is one line at the end, which covers nothing; a warning is read in it',
  async () => {
    const { tab, tray, open } = await openedList()
    await open('/app/developer')
    await drop(tab, ['plan.html', html('<img src="no.png"><script src="a.tsx"></script>', 'Plan')])
    // Visitors see nothing of the page: its warnings are open.
    await tray.getByText('leads nowhere').waitFor()
    await tray.locator('code', { hasText: /^dist\/$/ }).waitFor()
    const main = tab.getByRole('navigation', { name: 'Main' }).filter({ visible: true })
    await main.getByRole('link', { name: 'Pages' }).click()
    await tab.getByRole('link', { name: 'Page 29' }).waitFor()
    await tray.getByText('1 published').waitFor()
    await tray.getByRole('link', { name: 'Plan' }).waitFor({ state: 'hidden' })
    const { y } = (await tray.boundingBox())!
    expect(y).toBeGreaterThan(tab.viewportSize()!.height)
    await tray.getByRole('button', { name: 'Show the results' }).click()
    await tray.getByRole('link', { name: 'Plan' }).waitFor()
    await drop(tab, ['empty.zip', 'no zip at all'])
    await tray.getByText('1 failed, 1 published').waitFor()
    await main.getByRole('link', { name: 'Developer' }).click()
    await tray.getByRole('link', { name: 'Plan' }).waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a new page behind a password offers its link and the password in one text',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    await open('/app/new')
    await tab.getByRole('textbox', { name: 'HTML' }).fill('<title>Plan</title>')
    await tab.getByRole('combobox', { name: 'Who may open it' }).selectOption('password')
    await tab.getByRole('button', { name: 'Publish' }).click()
    await tab.getByRole('button', { name: 'Copy link and password' }).click()
    await tab.getByText('Copied', { exact: true }).waitFor()
    const [listed] = (await owner.list()).data
    const { url, password } = await owner.page(listed!.id)
    expect(password).toBeTruthy()
    const copied = await tab.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${url}\nPassword: ${password}`)
    await tab.context().close()
  },
  TIMEOUT,
)
