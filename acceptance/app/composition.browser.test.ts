/**
 * Words that an input method composes, such as those of Japanese: Enter takes the word, Escape and
 * the arrows are its own, and none of them does anything else.
 */
import { expect, setDefaultTimeout } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { panelOf } from '../comments/panel.ts'
import { own } from '../gates/setup.ts'
import { html } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

setDefaultTimeout(60_000)

const browser = testBrowser({ closesWindows: true })

/** Keys that browsers name while an input method has them. */
const PROCESS_CODE = 229

/** Begins a word, presses the keys, and takes the whole word. */
async function compose(tab: Tab, text: string, keys: [key: string, modifiers?: number][]) {
  const cdp = await tab.context().newCDPSession(tab)
  const begun = { text: text.slice(0, 1), selectionStart: 1, selectionEnd: 1 }
  await cdp.send('Input.imeSetComposition', begun)
  for (const [key, modifiers = 0] of keys) {
    const code = { key, code: key, modifiers, windowsVirtualKeyCode: PROCESS_CODE }
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...code })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...code })
  }
  await cdp.send('Input.insertText', { text })
}

own('in the palette Enter takes the word that is composed, and chooses nothing', async () => {
  const { tab, open, problems } = await openDashboard(browser())
  await open('/app')
  await tab.keyboard.press('Control+k')
  const field = tab.getByRole('combobox')
  await field.waitFor()
  await tab.keyboard.type('go ')
  await compose(tab, 'to', [['ArrowDown'], ['Enter']])
  expect(await field.inputValue()).toBe('go to')
  expect(new URL(tab.url()).pathname).toBe('/app')
  expect(problems).toEqual([])
})

own('a title and a reply keep what is composed', async () => {
  const { owner, tab, open, problems } = await openDashboard(browser())
  const page = await owner.publish({ html: html('Plan'), title: 'Plan', allow_comments: true })
  await (await panelOf(page)).comment('Why Tuesday?')
  await open(`/app/pages/${page.id}`)
  await tab.getByRole('button', { name: 'Rename' }).press('Enter')
  const title = tab.getByRole('textbox', { name: 'Title' })
  await title.press('End')
  await compose(tab, '計画', [['Enter'], ['Escape']])
  expect(await title.inputValue()).toBe('Plan計画')
  await title.press('Enter')
  await tab.getByRole('heading', { level: 1, name: 'Plan計画' }).waitFor()
  await open('/app/inbox')
  await tab.getByText('Why Tuesday?').first().waitFor()
  await tab.keyboard.press('r')
  const reply = tab.getByRole('textbox', { name: 'Your reply' })
  await reply.fill('Because ')
  await compose(tab, '計画', [['Enter', 2], ['Escape']])
  expect(await reply.inputValue()).toBe('Because 計画')
  expect(problems).toEqual([])
})

own('the search in all files of a deck stays open while a word is composed', async () => {
  const { owner, tab, open } = await openDashboard(browser())
  const files = ['index.html', 'team.html'].map((path) => ({ path, html: html('Plan') }))
  const page = await owner.publish({ title: 'Deck', files })
  await open(`/app/pages/${page.id}/edit`)
  await tab.getByRole('button', { name: 'Find in all files' }).press('Enter')
  const field = tab.getByRole('textbox', { name: 'Find in all files' })
  await field.waitFor()
  await compose(tab, '計画', [['Escape']])
  expect(await field.inputValue()).toBe('計画')
})

own('a comment is not posted by Ctrl and Enter in the middle of a word', async () => {
  const { owner } = await openDashboard(browser())
  const page = await owner.publish({ html: html('Plan'), allow_comments: true })
  const tab = await (await browser().newContext()).newPage()
  await tab.goto(page.url)
  await tab.getByRole('button', { name: /^Comments/ }).press('Enter')
  const field = tab.getByLabel('Comment', { exact: true })
  await field.fill('When is ')
  await compose(tab, '会議', [['Enter', 2]])
  expect(await field.inputValue()).toBe('When is 会議')
  await field.press('Control+Enter')
  const words = async () => (await (await panelOf(page)).read()).threads.map(({ body }) => body)
  await becomes(words, ['When is 会議'])
})

own('a search of the documentation follows no result in the middle of a word', async () => {
  const tab = await (await browser().newContext()).newPage()
  await tab.goto(`${server.url}/docs`)
  await tab.keyboard.press('/')
  await tab.keyboard.type('password')
  await tab.waitForSelector('.found a')
  await tab.keyboard.press('ArrowDown')
  await compose(tab, 's', [['ArrowDown'], ['Enter'], ['Escape']])
  expect(new URL(tab.url()).pathname).toBe('/docs')
  expect(await tab.locator('.found').isVisible()).toBe(true)
})
