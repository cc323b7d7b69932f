/** The button that offers to comment on what is selected, and when it leaves. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed, newWindow } from '../browser.ts'
import { pro } from '../client.ts'
import { testBrowser } from '../test-browser.ts'

setDefaultTimeout(240_000)

const browser = testBrowser({ closesWindows: true })

const LETTER = `<!doctype html><html lang="en"><title>Letter</title><style>body { margin: 20px }
button { user-select: none }</style><p id="a">We meet in May.</p><p id="b">It costs 20 €.</p>
<button>Buy</button><div style="height:3000px"></div><p>The end.</p></html>`

const offer = (tab: Tab) => tab.getByRole('button', { name: 'Comment on this', exact: true })
const isOffered = (tab: Tab) => () => offer(tab).isVisible()

/** A page on which a paragraph was selected by three clicks. */
async function selected() {
  const page = await pro.publish({ html: LETTER, allow_comments: true })
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  const frame = await framed(tab)
  const select = async (id = 'a') => {
    await frame.locator(`#${id}`).click({ clickCount: 3, position: { x: 20, y: 8 } })
    await becomes(isOffered(tab), true)
  }
  await select()
  return { tab, frame, problems, select }
}

test('the offer leaves when it was pressed, also where the page then moves', async () => {
  const { tab, frame, problems, select } = await selected()
  await offer(tab).click()
  expect(await tab.locator('.write blockquote').textContent()).toBe('We meet in May.')
  expect(await isOffered(tab)()).toBe(false)
  await frame.evaluate(() => scrollTo(0, 10))
  await tab.setViewportSize({ width: 1100, height: 650 })
  await Bun.sleep(500)
  expect(await isOffered(tab)()).toBe(false)
  expect(await frame.evaluate(() => String(getSelection()).trim())).toBe('We meet in May.')
  await select('b')
  await offer(tab).click()
  expect(await tab.locator('.write blockquote').textContent()).toStartWith('It costs 20 €.')
  // The same words once more.
  await frame.evaluate(() => getSelection()!.removeAllRanges())
  await Bun.sleep(300)
  await select('b')
  expect(problems).toEqual([])
})

test('the offer leaves by Escape, a press elsewhere and a selection that is gone', async () => {
  const { tab, frame, select } = await selected()
  const leaving: Record<string, () => Promise<unknown>> = {
    'Escape in the page': () => tab.keyboard.press('Escape'),
    'Escape beside it': async () => {
      await tab.getByRole('button', { name: /^Comments/ }).focus()
      await tab.keyboard.press('Escape')
    },
    'a button of the page': () => frame.getByText('Buy').click(),
    'a button beside it': () => tab.getByRole('button', { name: /^Comments/ }).click(),
    'a selection that is gone': () => frame.evaluate(() => getSelection()!.removeAllRanges()),
    'words that were scrolled away': () => frame.evaluate(() => scrollTo(0, 2500)),
  }
  for (const [what, leave] of Object.entries(leaving)) {
    await frame.evaluate(() => {
      scrollTo(0, 0)
      getSelection()!.removeAllRanges()
    })
    await Bun.sleep(300)
    await select()
    await leave()
    await becomes(async () => [what, await isOffered(tab)()], [what, false])
    await Bun.sleep(200)
    expect([what, await isOffered(tab)()]).toEqual([what, false])
  }
})

test('the offer stays while the page is scrolled a little, and follows it', async () => {
  const { tab, frame } = await selected()
  const top = async () => Math.round((await offer(tab).boundingBox())!.y)
  const before = await top()
  await frame.evaluate(() => scrollTo(0, 15))
  await becomes(top, before - 15)
})
