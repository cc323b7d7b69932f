import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

test(
  'the dashboard shows the pages, leads to one and back, and each address can be reloaded',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    const title = word('plan')
    const page = await owner.publish({ html: html('words', title) })
    await open('/app')
    await tab.getByRole('link', { name: title }).click()
    await tab.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(new URL(tab.url()).pathname).toBe(`/app/pages/${page.id}`)
    await tab.getByRole('link', { name: 'Versions' }).click()
    expect(new URL(tab.url()).pathname).toBe(`/app/pages/${page.id}/versions`)
    await tab.reload()
    await tab.getByRole('heading', { level: 1, name: title }).waitFor()
    await tab.goBack()
    await tab.goBack()
    await tab.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the palette finds pages and places by the keyboard',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    const title = word('notes')
    await owner.publish({ html: html('words', title) })
    const accented = await owner.publish({ html: html('words', 'Über uns') })
    await open('/app')
    // What the palette has already is shown while the server searches.
    const search = /\/pages\?.*search=/
    const request = tab.waitForRequest(search)
    await tab.route(search, () => {})
    await tab.keyboard.press('Control+k')
    await tab.getByRole('option', { name: title }).waitFor()
    await tab.getByRole('combobox', { name: 'Search pages and commands' }).fill(title)
    await request
    await tab.getByRole('option', { name: title, selected: true }).waitFor()
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { level: 1, name: title }).waitFor()
    await tab.unroute(search)
    // As in the list, which finds it on the server, accents do not count.
    await tab.keyboard.press('Control+k')
    await tab.getByRole('combobox', { name: 'Search pages and commands' }).fill('uber')
    await tab.getByRole('option', { name: 'Über uns', selected: true }).waitFor()
    await tab.keyboard.press('Enter')
    await becomes(() => new URL(tab.url()).pathname, `/app/pages/${accented.id}`)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'nobody signed out gets the document, and the address is kept for after signing in',
  async () => {
    const answer = await fetch(`${server.url}/app/pages/pg_1`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/app/sign-in?next=%2Fapp%2Fpages%2Fpg_1',
    ])
    const list = await fetch(`${server.url}/app/?state=draft`, { redirect: 'manual' })
    expect([list.status, list.headers.get('location')]).toEqual([308, '/app'])
  },
  TIMEOUT,
)

test(
  'axe finds nothing on the list, a page and the palette',
  async () => {
    const { owner, tab, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const page = await owner.publish({ html: html('words', word('plan')) })
    for (const path of ['/app', `/app/pages/${page.id}`]) {
      await open(path)
      await expectAccessible()
    }
    const help = tab.getByRole('dialog', { name: 'Keys' })
    await tab.keyboard.press('?')
    await help.waitFor()
    await tab.keyboard.press('Control+k')
    const search = tab.getByRole('combobox', { name: 'Search pages and commands' })
    await search.waitFor()
    expect([await help.count(), await search.evaluate((it) => it.matches(':focus'))]).toEqual([
      0,
      true,
    ])
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a title that is refused is there to be changed, unless one was typed meanwhile, which is saved',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    const page = await owner.publish({ html: html('words', word('plan')) })
    await open(`/app/pages/${page.id}`)
    const titleIs = (name: string) => tab.getByRole('heading', { level: 1, name }).waitFor()
    async function rename(title: string): Promise<void> {
      await tab.getByRole('button', { name: 'Rename' }).click()
      await tab.getByLabel('Title', { exact: true }).fill(title)
      await tab.getByLabel('Title', { exact: true }).press('Enter')
      await titleIs(title)
    }
    const answered = Promise.withResolvers<void>()
    await tab.route('**/app/api/pages/*', async (route) => {
      if (!route.request().postData()?.includes('Refused')) return route.continue()
      await answered.promise
      await route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Taken' } } })
    })
    await rename('Refused')
    await rename('Kept')
    answered.resolve()
    await tab.getByText('Taken').waitFor()
    await becomes(async () => (await owner.page(page.id)).title, 'Kept')
    await titleIs('Kept')

    await tab.unroute('**/app/api/pages/*')
    const release = Promise.withResolvers<void>()
    await tab.route('**/app/api/pages/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await release.promise
      await route.abort()
    })
    await rename('Never sent')
    release.resolve()
    const field = tab.getByLabel('Title', { exact: true })
    await field.waitFor()
    expect(await field.inputValue()).toBe('Never sent')
    await field.press('Escape')
    await titleIs('Kept')
    await tab.locator('button[aria-label=Rename]:focus').waitFor()
    expect((await owner.page(page.id)).title).toBe('Kept')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a screen whose code cannot be loaded says so, and an error is told of a dialog that was left',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    const page = await owner.publish({ html: html('words', word('plan')) })
    await open('/app')
    await tab.route('**/*.js', (route) => route.abort())
    await tab.getByRole('link', { name: 'Inbox' }).click()
    await tab.getByText('This part of the app cannot be loaded.').waitFor()
    await tab.unroute('**/*.js')
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()

    await open(`/app/pages/${page.id}/versions`)
    const dialogClosed = Promise.withResolvers<void>()
    await tab.route('**/app/api/pages/*/versions/*', async (route) => {
      await dialogClosed.promise
      await route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Taken' } } })
    })
    await tab.getByRole('button', { name: 'Name version' }).click()
    await tab.getByRole('dialog').getByRole('textbox').fill('Signed off')
    await tab.keyboard.press('Enter')
    await tab.keyboard.press('Escape')
    await tab.getByRole('dialog').waitFor({ state: 'detached' })
    dialogClosed.resolve()
    await tab.getByText('Taken').waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'where what the keyboard is on goes, it goes on at the heading of the next screen or in its place',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    const title = word('plan')
    const page = await owner.publish({ html: html('words', title), allow_comments: true })
    for (const body of ['First words', 'Second words']) {
      await owner.call('POST', `/pages/${page.id}/comments`, { body })
    }
    async function press(role: 'button' | 'link', name: string): Promise<void> {
      await tab.getByRole(role, { name, exact: true }).first().focus()
      await tab.keyboard.press('Enter')
    }
    const focusIs = (selector: string, hasText: string) =>
      tab.locator(`${selector}:focus`, { hasText }).waitFor()
    await open('/app')
    await tab.keyboard.press('c')
    await focusIs('h1', 'New page')
    await press('link', 'Pages')
    await press('link', title)
    await focusIs('h1', title)
    // Not on the button that deletes the page, which is then in that place.
    await press('button', 'Unpublish')
    await focusIs('div', 'Delete page')
    await press('button', 'Publish')
    await focusIs('div', 'Share')
    await open('/app/inbox')
    await press('button', 'Resolve')
    await focusIs('li', 'First words')
    expect(await tab.locator('[aria-current=true]', { hasText: 'First words' }).count()).toBe(0)
    await tab.keyboard.press('Tab')
    await focusIs('a', title)
    for (const keys of [['Escape'], ['Tab', 'Escape']]) {
      const search = tab.getByRole('button', { name: /^Search/ })
      await search.press('Enter')
      await tab.getByRole('combobox').waitFor()
      for (const key of keys) await tab.keyboard.press(key)
      await tab.getByRole('combobox').waitFor({ state: 'detached' })
      await focusIs('button', 'Search')
    }
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
