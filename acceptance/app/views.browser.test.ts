/** Filters of the list with a name, which every browser of the account has. */
import { expect, test } from 'bun:test'
import { appOf } from '../app-session.ts'
import { becomes } from '../browser.ts'
import { dataOf, type Page } from '../client.ts'
import { signedIn } from '../gates/setup.ts'
import { html } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000
const FOLDER = process.env.SCREENSHOTS

const browser = testBrowser()

test(
  'a view is saved under a name, follows the account, is renamed and deleted with undo',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    for (const title of ['Old plan', 'New plan', 'Notes']) {
      await owner.publish({ html: html('words', title), publish: title !== 'Notes' })
    }
    const saved = async () =>
      dataOf<{ saved_filters: unknown }>(await owner.call('GET', '/account')).saved_filters
    await open('/app')
    const places = tab.getByRole('navigation', { name: 'Folders' })
    const save = tab.getByRole('button', { name: 'Save this view' })
    const titles = () => tab.locator('tbody tr a:first-child').allTextContents()
    const rows = async () => (await titles()).filter((text) => /plan|Notes/.test(text))
    // Neither everything nor a folder or the trash alone is worth a name.
    expect(await save.count()).toBe(0)
    await places.getByRole('link', { name: 'Trash' }).click()
    await tab.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    expect(await save.count()).toBe(0)

    await open('/app?search=plan&sort=title')
    await becomes(rows, ['New plan', 'Old plan'])
    await save.click()
    const naming = tab.getByRole('dialog', { name: 'Save this view' })
    await naming.getByRole('textbox', { name: 'Name' }).fill('Plans by title')
    await expectAccessible()
    await tab.keyboard.press('Enter')
    const view = places.getByRole('link', { name: 'Plans by title' })
    await view.waitFor()
    await becomes(() => view.getAttribute('aria-current'), 'page')
    expect(await places.locator('[aria-current]').count()).toBe(1)
    expect(await save.count()).toBe(0)
    const filters = { search: 'plan', sort: 'title' }
    expect(await saved()).toEqual([{ name: 'Plans by title', filters }])

    // From another place, in a document that was loaded anew.
    await open('/app')
    await becomes(async () => (await rows()).length, 3)
    await view.click()
    await becomes(rows, ['New plan', 'Old plan'])
    expect(new URL(tab.url()).search).toBe('?search=plan&sort=title')
    await tab.getByRole('button', { name: 'View Plans by title' }).click()
    await tab.getByRole('menuitem', { name: 'Rename the view' }).click()
    await tab.getByRole('textbox', { name: 'Name' }).fill('Plans')
    await tab.keyboard.press('Enter')
    await places.getByRole('link', { name: 'Plans', exact: true }).waitFor()
    expect(await saved()).toEqual([{ name: 'Plans', filters }])

    // A name stands for one view.
    await open('/app?state=draft')
    await save.click()
    await naming.getByRole('textbox', { name: 'Name' }).fill('Plans')
    await tab.keyboard.press('Enter')
    await naming.getByText('Another view has this name.').waitFor()
    expect(await saved()).toEqual([{ name: 'Plans', filters }])
    await naming.getByRole('textbox', { name: 'Name' }).fill('Drafts')
    await tab.keyboard.press('Enter')
    await tab.getByRole('button', { name: 'View Drafts' }).click()
    await tab.getByRole('menuitem', { name: 'Delete the view, keep its pages' }).click()
    await tab.getByText('View deleted').waitFor()
    expect(await saved()).toEqual([{ name: 'Plans', filters }])
    await tab.getByRole('button', { name: 'Undo' }).click()
    await places.getByRole('link', { name: 'Drafts' }).waitFor()
    await becomes(rows, ['Notes'])
    await expectAccessible()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what a view has that the list does not know is left out, and the rest of it applies',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    await owner.publish({ html: html('words', 'Live one') })
    await owner.publish({ html: html('words', 'Draft one'), publish: false })
    const app = appOf(await signedIn(owner.email))
    const filters = { state: 'draft', kind: 'hologram', sort: 'constructor' }
    await app('PATCH', '/account', { saved_filters: [{ name: 'Odd', filters }] })
    await open('/app')
    await tab.getByRole('link', { name: 'Odd' }).click()
    await tab.getByRole('link', { name: 'Live one' }).waitFor({ state: 'detached' })
    await tab.getByRole('link', { name: 'Draft one' }).waitFor()
    expect(new URL(tab.url()).search).toBe('?state=draft')
    expect(await tab.getByRole('link', { name: 'Odd' }).getAttribute('aria-current')).toBe('page')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the palette moves the page of the row with the focus, or those that are chosen, to a folder',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    const pages: Page[] = []
    for (const title of ['One', 'Two', 'Three']) {
      pages.push(await owner.publish({ html: html('words', title) }))
    }
    await owner.call('PATCH', `/pages/${pages[0]!.id}`, { folder: 'Clients' })
    const foldersNow = async () =>
      Promise.all(pages.map(async ({ id }) => (await owner.page(id)).folder))
    const options = tab.getByRole('listbox', { name: 'Found' }).getByRole('option')
    const offered = async () => {
      const all = await options.allTextContents()
      return all.filter((name) => name.startsWith('Move '))
    }
    const search = async (text: string) => {
      await tab.keyboard.press('Control+k')
      await tab.getByRole('combobox').fill(text)
    }
    await open('/app')
    // With nothing chosen, nothing is moved.
    await search('move')
    await tab.getByRole('status').getByText('Nothing has this name.').waitFor()
    await tab.keyboard.press('Escape')

    await tab.getByRole('link', { name: 'Three' }).focus()
    await search('move')
    expect(await offered()).toEqual(['Move to Clients: Three', 'Move to a new folder: Three'])
    await tab.keyboard.press('Enter')
    await becomes(foldersNow, ['Clients', null, 'Clients'])
    await tab.getByRole('button', { name: 'Undo' }).click()
    await becomes(foldersNow, ['Clients', null, null])

    await tab.getByRole('checkbox', { name: 'Select One' }).click()
    await tab.getByRole('checkbox', { name: 'Select Two' }).click()
    await search('move')
    expect(await offered()).toEqual([
      'Move to Clients: 2 pages',
      'Move to a new folder: 2 pages',
      'Move out of the folder: 2 pages',
    ])
    await search('new folder')
    await tab.keyboard.press('Enter')
    await tab.getByRole('textbox', { name: 'New folder' }).fill('Archive')
    await tab.keyboard.press('Enter')
    await becomes(foldersNow, ['Archive', 'Archive', null])

    // A row leads to its folder, and keeps the other filters.
    await open('/app?sort=title')
    await tab.getByTitle('Show Archive alone').first().click()
    await tab.getByRole('link', { name: 'Three' }).waitFor({ state: 'detached' })
    expect(new URL(tab.url()).search).toBe('?sort=title&folder=Archive')
    expect(await tab.getByTitle('Show Archive alone').count()).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'of many folders the first are beside the list, and all are found by name, from any screen',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    const names = Array.from({ length: 15 }, (_, at) => `Client ${at + 10}`)
    for (const folder of names) await owner.publish({ html: html('words', folder), folder })
    await open('/app')
    const places = tab.getByRole('navigation', { name: 'Folders' })
    const folderNames = () => places.getByRole('link', { name: 'Client' }).allTextContents()
    await becomes(async () => (await folderNames()).length, 12)
    await places.getByRole('button', { name: 'All folders (15)' }).click()
    await tab.getByRole('combobox', { name: 'Search folders' }).fill('24')
    await tab.keyboard.press('Enter')
    await becomes(() => new URL(tab.url()).search, '?folder=Client+24')
    // The open one has its place beside the list, too.
    await becomes(async () => (await folderNames()).at(-1), 'Client 241')
    await open('/app/inbox')
    await tab.keyboard.press('Control+k')
    await tab.getByRole('combobox', { name: 'Search pages and commands' }).fill('client 23')
    await tab.getByRole('option', { name: 'Go to the folder Client 23', selected: true }).waitFor()
    await tab.keyboard.press('Enter')
    await becomes(() => new URL(tab.url()).search, '?folder=Client+23')
    expect(new URL(tab.url()).pathname).toBe('/app')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test.if(FOLDER !== undefined)(
  'pictures of views',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    for (const title of ['Quarterly plan', 'Hiring plan', 'Notes']) {
      await owner.publish({ html: html('words', title), folder: 'Clients' })
    }
    const app = appOf(await signedIn(owner.email))
    const named = [
      { name: 'Live decks', filters: { kind: 'bundle', state: 'live' } },
      { name: 'Plans by title', filters: { search: 'plan', sort: 'title' } },
    ]
    await app('PATCH', '/account', { saved_filters: named })
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1440]) {
        await tab.setViewportSize({ width, height: 800 })
        await tab.emulateMedia({ colorScheme })
        const shoot = (name: string) =>
          tab.screenshot({ path: `${FOLDER}/${name}-${width}-${colorScheme}.png` })
        await open('/app?search=plan&sort=title')
        await shoot('view')
        await open('/app')
        await shoot('rows')
        await tab.getByRole('link', { name: 'Notes' }).focus()
        await tab.keyboard.press('Control+k')
        await tab.getByRole('option').first().waitFor()
        await shoot('palette')
        await open('/app?search=plan')
        await tab.getByRole('button', { name: 'Save this view' }).waitFor()
        await shoot('save')
        await tab.getByRole('button', { name: 'Save this view' }).click()
        await tab.getByRole('dialog').waitFor()
        await shoot('name')
      }
    }
    await tab.context().close()
  },
  TIMEOUT,
)
