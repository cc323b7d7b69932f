/** What is dropped on a page replaces its content: a draft first, compared, then published. */
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page as Tab } from 'playwright-core'
import { zipOf } from '../../src/testing/zips.ts'
import { becomes } from '../browser.ts'
import { type Fields, type Page, visitor } from '../client.ts'
import { base64, html, pdf } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { drop, dropOn } from './drop.ts'
import { deck } from './editor.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

const QUESTION = 'Update this page?'
const focused = (tab: Tab) => tab.evaluate(() => document.activeElement?.textContent)
const tray = (tab: Tab) => tab.getByRole('region', { name: 'Publishing' })

/** A page with its screen open. */
async function opened(fields: Fields, { tabOf = '', bypassCSP = false } = {}) {
  const dashboard = await openDashboard(browser(), { bypassCSP })
  const { owner, tab, open } = dashboard
  const page = await owner.publish(fields)
  await open(`/app/pages/${page.id}${tabOf}`)
  const dialog = tab.getByRole('dialog')
  return {
    ...dashboard,
    page,
    dialog,
    question: tab.getByRole('dialog', { name: QUESTION }),
    differences: tab.getByRole('dialog', { name: 'What differs' }),
    press: (name: string) => dialog.getByRole('button', { name, exact: true }).click(),
    read: () => owner.page(page.id),
    others: async () => (await owner.list()).data.filter(({ id }) => id !== page.id),
    shown: async () => (await visitor.open(page.slug)).text,
  }
}

async function buttonsOf(dialog: Locator): Promise<string[]> {
  await dialog.locator('footer').waitFor()
  return dialog.locator('footer').getByRole('button').allTextContents()
}

/** Expects that settings and link of the page are what they were. */
function expectSame(after: Page, before: Page): void {
  const { url, access, allowed_emails, password } = before
  expect(after).toMatchObject({ url, access, allowed_emails })
  expect(after.password).toBe(password)
}

test(
  'a drop on a page’s screen asks, is compared as a draft, and is published at the same link',
  async () => {
    const at = await opened({ html: html('We open on May 9', 'Plan') }, { tabOf: '/versions' })
    const { owner, tab, page, question, differences, press, read, others, shown, problems } = at
    await drop(tab, ['other.html', html('We open on May 16', 'Other title')])
    await question.waitFor()
    await becomes(() => focused(tab), 'Update this page')
    expect(await buttonsOf(question)).toEqual(['New page', 'Update this page'])
    expect(await owner.versions(page.id)).toHaveLength(1)
    await tab.keyboard.press('Enter')
    await differences.locator('ins').getByText('We open on May 16').waitFor()
    await differences.locator('del').getByText('We open on May 9').waitFor()
    await becomes(() => focused(tab), 'Publish for anyone with the link')
    expect(await shown()).toContain('May 9')
    expect(await read()).toMatchObject({ is_published: true, has_unpublished_changes: true })
    await press('Publish for anyone with the link')
    await tray(tab).getByText('Updated at the same link. Open to anyone with the link.').waitFor()
    expect(await shown()).toContain('May 16')
    expectSame(await read(), page)
    expect(await others()).toEqual([])
    await tray(tab).getByRole('button', { name: 'Undo' }).click()
    await becomes(async () => (await shown()).includes('May 9'), true)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a drop on the preview asks as well: the browser does not open the file, and links in it work',
  async () => {
    const words = html('<a href="#end">to the end</a><p id="end">first words', 'Plan')
    const at = await opened({ html: words, access: 'private' })
    const { tab, question, press, problems } = at
    const frame = tab.frameLocator('iframe[title="What visitors see"]')
    const link = frame.getByRole('link', { name: 'to the end' })
    await link.click()
    const folder = mkdtempSync(join(tmpdir(), 'handbill-drop-'))
    const path = join(folder, 'plan.html')
    writeFileSync(path, html('second words'))
    const devtools = await tab.context().newCDPSession(tab)
    const data = { items: [], files: [path], dragOperationsMask: 1 }
    const { x, y } = (await link.boundingBox())!
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop', left: number, top: number) =>
      devtools.send('Input.dispatchDragEvent', { type, x: left, y: top, data })
    // Once over our own document, and once from another window straight into the frame.
    for (const isStraight of [false, true]) {
      if (isStraight) await tab.locator('html').dispatchEvent('mouseleave')
      else await drag('dragEnter', 600, 40)
      await drag(isStraight ? 'dragEnter' : 'dragOver', x, y)
      await tab.getByText('Drop to update this page').waitFor()
      await drag('drop', x, y)
      await question.getByText('plan.html becomes a new draft').waitFor()
      await press('Close')
    }
    await link.click()
    expect(tab.context().pages()).toHaveLength(1)
    rmSync(folder, { recursive: true })
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a draft that was dropped is kept, or taken back, and what is live stays',
  async () => {
    const at = await opened({ html: html('first words', 'Plan') })
    const { owner, tab, page, differences, press, shown, read } = at
    for (const leave of ['Keep as a draft', 'Escape']) {
      await drop(tab, ['plan.html', html(`words for ${leave}`)])
      await press('Update this page')
      await differences.getByText('1 passage differs').waitFor()
      if (leave === 'Escape') await tab.keyboard.press('Escape')
      else await press(leave)
      await differences.waitFor({ state: 'detached' })
      await tab.getByText('Kept as a draft. What visitors see has not changed.').last().waitFor()
      expect(await owner.draft(page.id)).toContain(`words for ${leave}`)
    }
    await drop(tab, ['plan.html', html('a mistake')])
    await tab.getByText('they stay among the versions').waitFor()
    await press('Update this page')
    await press('Undo')
    await differences.waitFor({ state: 'detached' })
    expect(await owner.draft(page.id)).toContain('words for Escape')
    await drop(tab, ['plan.html', html('first words', 'Plan')])
    await press('Update this page')
    await differences.getByText('Nothing differs: it is live already.').waitFor()
    expect(await buttonsOf(differences)).toEqual(['Close'])
    await tab.keyboard.press('Enter')
    await differences.waitFor({ state: 'detached' })
    expect(await shown()).toContain('first words')
    expect(await read()).toMatchObject({ is_published: true, has_unpublished_changes: false })
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a drop on a row of the list asks about that page, and a new page leaves it alone',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    const page = await owner.publish({ html: html('first', 'First') })
    await owner.publish({ html: html('second', 'Second') })
    await open('/app')
    const row = `tr[data-id="${page.id}"]`
    await dropOn(tab, row, ['x.html', html('third', 'Third')])
    const dialog = tab.getByRole('dialog', { name: QUESTION })
    await dialog.getByText('x.html becomes a new draft of “First”').waitFor()
    await dialog.getByRole('button', { name: 'New page' }).click()
    await tray(tab).getByRole('link', { name: 'Third' }).waitFor()
    expect((await owner.list()).data.map(({ title }) => title)).toEqual([
      'Third',
      'Second',
      'First',
    ])
    expect(await owner.versions(page.id)).toHaveLength(1)
    await dropOn(tab, row, ['x.html', html('first, changed')])
    await dialog.getByRole('button', { name: 'Update this page' }).click()
    await tab.getByRole('button', { name: 'Publish for anyone with the link' }).click()
    await tray(tab).getByText('Updated at the same link').waitFor()
    expect((await visitor.open(page.slug)).text).toContain('first, changed')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a deck lists the files that were added, changed and removed; no document replaces it',
  async () => {
    const at = await opened(deck())
    const { owner, tab, page, question, differences, press, read, problems } = at
    await drop(tab, ['plan.html', html('alone')])
    await question.getByText('is a deck of several files, and plan.html is one HTML').waitFor()
    await question.getByText('Drop its whole folder or a zip to replace it.').waitFor()
    await question.getByRole('link', { name: 'Edit its files' }).waitFor()
    expect(await buttonsOf(question)).toEqual(['New page'])
    expect(await question.getByRole('button', { name: 'Update this page' }).count()).toBe(0)
    await tab.keyboard.press('Escape')
    const [index] = deck().files
    const entries = [
      { path: 'index.html', content: index!.html.replace('May 9', 'May 16') },
      { path: 'style.css', content: 'p { color: red }' },
      { path: 'more.html', content: html('one more <img src="no.png">') },
    ]
    await drop(tab, ['site.zip', zipOf(...entries)])
    await press('Update this page')
    await differences.getByText('1 file added, 2 files changed, 2 files removed.').waitFor()
    await differences.getByText('more.html: "no.png" leads to no file of the deck').waitFor()
    for (const [path, state] of [
      ['more.html', 'added'],
      ['style.css', 'changed'],
      ['team.html', 'removed'],
      ['logo.png', 'removed'],
    ]) {
      const file = differences.getByRole('region', { name: path! })
      await file.getByText(state!, { exact: true }).waitFor()
    }
    await press('Publish for anyone with the link')
    await tray(tab).getByText('Updated at the same link').waitFor()
    expect(await read()).toMatchObject({ kind: 'bundle', file_count: 2, url: page.url })
    const { files } = await owner.html(page.id)
    expect(files.map(({ path }) => path).sort()).toEqual(['index.html', 'more.html'])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a PDF is replaced by another one beside it, and by nothing else',
  async () => {
    const at = await opened({ file_base64: base64(pdf('before')), filename: 'report.pdf' })
    const { tab, page, question, differences, press, others } = at
    await drop(tab, ['plan.html', html('words', 'Plan')])
    await question.getByText('is a PDF, and plan.html is one HTML document.').waitFor()
    await question.getByText('Drop a PDF or an image to replace it.').waitFor()
    await press('New page')
    await tray(tab).getByRole('link', { name: 'Plan' }).waitFor()
    expect(await others()).toHaveLength(1)
    await drop(tab, ['second.pdf', pdf('after')])
    await press('Update this page')
    await differences.getByText('second.pdf,').waitFor()
    for (const [title, words] of [
      ['Before', 'before'],
      ['The draft', 'after'],
    ]) {
      const frame = differences.frameLocator(`iframe[title="${title}"]`)
      await frame.locator('.textLayer').getByText(words!).waitFor()
    }
    const live = async () => Buffer.from(await (await fetch(page.url)).arrayBuffer())
    expect((await live()).equals(Buffer.from(pdf('before')))).toBe(true)
    await press('Publish for anyone with the link')
    await tray(tab).getByText('Updated at the same link').waitFor()
    expect((await live()).equals(Buffer.from(pdf('after')))).toBe(true)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'another write meanwhile is told before anything is replaced or published, and nothing is lost',
  async () => {
    const at = await opened({ html: html('first', 'Plan') })
    const { owner, tab, page, question, differences, dialog, press, shown } = at
    await drop(tab, ['plan.html', html('dropped')])
    await question.getByRole('button', { name: 'Update this page' }).waitFor()
    await owner.update(page.id, { html: html('theirs') })
    await press('Update this page')
    await dialog.getByText('has changed “Plan” meanwhile. Nothing of it was replaced').waitFor()
    expect(await owner.draft(page.id)).toContain('theirs')
    await press('Look again')
    await question.getByText('they stay among the versions').waitFor()
    await press('Update this page')
    await differences.locator('ins').getByText('dropped').waitFor()
    await owner.update(page.id, { access: 'private' })
    await press('Publish for anyone with the link')
    await dialog.getByText('Nothing was published, and plan.html is still here').waitFor()
    expect(await owner.draft(page.id)).toContain('dropped')
    await owner.update(page.id, { access: 'link' })
    expect(await shown()).toContain('first')
    await owner.update(page.id, { access: 'private' })
    await press('Look again')
    await press('Update this page')
    await press('Publish for you alone')
    await tray(tab).getByText('Open to only you.').waitFor()
    expect(await owner.page(page.id)).toMatchObject({ access: 'private' })
    expect(await owner.versions(page.id)).toHaveLength(3)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a drop on a draft stays a draft, and so does the new page made of it',
  async () => {
    const at = await opened({ html: html('first', 'Plan'), publish: false })
    const { owner, tab, page, question, differences, press, read, others } = at
    await drop(tab, ['plan.html', html('second')])
    await question.getByText('It stays a draft that only you see.').waitFor()
    await press('Update this page')
    await differences.getByText('Compared with the draft before.').waitFor()
    await differences.locator('ins').getByText('second').waitFor()
    expect(await buttonsOf(differences)).toEqual(['Undo', 'Keep as a draft'])
    await press('Keep as a draft')
    await tab.getByText('Kept as a draft. Only you see it.').waitFor()
    expect(await read()).toMatchObject({ is_published: false, published_at: null })
    expect(await owner.draft(page.id)).toContain('second')
    await drop(tab, ['plan.html', html('third', 'Third')])
    await question.getByText('is a draft that only you see, since “Plan” is not open').waitFor()
    await press('New page')
    await tray(tab).getByText('Saved as a draft: only you see it.').waitFor()
    expect(await tray(tab).getByRole('button', { name: 'Copy link' }).count()).toBe(0)
    expect(await others()).toMatchObject([{ title: 'Third', is_published: false }])
    expect(await read()).toMatchObject({ is_published: false })
    await tab.context().close()
  },
  TIMEOUT,
)

const CLOSED: [settings: Fields, button: string][] = [
  [{ access: 'private' }, 'Publish for you alone'],
  [
    { access: 'people', allowed_emails: ['a@x.example', 'b@x.example', 'c@x.example'] },
    'Publish for the 3 people invited',
  ],
  [{ access: 'password', password: 'blue card' }, 'Publish for anyone with the password'],
  [{ access: 'email_gate' }, 'Publish for anyone who confirms an email'],
]
for (const [settings, button] of CLOSED) {
  test(
    `nothing that is dropped on a page with access ${settings.access} becomes public`,
    async () => {
      const at = await opened({ html: html('first', 'Plan'), ...settings })
      const { tab, page, differences, press, read, others, shown } = at
      await drop(tab, ['plan.html', html('second secret')])
      await press('Update this page')
      expect(await buttonsOf(differences)).toEqual(['Undo', 'Keep as a draft', button])
      await press(button)
      await tray(tab).getByText('Updated at the same link').waitFor()
      expectSame(await read(), page)
      expect(await read()).toMatchObject({ is_published: true, has_unpublished_changes: false })
      expect(await shown()).not.toContain('second secret')
      await drop(tab, ['other.html', html('third secret', 'Third')])
      await press('New page')
      await tray(tab).getByText('Saved as a draft: only you see it.').waitFor()
      const [made] = await others()
      expect(made).toMatchObject({ title: 'Third', is_published: false })
      expect((await visitor.open(made!.slug)).text).not.toContain('third secret')
      await tab.context().close()
    },
    TIMEOUT,
  )
}

test(
  'a drop with the title or file name of a page asks on any screen; others are published',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    const plan = await owner.publish({ html: html('plan', 'Plan'), publish: false })
    const report = await owner.publish({ file_base64: base64(pdf()), filename: 'report.pdf' })
    await owner.update(report.id, { title: 'Quarterly report' })
    const dialog = tab.getByRole('dialog', { name: QUESTION })
    await open('/app/inbox')
    await drop(tab, ['new.html', html('plan 2', 'Plan')], ['other.html', html('o', 'Other')])
    await dialog.getByText('There is a page “Plan” already.').waitFor()
    await tray(tab).getByRole('link', { name: 'Other' }).waitFor({ state: 'attached' })
    await dialog.getByRole('button', { name: 'New page' }).click()
    await tray(tab).getByRole('link', { name: 'Plan (2)' }).waitFor()
    const titles = (await owner.list()).data.map((page) => [page.title, page.is_published])
    expect(new Map(titles as [string, boolean][])).toEqual(
      new Map([
        ['Other', true],
        ['Plan (2)', false],
        ['Quarterly report', true],
        ['Plan', false],
      ]),
    )
    await open('/app')
    await drop(tab, ['report.pdf', pdf('next')])
    await dialog.getByText('There is a page “Quarterly report” already.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await open('/app/new')
    await drop(tab, ['plan.html', html('plan 3', 'Plan')])
    await dialog.getByText('A new page is made by the form.').waitFor()
    await dialog.getByRole('button', { name: 'New page' }).click()
    await tab.getByRole('region', { name: 'Chosen files' }).getByText('plan.html').waitFor()
    expect(await owner.page(plan.id)).toMatchObject({ is_published: false })
    expect(await owner.versions(plan.id)).toHaveLength(1)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'several pages dropped on one, one in the trash and one deleted meanwhile say what to do',
  async () => {
    const at = await opened({ html: html('first', 'Plan'), access: 'private' })
    const { owner, tab, page, question, press, others } = at
    await drop(tab, ['one.html', html('one', 'One')], ['two.html', html('two', 'Two')])
    await question.getByText('“Plan” is one page, and these are 2.').waitFor()
    await press('2 new pages')
    await tray(tab).getByText('2 saved as a draft').waitFor()
    expect((await others()).every(({ is_published }) => !is_published)).toBe(true)
    await drop(tab, ['plan.html', html('second')])
    await question.getByRole('button', { name: 'Update this page' }).waitFor()
    await press('Close')
    await owner.call('POST', `/pages/${page.id}/trash`)
    await drop(tab, ['plan.html', html('second')])
    await question.getByText('“Plan” is in the trash: take it back first.').waitFor()
    await question.getByText('is a draft that only you see').waitFor()
    await press('Close')
    await owner.call('DELETE', `/pages/${page.id}/trash`)
    await drop(tab, ['plan.html', html('second')])
    await question.getByRole('button', { name: 'Update this page' }).waitFor()
    await owner.remove(page.id)
    await press('Update this page')
    await question.getByText('The page was deleted meanwhile. plan.html is still here').waitFor()
    await press('New page')
    await becomes(async () => (await others()).length, 3)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'on a phone the menu of the page replaces its content, and axe finds nothing on the way',
  async () => {
    const at = await opened(
      { html: html('first', 'Plan'), access: 'password', password: 'blue card' },
      { bypassCSP: true },
    )
    const { tab, page, question, differences, press, shown, expectAccessible } = at
    await tab.setViewportSize({ width: 390, height: 800 })
    await tab.getByRole('main').getByRole('button', { name: 'More' }).click()
    const [chooser] = await Promise.all([
      tab.waitForEvent('filechooser'),
      tab.getByRole('menuitem', { name: 'Replace the content…' }).click(),
    ])
    const buffer = Buffer.from(html('second'))
    await chooser.setFiles({ name: 'plan.html', mimeType: 'text/html', buffer })
    await question.getByRole('button', { name: 'Update this page' }).waitFor()
    await expectAccessible()
    await tab.setViewportSize({ width: 390, height: 800 })
    await press('Update this page')
    await differences.locator('ins').waitFor()
    await expectAccessible()
    await tab.setViewportSize({ width: 390, height: 800 })
    await press('Publish for anyone with the password')
    await tray(tab).getByText('1 updated').waitFor()
    expect(await shown()).not.toContain('second')
    await tray(tab).getByRole('button', { name: 'Show the results' }).click()
    await tray(tab).getByRole('button', { name: 'Copy link and password' }).click()
    const copied = await tab.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${page.url}\nPassword: blue card`)
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)
