import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { duringTests } from '../test-browser.ts'
import { launchWebKit, type WebKitWindow } from '../webkit.ts'
import { besides, CARDS, type Card, commented, FRAME_TOP, idOf, TOPS } from './cards.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())

test('in WebKit cards are beside their passages, follow the page, and open by links', async () => {
  const page = await commented()
  const { url } = page
  window = await webkit().open()
  await window.maximize()
  await window.goto(url)
  await window.clickButton('Comments')
  async function inFrame<T>(act: () => Promise<T>): Promise<T> {
    await window.enterFrame()
    const result = await act()
    await window.leaveFrame()
    return result
  }
  const beside = async () => {
    const tops = (await inFrame(() => window.evaluate(`return ${TOPS}`))) as Record<string, number>
    const cards = (await window.evaluate(`return ${CARDS}`)) as Card[]
    return besides(cards, tops, (await window.evaluate(`return ${FRAME_TOP}`)) as number)
  }
  const all = ['The whole plan', 'Sentence 2', 'Sentence 20', 'Sentence 35']
  expect(await window.evaluate('return innerWidth')).toBeGreaterThanOrEqual(1200)
  for (const y of [0, 1500, 200]) {
    await inFrame(() => window.evaluate(`scrollTo(0, ${y})`))
    await becomes(beside, all)
  }
  const panel = `document.querySelector('#conversations').shadowRoot`
  await window.evaluate(`${panel}.querySelector('[data-card]:nth-child(4) .tool').focus()`)
  await becomes(async () => (await beside()).includes('Sentence 21'), true)

  await window.goto('about:blank')
  await window.goto(`${url}#~comments/${await idOf(page, 'About Sentence 35.')}`)
  const active = `${panel}?.querySelector('[data-active] blockquote')?.textContent`
  await becomes(() => window.evaluate(`return ${active}`), 'Sentence 35')
  await becomes(() => inFrame(() => window.evaluate('return scrollY > 500')), true)
})
