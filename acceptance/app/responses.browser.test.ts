import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page as Tab } from 'playwright-core'
import { ask, sessionOf } from '../app-session.ts'
import { type Fields, type Page, send } from '../client.ts'
import { signedIn } from '../gates/setup.ts'
import { FORM, report, viewer } from '../responses/viewer.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000
const HOSTILE = '<img src=x onerror=alert(1)>'
const ORDERS = `<!doctype html><title>Orders</title><script>
addEventListener('order', (event) => Service.submit(event.detail))</script>`

const browser = testBrowser()

async function opened(options: { html?: string; bypassCSP?: boolean; answers?: Fields[] } = {}) {
  const { html = FORM, bypassCSP = false, answers = [] } = options
  const dashboard = await openDashboard(browser(), { bypassCSP })
  const page = await dashboard.owner.publish({ html })
  const respond = (data: Fields) => viewer().respond(page, data)
  for (const data of answers) await respond(data)
  return {
    ...dashboard,
    page,
    respond,
    button: (name: string) => dashboard.tab.getByRole('button', { name, exact: true }),
    openResponses: (rest = '') => dashboard.open(`/app/pages/${page.id}/responses${rest}`),
  }
}

const table = (tab: Tab) => tab.getByRole('table', { name: 'Responses' })
const rowsIn = (tab: Tab) => table(tab).locator('tbody tr')

const ANN = { name: 'Ann', age: 30, agrees: true, colour: 'red', days: ['mo'], remarks: HOSTILE }
const BOB = { name: 'Bob', age: 40, agrees: false, colour: 'blue', days: ['mo', 'tu'] }

test(
  'responses come by themselves and are marked; each field has its type and its summary',
  async () => {
    const { tab, problems, respond, openResponses } = await opened()
    await openResponses()
    await tab.getByText('No responses yet').waitFor()
    await respond(ANN)
    await rowsIn(tab).first().waitFor()
    await respond(BOB)
    await rowsIn(tab).nth(1).waitFor()
    await table(tab).getByText('New', { exact: true }).first().waitFor()
    expect(await table(tab).getByRole('columnheader').allInnerTexts()).toContainEqual(
      expect.stringMatching(/age\s+Number/),
    )
    const summary = tab.getByRole('region', { name: 'Summary' })
    await summary.getByText('35 on average').waitFor()
    await summary.getByRole('button', { name: /^red\s*1\s*50%$/ }).waitFor()
    await summary.getByText(HOSTILE).waitFor()
    await tab.getByText(/^2 of 10,000 responses/).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a filter by words or by a value looks at all responses, and stands in the address',
  async () => {
    const { tab, button, openResponses } = await opened({ answers: [ANN, BOB] })
    await openResponses()
    await tab.getByRole('button', { name: /^blue\s*1\s*50%$/ }).click()
    await tab.getByText('1 response found.').waitFor()
    expect(await rowsIn(tab).allInnerTexts()).toEqual([expect.stringContaining('Bob')])
    await tab.reload()
    await tab.getByText('1 response found.').waitFor()
    await button('Show all').click()
    await rowsIn(tab).nth(1).waitFor()
    await tab.getByLabel('Filter', { exact: true }).fill('ONERROR')
    await tab.getByText('1 response found.').waitFor()
    expect(await rowsIn(tab).allInnerTexts()).toEqual([expect.stringContaining('Ann')])
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    const csv = await readFile((await download.path())!, 'utf8')
    expect(csv).toContain('Ann')
    expect(csv).not.toContain('Bob')
    await tab.getByLabel('Filter', { exact: true }).fill('nobody wrote this')
    await tab.getByText('No response matches.').waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a response opens beside the table with its full data, has its address, and is deleted',
  async () => {
    const { tab, owner, page, button, problems, openResponses } = await opened({
      answers: [ANN, BOB],
    })
    await openResponses()
    await button('Ann').click()
    const panel = tab.getByRole('complementary', { name: 'Response' })
    await panel.getByText(HOSTILE, { exact: true }).waitFor()
    expect(new URL(tab.url()).pathname).toMatch(/\/responses\/rsp_\w+$/)
    await tab.goBack()
    await panel.waitFor({ state: 'detached' })
    await tab.goForward()
    await tab.reload()
    await panel.getByText('As JSON').click()
    expect(JSON.parse((await panel.locator('pre').textContent())!)).toEqual(ANN)
    await panel.getByRole('button', { name: 'Delete response' }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByText('Ann sent it, and can then respond again.').waitFor()
    await dialog.getByRole('button', { name: 'Delete response' }).click()
    await tab.getByText(/^1 of 10,000 responses/).waitFor()
    expect((await report(owner, page)).responses.map(({ name }) => name)).toEqual(['Bob'])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a list of objects is split into rows, which the CSV file has as well',
  async () => {
    const { tab, openResponses } = await opened({
      html: ORDERS,
      answers: [{ name: 'Ann', items: [{ dish: 'Soup' }, { dish: '=1+1' }] }, { name: 'Bob' }],
    })
    await openResponses()
    await rowsIn(tab).nth(1).waitFor()
    expect(await rowsIn(tab).count()).toBe(2)
    await tab.getByLabel('Split by').selectOption('items')
    await rowsIn(tab).nth(2).waitFor()
    await table(tab).getByText('Soup').waitFor()
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Orders-responses.csv')
    const csv = await readFile((await download.path())!, 'utf8')
    expect(csv.split('\r\n').filter((line) => line !== '')).toHaveLength(4)
    expect(csv).toContain("'=1+1")
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the file is for the page’s signed-in owner alone, and no other site has it made',
  async () => {
    const { owner, page, tab } = await opened({ answers: [ANN] })
    const path = `/app/pages/${page.id}/responses.csv`
    const cookie = sessionOf(await signedIn(owner.email))
    const own = await send(path, { headers: cookie })
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(own.text).toContain('Ann')
    const nobody = await send(path)
    expect([nobody.status, nobody.text]).toEqual([303, ''])
    for (const site of ['cross-site', 'same-site']) {
      const foreign = await send(path, { headers: { ...cookie, 'sec-fetch-site': site } })
      expect(foreign.status).toBe(403)
      expect(foreign.text).not.toContain('Ann')
    }
    const other = await openDashboard(browser())
    const stranger = sessionOf(await signedIn(other.owner.email))
    const refused = await send(path, { headers: stranger })
    expect(refused.status).toBe(404)
    expect(refused.text).not.toContain('Ann')
    expect((await ask('GET', `/pages/${page.id}/responses`, cookie)).status).toBe(403)
    await tab.context().close()
    await other.tab.context().close()
  },
  TIMEOUT,
)

test(
  'responses are closed and opened again, and an empty page says how to collect',
  async () => {
    const { tab, owner, page, button, openResponses, open } = await opened({ answers: [ANN] })
    await openResponses()
    const closedAt = async () => (await owner.page(page.id)).responses_closed_at
    await button('Close responses').click()
    await tab.getByText(/Closed/).waitFor()
    await button('Reopen responses').waitFor()
    const refused = await viewer().submit(page, BOB)
    expect(refused.json).toMatchObject({ error: { code: 'closed' } })
    await button('Reopen responses').click()
    await button('Close responses').waitFor()
    while ((await closedAt()) !== null) await Bun.sleep(50)
    expect((await viewer().submit(page, BOB)).status).toBe(200)
    const plain: Page = await owner.publish({ html: '<!doctype html><p>No form' })
    await open(`/app/pages/${plain.id}/responses`)
    await button('Copy form').click()
    const copied = await tab.evaluate(() => navigator.clipboard.readText())
    expect(copied).toStartWith('<form data-service')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'axe finds nothing on summaries, the table, a response and the empty state',
  async () => {
    const { tab, button, openResponses, expectAccessible, owner, open } = await opened({
      bypassCSP: true,
      answers: [ANN, BOB],
    })
    await openResponses()
    await rowsIn(tab).nth(1).waitFor()
    await expectAccessible()
    await button('Ann').click()
    await tab.getByText('As JSON').waitFor()
    await expectAccessible()
    const plain = await owner.publish({ html: '<!doctype html><p>No form' })
    await open(`/app/pages/${plain.id}/responses`)
    await button('Copy form').waitFor()
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)
