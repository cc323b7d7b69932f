/** The list of pages: found, sorted, chosen and deleted as an owner does it. */
import { expect, test } from 'bun:test'
import type { Route, Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { base64, html, png } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

/** The titles in the list, from its top. */
async function titlesIn(tab: Tab): Promise<string[]> {
  const rows = tab.getByRole('table', { name: 'Pages' }).locator('tbody tr')
  return rows.evaluateAll((all) => all.map((row) => row.querySelector('a')?.textContent ?? ''))
}

async function expectTitles(tab: Tab, titles: string[]): Promise<void> {
  const until = Date.now() + 10_000
  let results: string[] = []
  while (Date.now() < until) {
    results = await titlesIn(tab)
    if (JSON.stringify(results) === JSON.stringify(titles)) return
    await Bun.sleep(50)
  }
  expect(results).toEqual(titles)
}

async function withPages(titles: string[], settings: Record<string, object> = {}) {
  const dashboard = await openDashboard(browser())
  const pages = []
  for (const title of titles) {
    const page = { html: html('words', title), ...settings[title] }
    pages.push(await dashboard.owner.publish(page))
  }
  return { ...dashboard, pages }
}

test(
  'the list is searched, filtered and sorted, and the address holds it for reload and back',
  async () => {
    const { tab, problems, open } = await withPages(['Apples', 'Über apples', 'Cherries'], {
      Apples: { access: 'private' },
      Cherries: { publish: false },
    })
    await open('/app')
    await expectTitles(tab, ['Cherries', 'Über apples', 'Apples'])
    await tab.keyboard.press('/')
    await tab.keyboard.type('uber app')
    await expectTitles(tab, ['Über apples'])
    await becomes(() => new URL(tab.url()).searchParams.get('search'), 'uber app')
    await tab.reload()
    await expectTitles(tab, ['Über apples'])
    expect(await tab.getByRole('searchbox', { name: 'Search pages' }).inputValue()).toBe('uber app')
    await tab.getByRole('searchbox', { name: 'Search pages' }).fill('nothing has this')
    await tab.getByRole('heading', { name: 'No page matches' }).waitFor()
    await tab.getByRole('button', { name: 'Show all pages' }).click()
    await tab.getByRole('button', { name: 'State', exact: true }).click()
    await tab.getByRole('menuitemradio', { name: 'Draft' }).click()
    await expectTitles(tab, ['Cherries'])
    expect(new URL(tab.url()).search).toBe('?state=draft')
    await tab.getByRole('button', { name: 'Remove the filter State: Draft' }).click()
    await tab.getByRole('button', { name: 'Title', exact: true }).click()
    await expectTitles(tab, ['Apples', 'Cherries', 'Über apples'])
    await tab.getByRole('button', { name: 'Title', exact: true }).click()
    await expectTitles(tab, ['Über apples', 'Cherries', 'Apples'])
    await tab.goBack()
    await expectTitles(tab, ['Apples', 'Cherries', 'Über apples'])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a row tells access, state and counts, which change by themselves',
  async () => {
    const { tab, pages, open } = await withPages(['Shared', 'Hidden'], {
      Shared: { access: 'people', allowed_emails: ['a@example.com', 'b@example.com'] },
      Hidden: { expires_at: '2020-01-01T00:00:00Z' },
    })
    await open('/app')
    const row = (title: string) => tab.getByRole('row').filter({ hasText: title })
    expect(await row('Shared').textContent()).toContain('2 people')
    expect(await row('Hidden').textContent()).toContain('Closed: expired')
    expect(await row('Shared').textContent()).toContain(new URL(pages[0]!.url).pathname)
    const open2 = await withPages(['Open'])
    await open2.open('/app')
    for (let view = 0; view < 3; view += 1) await fetch(open2.pages[0]!.url)
    await open2.tab.getByRole('row').getByText('3', { exact: false }).first().waitFor()
    await open2.tab.reload()
    await open2.tab.getByRole('img', { name: '3 views in 14 days' }).waitFor()
    expect(open2.problems).toEqual([])
    await open2.tab.context().close()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'many are chosen with Shift and by the keyboard, their links copied, and deleted with undo',
  async () => {
    const titles = ['One', 'Two', 'Three', 'Four']
    const { owner, tab, pages, problems, open } = await withPages(titles)
    await open('/app')
    await tab.getByRole('checkbox', { name: 'Select Four' }).click()
    await tab.getByRole('checkbox', { name: 'Select Two' }).click({ modifiers: ['Shift'] })
    await tab.getByText('3 pages chosen').waitFor()
    await tab.getByRole('button', { name: 'Copy links' }).click()
    await tab.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
    const copied = await tab.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')).toEqual([pages[3]!.url, pages[2]!.url, pages[1]!.url])
    await tab.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectTitles(tab, ['One'])
    await tab.getByRole('button', { name: 'Undo' }).waitFor()
    await tab.keyboard.press('z')
    await expectTitles(tab, ['Four', 'Three', 'Two', 'One'])
    expect((await owner.list()).data).toHaveLength(4)
    for (const key of ['j', 'j', 'x']) await tab.keyboard.press(key)
    await tab.getByText('1 page chosen').waitFor()
    await tab.keyboard.press('Escape')
    await tab.getByText('1 page chosen').waitFor({ state: 'detached' })
    await tab.keyboard.press('k')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { level: 1, name: 'Four' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'pages go to the trash, are taken back, and are deleted for good once what goes is named',
  async () => {
    const { owner, tab, pages, problems, open } = await withPages(['Kept', 'Back', 'Gone'])
    await open('/app')
    await tab.getByRole('checkbox', { name: 'Select Back' }).click()
    await tab.getByRole('checkbox', { name: 'Select Gone' }).click()
    const answered = Promise.withResolvers<void>()
    await tab.route('**/trash', async (route) => {
      await answered.promise
      await route.continue()
    })
    await tab.getByRole('button', { name: 'Delete', exact: true }).click()
    const pending = tab.getByRole('button', { name: 'Deleting…', disabled: true })
    await pending.waitFor()
    answered.resolve()
    await tab.getByText('2 pages moved to the trash').waitFor()
    await pending.waitFor({ state: 'detached' })
    await expectTitles(tab, ['Kept'])
    expect((await fetch(pages[1]!.url)).status).toBe(404)
    await open('/app?state=trash')
    await tab.getByRole('link', { name: 'Gone' }).waitFor()
    expect((await titlesIn(tab)).toSorted()).toEqual(['Back', 'Gone'])
    await tab.getByText('Until ').first().waitFor()
    await tab.getByRole('checkbox', { name: 'Select Back' }).click()
    await tab.getByRole('button', { name: 'Take back' }).click()
    await expectTitles(tab, ['Gone'])
    expect((await fetch(pages[1]!.url)).status).toBe(200)
    await tab.getByRole('link', { name: 'Gone' }).click()
    await tab.getByText('It is in the trash until').waitFor()
    await tab.getByRole('button', { name: 'Take back' }).click()
    await tab.getByRole('button', { name: 'Delete page' }).click()
    await expectTitles(tab, ['Back', 'Kept'])
    await open('/app?state=trash')
    await tab.getByRole('button', { name: 'Empty the trash' }).click()
    const asks = tab.getByRole('dialog', { name: 'Delete this page for good?' })
    await asks.getByRole('button', { name: 'Delete page and 1 version' }).click()
    await tab.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    expect((await owner.call('GET', `/pages/${pages[2]!.id}`)).status).toBe(404)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what cannot be done with some of several pages is named, and what goes with all is counted',
  async () => {
    const titles = ['One', 'Two', 'Three', 'Four']
    const commented = { One: { allow_comments: true } }
    const { owner, tab, pages, problems, open } = await withPages(titles, commented)
    const { id } = pages[0]!
    for (const body of ['First', 'Second']) {
      await owner.call('POST', `/pages/${id}/comments`, { body })
    }
    const refused = (at: number) => `**/pages/${pages[at]!.id}/trash`
    const answer = { error: { code: 'quota_exceeded', message: 'No room.' } }
    for (const at of [1, 3]) {
      await tab.route(refused(at), (route) => route.fulfill({ status: 403, json: answer }))
    }
    await open('/app')
    await tab.getByRole('checkbox', { name: 'Select all' }).click()
    await tab.getByRole('button', { name: 'Delete', exact: true }).click()
    await tab.getByText('Not done for “Four” and “Two”: No room.').waitFor()
    await tab.getByText('2 pages moved to the trash').waitFor()
    await expectTitles(tab, ['Four', 'Two'])
    await open('/app?state=trash')
    await tab.getByRole('button', { name: 'Empty the trash' }).click()
    const asks = tab.getByRole('dialog', { name: 'Delete 2 pages for good?' })
    await asks.getByText('2 comments and 2 versions go with them. There is no undo.').waitFor()
    await asks.getByRole('button', { name: 'Delete 2 pages and 2 comments' }).click()
    await tab.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    expect((await owner.call('GET', `/pages/${id}`)).status).toBe(404)
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'who may open several pages is changed at once, says before what opens, and is undone exactly',
  async () => {
    const password = 'four short words'
    const { owner, tab, pages, problems, open, expectAccessible } = await withPages(
      ['Open', 'Secret', 'Invited'],
      {
        Secret: { access: 'password', password },
        Invited: { access: 'people', allowed_emails: ['ann@example.com'] },
      },
    )
    const now = () => Promise.all(pages.map(({ id }) => owner.page(id)))
    const accesses = async () => (await now()).map(({ access }) => access)
    const before = (await now()).map((page) => [page.access, page.allowed_emails])
    const undo = () => tab.getByRole('button', { name: 'Undo' }).click()
    await open('/app')
    async function ask(choice: string) {
      for (const title of ['Open', 'Secret', 'Invited']) {
        await tab.getByRole('checkbox', { name: `Select ${title}` }).click()
      }
      await tab.getByRole('button', { name: 'Change access' }).click()
      const dialog = tab.getByRole('dialog', { name: 'Who may open 3 pages' })
      await dialog.getByLabel('Who may open them').selectOption(choice)
      return dialog
    }
    const dialog = await ask('Only people you invite')
    await dialog.getByText('2 become open to invited people alone').waitFor()
    await dialog.getByText('A password that is set now no longer opens anything.').waitFor()
    await expectAccessible()
    await dialog.getByLabel('Invite by email').fill('bob@example.com, nobody')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await dialog.getByText('nobody: not an email address.').waitFor()
    await dialog.getByLabel('Invite by email').fill('bob@example.com')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await becomes(accesses, ['people', 'people', 'people'])
    expect((await now()).map((page) => page.allowed_emails)).toEqual([
      ['bob@example.com'],
      ['bob@example.com'],
      ['ann@example.com', 'bob@example.com'],
    ])
    await undo()
    await becomes(accesses, ['link', 'password', 'people'])
    expect((await now()).map((page) => [page.access, page.allowed_emails])).toEqual(before)
    expect((await owner.page(pages[1]!.id)).password).toBe(password)
    await (await ask('Only you')).getByRole('button', { name: 'Change' }).click()
    await becomes(accesses, ['private', 'private', 'private'])
    expect((await fetch(pages[0]!.url)).status).toBe(403)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'pages are moved to folders by drag and by name, and folders are renamed and removed',
  async () => {
    const { owner, tab, pages, problems, open } = await withPages(['One', 'Two', 'Three'])
    await open('/app')
    const folders = tab.getByRole('navigation', { name: 'Folders' })
    const folderOf = async (at: number) => (await owner.page(pages[at]!.id)).folder
    await tab.getByRole('checkbox', { name: 'Select One' }).click()
    await tab.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = tab.getByRole('dialog', { name: 'Move the page to a folder' })
    await dialog.getByRole('textbox', { name: 'New folder' }).fill('Clients')
    await tab.keyboard.press('Enter')
    await folders.getByRole('link', { name: 'Clients 1' }).waitFor()
    expect(await folderOf(0)).toBe('Clients')
    await expectTitles(tab, ['Three', 'Two', 'One'])
    await tab
      .getByRole('link', { name: 'Two' })
      .dragTo(folders.getByRole('link', { name: 'Clients' }))
    await folders.getByRole('link', { name: 'Clients 2' }).waitFor()
    expect(await folderOf(1)).toBe('Clients')
    await folders.getByRole('link', { name: 'Clients' }).click()
    await expectTitles(tab, ['Two', 'One'])
    await tab.reload()
    await expectTitles(tab, ['Two', 'One'])
    await tab.getByRole('button', { name: 'Folder Clients' }).click()
    await tab.getByRole('menuitem', { name: 'Rename the folder' }).click()
    await tab.getByRole('textbox', { name: 'Name' }).fill('Customers')
    await tab.keyboard.press('Enter')
    await folders.getByRole('link', { name: 'Customers 2' }).waitFor()
    await expectTitles(tab, ['Two', 'One'])
    await tab.getByRole('button', { name: 'Folder Customers' }).click()
    await tab.getByRole('menuitem', { name: 'Remove the folder, keep its pages' }).click()
    await folders.getByRole('link', { name: 'Customers 0' }).waitFor()
    expect([await folderOf(0), await folderOf(1)]).toEqual([null, null])
    await tab.getByRole('button', { name: 'Undo' }).last().click()
    await folders.getByRole('link', { name: 'Customers 2' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'on a small window, the row and the control that have the keyboard are covered by nothing',
  async () => {
    const titles = Array.from({ length: 20 }, (_, at) => `Page ${at + 1}`)
    const { tab, open } = await withPages(titles)
    await tab.setViewportSize({ width: 390, height: 700 })
    await open('/app')
    const isCovered = () =>
      tab.evaluate(() => {
        const focused = document.activeElement!
        const { left, top, width, height } = focused.getBoundingClientRect()
        const above = document.elementFromPoint(left + width / 2, top + height / 2)
        const control = focused.closest('label') ?? focused
        // What has just moved takes no press yet, so that what it stands in is found.
        return !control.contains(above) && !above?.contains(control)
      })
    for (let row = 0; row < 2; row += 1) await tab.keyboard.press('j')
    await tab.keyboard.press('x')
    for (let row = 0; row < 10; row += 1) {
      await tab.keyboard.press('j')
      expect(await isCovered()).toBe(false)
    }
    await tab.keyboard.press('Escape')
    for (let control = 0; control < 20; control += 1) {
      await tab.keyboard.press('Tab')
      expect(await isCovered()).toBe(false)
    }
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a list or a part of it that cannot be read says so, also offline, and is read again',
  async () => {
    const titles = Array.from({ length: 51 }, (_, at) => `Page ${at + 1}`)
    const { tab, open } = await withPages(titles)
    await open('/app/developer')
    const failure = tab.getByText('The server cannot be reached.')
    await tab.context().setOffline(true)
    await tab.getByRole('link', { name: 'Pages', exact: true }).click()
    await failure.waitFor()
    await tab.context().setOffline(false)
    await tab.route('**/app/api/pages?*offset=50*', (route) => route.abort())
    await expectTitles(tab, titles.toReversed().slice(0, 50))
    await tab.getByRole('link', { name: 'Page 2', exact: true }).scrollIntoViewIfNeeded()
    await failure.waitFor()
    await tab.unrouteAll()
    await tab.getByRole('button', { name: 'Load more' }).click()
    await expectTitles(tab, titles.toReversed())
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the list goes on by itself at its end, and everything can be chosen',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    const titles = Array.from({ length: 130 }, (_, at) => `Page ${at + 1}`)
    for (const title of titles) await owner.publish({ html: html('words', title) })
    await open('/app')
    expect(await titlesIn(tab)).toHaveLength(50)
    await tab.getByRole('checkbox', { name: 'Select all' }).click()
    await tab.getByText('130 pages chosen').waitFor()
    await expectTitles(tab, titles.toReversed())
    await tab.reload()
    await tab.getByRole('link', { name: 'Page 81', exact: true }).scrollIntoViewIfNeeded()
    await tab.getByRole('link', { name: 'Page 1', exact: true }).waitFor({ state: 'attached' })
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'axe finds nothing on the list, with pages chosen and with the filters open',
  async () => {
    const { owner, tab, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    await owner.publish({ html: html('words', 'One') })
    await open('/app')
    await tab.getByRole('checkbox', { name: 'Select One' }).click()
    await expectAccessible()
    await tab.keyboard.press('Escape')
    await tab.getByRole('button', { name: 'Access', exact: true }).click()
    await tab.getByRole('menuitemradio', { name: 'Only you' }).waitFor()
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the screen of a page has buttons that unpublish and delete it',
  async () => {
    const { tab, owner, problems, open, pages } = await withPages(['Apples'])
    const [page] = pages
    await open(`/app/pages/${page!.id}`)
    const button = (name: string) => tab.getByRole('button', { name, exact: true })
    expect(await button('Publish').count()).toBe(0)
    await button('Unpublish').click()
    await button('Publish').waitFor()
    expect(await button('Unpublish').count()).toBe(0)
    expect((await owner.page(page!.id)).is_published).toBe(false)
    await button('More').click()
    expect(await tab.getByRole('menuitem').allTextContents()).toEqual([
      'Replace the content…',
      'Address and colour',
      'QR code',
      'Duplicate',
      'Move to a folder',
      'Download the draft',
    ])
    await tab.keyboard.press('Escape')
    await button('More').click()
    await tab.getByRole('menuitem', { name: 'Duplicate' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Apples (copy)' }).waitFor()
    // The list is read before the page is in the trash, and comes after.
    const read = Promise.withResolvers<void>()
    const trashed = tab.waitForResponse('**/trash')
    await tab.route('**/trash', async (route) => {
      await read.promise
      await route.continue()
    })
    const isList = ({ pathname }: URL) => pathname === '/app/api/pages'
    const late = async (route: Route) => {
      const response = await route.fetch()
      read.resolve()
      await (await trashed).finished()
      await Bun.sleep(200)
      await route.fulfill({ response }).catch(() => {})
    }
    await tab.route(isList, late, { times: 1 })
    await button('Delete page').click()
    await button('Undo').waitFor()
    await expectTitles(tab, ['Apples'])
    await tab.waitForTimeout(300)
    await expectTitles(tab, ['Apples'])
    await button('Undo').click()
    await expectTitles(tab, ['Apples (copy)', 'Apples'])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an image page has its image beside its title, others the icon of their kind',
  async () => {
    const { owner, tab, open, problems } = await openDashboard(browser())
    await owner.publish({ html: html('words', 'Words') })
    const { id } = await owner.publish({ file_base64: base64(png()), filename: 'sun.png' })
    await open('/app')
    const row = (text: string) => tab.getByRole('row').filter({ hasText: text })
    const image = row('sun').locator('img')
    await becomes(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth), 1)
    const before = await image.getAttribute('src')
    expect(await row('sun').getByRole('img', { name: 'Image' }).count()).toBe(1)
    expect(await row('Words').locator('img').count()).toBe(0)
    await row('sun').hover()
    await becomes(() => image.locator('..').evaluate((box) => getComputedStyle(box).opacity), '0')
    await owner.update(id, { file_base64: base64(png()), filename: 'sun.png' })
    await tab.reload()
    await becomes(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth), 1)
    expect(await image.getAttribute('src')).not.toBe(before)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
