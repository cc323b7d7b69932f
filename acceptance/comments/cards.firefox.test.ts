import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed, pressable } from '../browser.ts'
import { testFirefox } from '../firefox.ts'
import { besides, CARDS, type Card, commented, FRAME_TOP, idOf, TOPS } from './cards.ts'

setDefaultTimeout(240_000)

const firefox = testFirefox()

test('in Firefox cards are beside their passages, follow the page, and open by links', async () => {
  const page = await commented()
  const { url } = page
  const { tab, problems, resize, leave } = await firefox().newVisitor()
  await resize({ width: 1440, height: 900 })
  await tab.goto(url)
  await pressable(tab)
  await tab.locator('#conversations >>> .launcher button').click()
  const frame = await framed(tab)
  const beside = async () => {
    const tops = (await frame.evaluate(TOPS)) as Record<string, number>
    const cards = (await tab.evaluate(CARDS)) as Card[]
    return besides(cards, tops, (await tab.evaluate(FRAME_TOP)) as number)
  }
  const all = ['The whole plan', 'Sentence 2', 'Sentence 20', 'Sentence 35']
  for (const y of [0, 1500, 200]) {
    await frame.evaluate(`scrollTo(0, ${y})`)
    await becomes(beside, all)
  }
  await tab.locator('#conversations >>> [data-card]:nth-child(4) .tool').click()
  await becomes(async () => (await beside()).includes('Sentence 21'), true)

  await tab.goto('about:blank')
  await tab.goto(`${url}#~comments/${await idOf(page, 'About Sentence 35.')}`)
  const linked = await framed(tab)
  const active = `document.querySelector('#conversations').shadowRoot
    ?.querySelector('[data-active] blockquote')?.textContent`
  await becomes(() => tab.evaluate(active), 'Sentence 35')
  await becomes(() => linked.evaluate('scrollY > 500'), true)
  expect(problems).toEqual([])
  await leave()
})
