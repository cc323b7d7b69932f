import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../browser.ts'
import { pro } from '../client.ts'
import { testFirefox } from '../firefox.ts'

setDefaultTimeout(240_000)

const firefox = testFirefox()

const LETTER = `<!doctype html><html lang="en"><title>Letter</title><p id="a">We meet in May.</p>
<button>Buy</button><div style="height:3000px"></div></html>`
const PANEL = `document.querySelector('#conversations').shadowRoot`

test('in Firefox the offer to comment leaves when pressed, by Escape and by another press', async () => {
  const page = await pro.publish({ html: LETTER, allow_comments: true })
  const { tab, problems, leave } = await firefox().newVisitor()
  await tab.goto(page.url)
  const frame = await framed(tab)
  const isOffered = () => tab.evaluate(`!${PANEL}.querySelector('.comment-on').hidden`)
  const select = async () => {
    await frame.evaluate('getSelection().removeAllRanges()')
    await Bun.sleep(300)
    await frame.evaluate(`getSelection().selectAllChildren(document.getElementById('a'))`)
    await becomes(isOffered, true)
  }
  await select()
  await frame.locator('button').click()
  await becomes(isOffered, false)
  await select()
  await tab.keyboard.press('Escape')
  await becomes(isOffered, false)
  await select()
  await tab.locator('#conversations >>> .comment-on').click()
  await becomes(isOffered, false)
  const quote = () => tab.evaluate(`${PANEL}.querySelector('.write blockquote')?.textContent`)
  await becomes(quote, 'We meet in May.')
  await frame.evaluate('scrollTo(0, 5)')
  await Bun.sleep(500)
  expect(await isOffered()).toBe(false)
  expect(problems).toEqual([])
  await leave()
})
