import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { pro } from '../client.ts'
import { duringTests } from '../test-browser.ts'
import { launchWebKit, type WebKitWindow } from '../webkit.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())

const LETTER = `<!doctype html><html lang="en"><title>Letter</title><p id="a">We meet in May.</p>
<button>Buy</button><div style="height:3000px"></div></html>`
const IN_PANEL = `const panel = document.querySelector('#conversations').shadowRoot`

test('in WebKit the offer to comment leaves when pressed, by Escape and by another press', async () => {
  const page = await pro.publish({ html: LETTER, allow_comments: true })
  window = await webkit().open()
  await window.goto(page.url)
  const isOffered = () =>
    window.evaluate(`${IN_PANEL}; return !panel.querySelector('.comment-on').hidden`)
  async function inFrame(act: () => Promise<unknown>): Promise<void> {
    await window.enterFrame()
    await act()
    await window.leaveFrame()
  }
  const select = async () => {
    await inFrame(async () => {
      await window.evaluate('getSelection().removeAllRanges()')
      await Bun.sleep(300)
      await window.evaluate(`getSelection().selectAllChildren(document.getElementById('a'))`)
    })
    await becomes(isOffered, true)
  }
  await select()
  await inFrame(() => window.click('button'))
  await becomes(isOffered, false)
  await select()
  await inFrame(() => window.keys('\uE00C'))
  await becomes(isOffered, false)
  await select()
  await window.clickButton('Comment on this')
  await becomes(isOffered, false)
  const quote = () =>
    window.evaluate(`${IN_PANEL}; return panel.querySelector('.write blockquote')?.textContent`)
  await becomes(quote, 'We meet in May.')
  await inFrame(() => window.evaluate('scrollTo(0, 5)'))
  await Bun.sleep(500)
  expect(await isOffered()).toBe(false)
})
