/** What the app says where the server does not answer, and what stays where it was. */
import { expect, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { newOwner, signedIn } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { openEditor } from './editor.ts'

const TIMEOUT = 60_000
const API = /\/app\/api\//
const browser = testBrowser()

const alertIn = (tab: Tab) => tab.locator('main').getByRole('alert')

test(
  'a list that cannot be read keeps its message and its search while it is read again',
  async () => {
    const { tab, open } = await openDashboard(browser())
    await open('/app/new')
    // Something else than Handbill answers.
    const other = { status: 500, contentType: 'text/html', body: '<h1>Error</h1>' }
    let release = () => {}
    await tab.route(API, (route) => route.fulfill(other))
    await tab.getByRole('link', { name: 'Pages', exact: true }).first().click()
    const message = alertIn(tab).getByText('The server cannot be reached. Check the connection')
    await message.waitFor()
    await tab.unroute(API)
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await tab.route(API, async (route) => {
      await isReleased
      await route.continue()
    })
    const reading = tab.waitForRequest(/\/app\/api\/pages\?/)
    await tab.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    )
    await reading
    await Bun.sleep(300)
    expect(await message.isVisible()).toBe(true)
    expect(await tab.getByRole('searchbox', { name: 'Search pages' }).isVisible()).toBe(true)
    release()
    await message.waitFor({ state: 'detached' })
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a screen that cannot be shown has a heading, which has the keyboard',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    const title = word('plan')
    await owner.publish({ html: html('words', title) })
    await open('/app')
    const expectHeading = async (name: string, failing: RegExp) => {
      await tab.route(failing, (route) => route.abort())
      await tab.getByRole('link', { name, exact: true }).first().press('Enter')
      const heading = tab.getByRole('heading', { level: 1, name: 'This cannot be shown now' })
      await heading.waitFor()
      await tab.unroute(failing)
      return heading
    }
    const heading = await expectHeading(title, /\/app\/api\/pages\/pg_/)
    // The link that was pressed is gone.
    await becomes(() => heading.evaluate((it) => it === document.activeElement), true)
    await tab.getByRole('button', { name: 'Try again' }).press('Enter')
    await tab.getByRole('heading', { level: 1, name: title }).waitFor()
    await expectHeading('Developer', /\.js$/)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a wait that the server asks for is said, and what was typed is stored after it',
  async () => {
    const { tab, open } = await openDashboard(browser())
    await open('/app/developer')
    const error = { code: 'rate_limited', message: 'Too many requests: wait 4 seconds.' }
    const busy = { status: 429, headers: { 'retry-after': '4' }, json: { error } }
    let tries = 0
    await tab.route(/\/app\/api\/keys/, (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      tries += 1
      return tries === 1 ? route.fulfill(busy) : route.continue()
    })
    await tab.getByLabel('Key name').fill('laptop')
    await tab.keyboard.press('Enter')
    await tab.getByText('This goes on by itself in 4 seconds.').waitFor()
    await tab.getByText('laptop', { exact: true }).waitFor()
    expect(tries).toBe(2)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what the server refuses to mark as done is back, and not said to be done',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const page = await owner.publish({ html: html('words'), allow_comments: true })
    await owner.call('POST', `/pages/${page.id}/comments`, { body: 'First words' })
    await open('/app/inbox')
    await tab.route(/\/app\/api\/inbox/, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await tab.getByRole('button', { name: 'Done', exact: true }).click()
    await tab.getByText('The server cannot be reached. Check the connection').waitFor()
    await tab.getByText('First words').waitFor()
    expect(await tab.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the second press of a double click does nothing to what the first one has put in that place',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const page = await owner.publish({ html: html('words'), allow_comments: true })
    for (const body of ['First words', 'Second words', 'Third words']) {
      await owner.call('POST', `/pages/${page.id}/comments`, { body })
    }
    await tab.setViewportSize({ width: 390, height: 844 })
    async function pressTwice(name: string, first: () => Promise<unknown>): Promise<void> {
      await tab.getByRole('button', { name, exact: true }).first().click()
      await first()
      await tab.mouse.down({ clickCount: 2 })
      await tab.mouse.up({ clickCount: 2 })
      await first()
    }
    await open('/app/inbox')
    const waiting = tab.getByRole('list', { name: 'Waiting' }).locator('> li')
    await becomes(() => waiting.count(), 3)
    await pressTwice('Done', () => becomes(() => waiting.count(), 2))
    await open(`/app/pages/${page.id}`)
    const unpublish = tab.getByRole('button', { name: 'Unpublish' })
    await pressTwice('Unpublish', () => unpublish.waitFor({ state: 'detached' }))
    await pressTwice('Publish', () => unpublish.waitFor())
    const { trashed_at: trashedAt } = (await owner.page(page.id)) as { trashed_at?: string }
    expect(trashedAt ?? null).toBe(null)
    expect(new URL(tab.url()).pathname).toBe(`/app/pages/${page.id}`)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a draft that was saved elsewhere is shown before it is published',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const page = await owner.publish({ html: html('first words') })
    await owner.update(page.id, { html: html('second words') })
    await open(`/app/pages/${page.id}`)
    const publish = tab.getByRole('button', { name: 'Publish', exact: true })
    await publish.waitFor()
    await owner.update(page.id, { html: html('third words') })
    await publish.click()
    await tab.getByText('The draft has changed since it was shown here').waitFor()
    await tab.frameLocator('iframe[title="The draft"]').getByText('third words').waitFor()
    expect((await owner.page(page.id)).has_unpublished_changes).toBe(true)
    await publish.click()
    await publish.waitFor({ state: 'detached' })
    expect((await owner.page(page.id)).has_unpublished_changes).toBe(false)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the draft of a deck is published at once after a setting, which is no other draft',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const deck = (words: string) => [{ path: 'index.html', html: html(words) }]
    const page = await owner.publish({ html: undefined, files: deck('first words') })
    await owner.update(page.id, { files: deck('second words') })
    await open(`/app/pages/${page.id}`)
    await tab.getByRole('button', { name: 'Rename' }).click()
    await tab.route(API, async (route) => {
      await Bun.sleep(300)
      await route.continue()
    })
    const title = word('Renamed')
    await tab.getByLabel('Title', { exact: true }).fill(title)
    await tab.keyboard.press('Enter')
    const publish = tab.getByRole('button', { name: 'Publish', exact: true })
    await publish.click()
    await tab.getByText('Published', { exact: true }).first().waitFor({ timeout: 10_000 })
    expect(await tab.getByText('The draft has changed since it was shown here').count()).toBe(0)
    const { title: saved, has_unpublished_changes: differs } = await owner.page(page.id)
    expect([saved, differs]).toEqual([title, false])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the draft of a deck is published at once after its entry and its address',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const files = ['index.html', 'b.html'].map((path) => ({ path, html: html(path) }))
    const page = await owner.publish({ html: undefined, files, publish: false })
    await open(`/app/pages/${page.id}`)
    await tab.getByRole('button', { name: 'More' }).click()
    await tab.getByRole('menuitem', { name: 'Address and colour' }).click()
    const dialog = tab.getByRole('dialog', { name: 'Page details' })
    const entry = dialog.getByLabel('Entry')
    await entry.getByRole('option', { name: 'b.html' }).waitFor({ state: 'attached' })
    await tab.route(API, async (route) => {
      // The change takes longer than what follows.
      await Bun.sleep(route.request().method() === 'PATCH' ? 1_500 : 100)
      await route.continue()
    })
    const slug = word('renamed').toLowerCase()
    await dialog.getByLabel('Address').fill(slug)
    await dialog.getByRole('button', { name: 'Change address' }).click()
    await entry.selectOption('b.html')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    await tab.getByText('Published', { exact: true }).first().waitFor({ timeout: 15_000 })
    const stored = await owner.page(page.id)
    expect([stored.slug, stored.entry_path, stored.has_unpublished_changes]).toEqual([
      slug,
      'b.html',
      false,
    ])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the draft of a deck is published at once after it was moved to a folder',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const files = ['index.html', 'b.html'].map((path) => ({ path, html: html(path) }))
    const page = await owner.publish({ html: undefined, files, publish: false })
    await open(`/app/pages/${page.id}`)
    await tab.getByRole('button', { name: 'More' }).click()
    await tab.getByRole('menuitem', { name: 'Move to a folder' }).click()
    const dialog = tab.getByRole('dialog', { name: 'Move the page' })
    await tab.route(API, async (route) => {
      // The move ends between what Publish reads and what it sends.
      const { [route.request().method()]: waitMs = 0 } = { PATCH: 400, POST: 1_500 }
      await Bun.sleep(waitMs)
      await route.continue()
    })
    await dialog.getByLabel('New folder').fill('Ready')
    await dialog.getByLabel('New folder').press('Enter')
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    await tab.getByText('Published', { exact: true }).first().waitFor({ timeout: 15_000 })
    const { folder, is_published: isLive } = (await owner.page(page.id)) as unknown as {
      folder: string
      is_published: boolean
    }
    expect([folder, isLive]).toEqual(['Ready', true])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the draft of a deck is published from Share at once after what was changed there',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const files = [{ path: 'index.html', html: html('words') }]
    const page = await owner.publish({ html: undefined, files, publish: false })
    await open(`/app/pages/${page.id}/share`)
    await tab.route(API, async (route) => {
      await Bun.sleep(route.request().postData()?.includes('Tell nobody') ? 1_500 : 300)
      await route.continue()
    })
    const dialog = tab.getByRole('dialog', { name: 'Share' })
    for (const name of ['Email me when it is opened', 'Email me when somebody responds'])
      await dialog.getByRole('switch', { name }).click()
    await dialog.getByRole('switch', { name: 'Ask for agreement' }).click()
    await dialog.getByRole('textbox', { name: 'Agreement' }).fill('Tell nobody.')
    await dialog.getByRole('button', { name: 'Ask everybody' }).click()
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await tab.getByText('Published', { exact: true }).first().waitFor({ timeout: 10_000 })
    expect(await tab.getByText('The draft has changed since it was shown here').count()).toBe(0)
    const stored = (await owner.page(page.id)) as unknown as Record<string, unknown>
    const { is_published, notify_on_view, notify_on_response, agreement } = stored
    expect([is_published, notify_on_view, notify_on_response]).toEqual([true, true, true])
    expect(agreement, 'nobody opens it before they are asked').not.toBeNull()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a page that is deleted while it is edited says so, and the words that were typed stay',
  async () => {
    const { tab, owner, page, field } = await openEditor(browser(), { html: html('words') })
    await owner.call('DELETE', `/pages/${page.id}`)
    await field.click()
    await tab.keyboard.press('Control+Home')
    await tab.keyboard.type('typed ')
    // The page is read again every 15 seconds.
    const message = tab.getByText('This page was deleted, in another tab or by a program.')
    await message.waitFor({ timeout: 30_000 })
    expect(await field.innerText()).toStartWith('typed ')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a page that goes to the trash while it is edited says so, and is edited on once it is taken back',
  async () => {
    const { tab, owner, page, field } = await openEditor(browser(), { html: html('words') })
    await owner.call('POST', `/pages/${page.id}/trash`)
    await field.click()
    await tab.keyboard.press('Control+Home')
    await tab.keyboard.type('typed ')
    const message = tab.getByText('This page was moved to the trash, in another tab')
    await message.waitFor({ timeout: 30_000 })
    expect(await field.innerText()).toStartWith('typed ')
    await alertIn(tab).getByRole('button', { name: 'Take back' }).click()
    await message.waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Save draft' }).click()
    await becomes(async () => (await owner.draft(page.id)).startsWith('typed '), true)
    await tab.getByRole('button', { name: 'Delete page' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    await tab.goBack()
    await tab.getByText('It is in the trash until').waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what is typed in a tab is not stored in the account that signed in in another tab',
  async () => {
    const { tab, owner, open } = await openDashboard(browser())
    const other = await newOwner()
    const title = word('plan')
    await open('/app/new')
    await tab.getByRole('textbox', { name: 'HTML' }).fill(`<title>${title}</title>`)
    const { hostname: domain } = new URL(server.url)
    const signIn = async (email: string) => {
      const cookies = [...(await signedIn(email)).jar.values()]
      await tab.context().addCookies(cookies.map((each) => ({ ...each, domain })))
    }
    await signIn(other.email)
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = tab.getByRole('dialog', { name: 'You have been signed out' })
    await dialog.getByText(owner.email).waitFor()
    expect((await other.list()).data).toEqual([])
    await dialog.getByRole('button', { name: 'I have signed in' }).press('Enter')
    await dialog.getByText('This browser has not signed in yet.').waitFor()
    const opening = tab.waitForEvent('popup')
    await dialog.getByRole('link', { name: 'Sign in' }).press('Enter')
    const opened = await opening
    expect(await opened.getByLabel('Email').inputValue()).toBe(owner.email)
    await opened.close()
    await signIn(owner.email)
    await dialog.getByRole('button', { name: 'I have signed in' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    await tab.getByRole('heading', { level: 1, name: title }).waitFor()
    expect((await owner.list()).data).toHaveLength(1)
    expect((await other.list()).data).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
