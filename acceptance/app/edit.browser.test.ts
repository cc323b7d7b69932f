import { expect, test } from 'bun:test'
import { html, word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { deck, openEditor } from './editor.ts'

const TIMEOUT = 240_000
const POLL_MS = 50

const browser = testBrowser()

test(
  'a page is edited, seen as it is typed, saved by key and published',
  async () => {
    const text = word('before')
    const { owner, tab, page, field, says, button, problems } = await openEditor(
      browser(),
      { html: html(text) },
      { autosaves: false },
    )
    await says('Saved and published')
    const next = word('after')
    await field.fill(html(next).trim())
    await says('Unsaved changes, kept in this browser')
    const preview = tab.frameLocator('iframe[title="Preview of the draft"]')
    await preview.getByText(next).waitFor()
    await tab.keyboard.press('Control+s')
    await says('Saved, not published yet')
    expect(await owner.draft(page.id)).toContain(next)
    expect(await (await fetch(page.url)).text()).toContain(text)
    await button('Publish').click()
    await says('Saved and published')
    expect(await (await fetch(page.url)).text()).toContain(next)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the files of a deck are opened, added, renamed, deleted, searched, and one is the entry',
  async () => {
    const { owner, tab, page, field, says, button, problems } = await openEditor(browser(), deck())
    const files = tab.getByRole('navigation', { name: 'Files of the deck' })
    const choose = async (path: string, item: string) => {
      await files.getByRole('button', { name: `More about ${path}` }).click()
      await tab.getByRole('menuitem', { name: item }).click()
    }
    await button('Find in all files').click()
    await tab.getByRole('textbox', { name: 'Find in all files' }).fill('May 9')
    await says('2 places in 2 files')
    await tab.getByRole('button', { name: /^team.html:1/ }).click()
    await field.getByText('The team meets').waitFor()
    await tab.getByRole('textbox', { name: 'Replace with' }).fill('May 16')
    await button('Replace all').click()
    await field.getByText('on May 16').waitFor()
    const content = tab.frameLocator('iframe[title="Preview of the draft"]').locator('p')
    await content.getByText('on May 16').waitFor()
    const colour = () => content.evaluate((element) => getComputedStyle(element).color)
    while ((await colour()) !== 'rgb(34, 34, 34)') await Bun.sleep(POLL_MS)
    await files.getByRole('button', { name: 'logo.png', exact: true }).click()
    await tab.getByRole('img', { name: 'logo.png' }).waitFor()
    await files.getByRole('button', { name: 'style.css', exact: true }).click()
    await tab.getByRole('textbox', { name: 'Text of style.css' }).click()
    await tab.keyboard.press('Control+a')
    await tab.keyboard.type('p { color: green }')
    await choose('team.html', 'Rename')
    await tab.getByRole('textbox', { name: 'Path' }).fill('staff.html')
    await tab.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await choose('staff.html', 'Make it the entry')
    await choose('logo.png', 'Delete file')
    await tab
      .getByLabel('Files to add')
      .setInputFiles([{ name: 'new.css', mimeType: 'text/css', buffer: Buffer.from('b{}') }])
    await files.getByRole('button', { name: 'new.css', exact: true }).waitFor()
    await button('Save draft').click()
    await says('Saved, not published yet')
    const draft = (await owner.html(page.id)) as unknown as {
      entry: string
      files: { path: string; html: string }[]
      assets: { path: string; size_bytes: number }[]
    }
    expect(draft.entry).toBe('staff.html')
    expect(draft.files.map(({ html: text }) => text.includes('May 16'))).toEqual([true, true])
    expect(draft.assets.map(({ path, size_bytes }) => [path, size_bytes])).toEqual([
      ['new.css', 3],
      ['style.css', 18],
    ])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'warnings of a save lead to their lines; the keyboard gets in and out of the field',
  async () => {
    const { tab, field, button, says } = await openEditor(
      browser(),
      { html: html('one') },
      { autosaves: false },
    )
    await field.fill(`<!doctype html>\n<title>x</title>\n<p>words</p>\n<img src="missing.png">\n`)
    await button('Save draft').click()
    await tab.getByRole('button', { name: 'line 4' }).click()
    await tab.locator('.cm-focused .cm-activeLine', { hasText: 'missing.png' }).waitFor()
    await tab.keyboard.press('Tab')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await says('Unsaved changes, kept in this browser')
    await tab.keyboard.press('Escape')
    await tab.keyboard.press('Tab')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(false)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'axe finds nothing on the editor, its search and the comparison of two drafts',
  async () => {
    const { owner, tab, page, field, button, says, expectAccessible } = await openEditor(
      browser(),
      deck(),
      {
        bypassCSP: true,
      },
    )
    await button('Find in all files').click()
    await tab.getByRole('textbox', { name: 'Find in all files' }).fill('May')
    await says('2 places in 2 files')
    await expectAccessible()
    await field.fill(html('mine'))
    await owner.edit(page.id, [{ find: 'Opening', replace: 'Start' }])
    await button('Save draft').click()
    await tab.getByRole('dialog').waitFor()
    // axe would be lost with a document that is replaced.
    await tab.frameLocator('iframe[title="Preview of the draft"]').getByText('mine').waitFor()
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)
