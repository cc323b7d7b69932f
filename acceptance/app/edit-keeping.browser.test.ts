import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { becomes } from '../browser.ts'
import { html } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { deck, openEditor } from './editor.ts'

const TIMEOUT = 240_000
const STAYS_UNSAVED = { autosaves: false }

const browser = testBrowser()

/** @returns what reads how long the tab's main thread has worked since, which no other load changes */
async function processorTime(tab: Page): Promise<() => Promise<number>> {
  const devtools = await tab.context().newCDPSession(tab)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
  const start = await read()
  return async () => (await read()) - start
}

test(
  'what was typed and not saved is back after a reload, and can be discarded',
  async () => {
    const { owner, tab, page, field, says, button, reopen, problems } = await openEditor(
      browser(),
      { html: html('as published') },
      STAYS_UNSAVED,
    )
    tab.on('dialog', (dialog) => void dialog.accept())
    await field.fill('<p>typed</p>')
    await says('Unsaved changes, kept in this browser')
    await tab.reload()
    await field.getByText('typed').waitFor()
    await tab.getByText(/What you typed .* and did not save is here again/).waitFor()
    await button('Discard it').click()
    await field.getByText('as published').waitFor()
    await field.fill('<p>typed again</p>')
    await says('Unsaved changes, kept in this browser')
    const second = await tab.context().newPage()
    await second.goto(tab.url())
    await second.getByText(/Another tab has changes from/).waitFor()
    await second.getByRole('button', { name: 'Show it here' }).click()
    await second
      .getByRole('textbox', { name: 'HTML of the draft' })
      .getByText('typed again')
      .waitFor()
    await second.close({ runBeforeUnload: false })
    await tab.bringToFront()
    await button('Save draft').click()
    await says('Saved, not published yet')
    await reopen()
    await field.getByText('typed again').waitFor()
    expect(await owner.draft(page.id)).toBe('<p>typed again</p>')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the text of a tab that was closed is here again, never over what was saved since',
  async () => {
    const { owner, tab, page, field, says } = await openEditor(
      browser(),
      { html: html('one', 'Plan') },
      STAYS_UNSAVED,
    )
    await field.fill('<p>typed</p>')
    await says('Unsaved changes, kept in this browser')
    await tab.goto('about:blank')
    await owner.update(page.id, { html: '<p>theirs</p>' })
    const next = await tab.context().newPage()
    await next.goto(`${server.url}/app/pages/${page.id}/edit`)
    const dialog = next.getByRole('dialog', { name: 'The draft was changed elsewhere' })
    await dialog.getByRole('textbox', { name: 'Their draft' }).getByText('theirs').waitFor()
    await dialog.getByRole('textbox', { name: 'Your draft' }).getByText('typed').waitFor()
    // Nobody has decided yet.
    await next.reload()
    await dialog.getByRole('textbox', { name: 'Your draft' }).getByText('typed').waitFor()
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await becomes(() => owner.draft(page.id), '<p>typed</p>')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'two tabs that change different words of a page have both, without a question',
  async () => {
    const { owner, tab, page, field, problems } = await openEditor(browser(), {
      html: '<h1>Plan</h1>\n<p>We open at ten.</p>',
    })
    const second = await tab.context().newPage()
    await second.goto(tab.url())
    const [type, typeThere] = [tab, second].map((one) => async (after: string, text: string) => {
      const editor = one.getByRole('textbox', { name: 'HTML of the draft' })
      await editor.getByText(after).click()
      await one.keyboard.press('End')
      await one.keyboard.type(text)
    })
    await second.getByText('We open').waitFor()
    await type!('Plan', ' First')
    await becomes(async () => (await owner.draft(page.id)).includes('First'), true)
    await typeThere!('We open', ' Second')
    const both = '<h1>Plan</h1> First\n<p>We open at ten.</p> Second'
    await becomes(() => owner.draft(page.id), both)
    await second.getByText('The draft was changed elsewhere. You see it as it is now.').waitFor()
    await field.getByText('First').waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what is typed without a network is saved once there is one, and Undo works from anywhere',
  async () => {
    const { owner, tab, page, field, says, button } = await openEditor(browser(), {
      html: html('one'),
    })
    await tab.context().setOffline(true)
    await field.getByText('one').click()
    await tab.keyboard.type('typed ')
    await tab.getByText(/The server cannot be reached/).waitFor()
    await tab.context().setOffline(false)
    await becomes(async () => (await owner.draft(page.id)).includes('typed '), true, 30_000)
    await tab.getByText(/The server cannot be reached/).waitFor({ state: 'detached' })
    await button('Save draft').click()
    await says('Draft saved')
    await tab.keyboard.press('Control+z')
    await becomes(async () => (await owner.draft(page.id)).includes('typed '), false)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a draft that was changed elsewhere is never overwritten unseen: both texts are shown',
  async () => {
    const { owner, tab, page, field, says, button } = await openEditor(
      browser(),
      { html: html('one') },
      STAYS_UNSAVED,
    )
    await field.fill('<p>mine</p>')
    await says('Unsaved changes, kept in this browser')
    await owner.update(page.id, { html: '<p>theirs</p>' })
    await button('Save draft').click()
    const dialog = tab.getByRole('dialog', { name: 'The draft was changed elsewhere' })
    await dialog.getByRole('textbox', { name: 'Their draft' }).getByText('theirs').waitFor()
    await dialog.getByRole('textbox', { name: 'Your draft' }).getByText('mine').waitFor()
    expect(await owner.draft(page.id)).toBe('<p>theirs</p>')
    await dialog.getByRole('textbox', { name: 'Your draft' }).fill('<p>both</p>')
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await says('Saved, not published yet')
    expect(await owner.draft(page.id)).toBe('<p>both</p>')

    await field.fill('<p>mine again</p>')
    await owner.update(page.id, { html: '<p>theirs again</p>' })
    await button('Publish').click()
    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await field.getByText('theirs again').waitFor()
    expect(await (await fetch(page.url)).text()).toContain('one')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'settings that change meanwhile, and other files of a deck, are no conflict',
  async () => {
    const { owner, tab, page, field, says, button, problems } = await openEditor(
      browser(),
      deck(),
      STAYS_UNSAVED,
    )
    await field.fill(html('mine'))
    await owner.update(page.id, { notify_on_view: true })
    await owner.edit(page.id, [{ find: 'The team', replace: 'All of us' }], { file: 'team.html' })
    await button('Save draft').click()
    await says('Saved, not published yet')
    const { files } = await owner.html(page.id)
    expect(files.map(({ html }) => /mine|All of us/.test(html))).toEqual([true, true])
    expect(problems.filter((text) => !text.includes('412'))).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a session that ends while one types loses nothing: it is saved after signing in again',
  async () => {
    const { tab, field, says, button } = await openEditor(
      browser(),
      { html: html('one') },
      STAYS_UNSAVED,
    )
    const cookies = await tab.context().cookies()
    await field.fill('<p>typed</p>')
    await tab.context().clearCookies()
    await button('Save draft').click()
    const dialog = tab.getByRole('dialog', { name: 'You have been signed out' })
    await dialog.waitFor()
    await tab.context().addCookies(cookies)
    await dialog.getByRole('button', { name: 'I have signed in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await field.getByText('typed').waitFor()
    await button('Save draft').click()
    await says('Saved, not published yet')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'long data: URIs are shown short and saved whole; a page of several megabytes can be edited',
  async () => {
    const uri = `data:image/png;base64,${'A'.repeat(4_000_000)}`
    const { owner, tab, page, field, says, button, problems } = await openEditor(
      browser(),
      { html: html('small') },
      STAYS_UNSAVED,
    )
    const { id } = await owner.upload(
      new TextEncoder().encode(html(`start</p>\n<img alt="" src="${uri}">\n<p>end`)),
    )
    await owner.update(page.id, { html_upload: id })
    await tab.reload()
    await field.getByText('data:image/png, 3.8 MB').waitFor()
    await field.getByText('start').click()
    await tab.keyboard.press('Home')
    const processorMs = await processorTime(tab)
    await tab.keyboard.type('<!-- typed -->')
    await says('Unsaved changes, kept in this browser')
    expect(await processorMs()).toBeLessThan(10_000)
    await button('Save draft').click()
    await says('Saved, not published yet')
    const draft = await owner.draft(page.id)
    expect(draft).toContain('<!-- typed -->')
    expect(draft).toContain(uri)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what is shown as it is typed reaches neither the dashboard nor its storage',
  async () => {
    const { tab, field, problems } = await openEditor(browser(), { html: html('one') })
    await field.fill(
      `<p id="out">waits</p><script>
      let found = []
      try { found.push(parent.document.title) } catch { found.push('no document') }
      try { found.push(String(localStorage.length)) } catch { found.push('no storage') }
      try { found.push(document.cookie) } catch { found.push('no cookies') }
      fetch('/app/api/account', { headers: { 'x-handbill-request': '1' }, credentials: 'include' })
        .then((answer) => answer.text(), () => 'no answer')
        .then((text) => { document.getElementById('out').textContent = [...found, text, origin].join(', ') })
      </script>`,
    )
    await tab
      .frameLocator('iframe[title="Preview of the draft"]')
      .getByText('no document, no storage, no cookies, no answer, null')
      .waitFor()
    // The frame’s own request is refused, which Chromium reports to the console.
    expect(problems.filter((text) => !/CORS|Failed to load resource/.test(text))).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a draft saves itself after a pause, as one version until somebody saves it',
  async () => {
    const { owner, tab, page, field, says, button, problems } = await openEditor(browser(), {
      html: html('one'),
    })
    const type = async (text: string) => {
      await field
        .getByText(/^<p>|<p>/)
        .first()
        .click()
      await tab.keyboard.press('End')
      await tab.keyboard.type(text)
      await says('Unsaved changes, kept in this browser')
      await says('Saved, not published yet')
      expect(await owner.draft(page.id)).toContain(text)
    }
    await type('first words')
    await type('second words')
    await button('Save draft').click()
    await says('Draft saved')
    await type('third words')
    const versions = await owner.versions(page.id, '?with_use=true')
    expect(versions.map(({ source, via }) => `${source} ${via}`)).toEqual([
      ...['edit autosave', 'edit editor', 'publish api'],
    ])
    expect(await (await fetch(page.url)).text()).not.toContain('words')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
