/** Pages on hosts of their own, in Firefox. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { testFirefox } from './firefox.ts'
import { BUILT_SITE, type OriginSite, shows, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'

setDefaultTimeout(240_000)

let site: OriginSite
const firefox = testFirefox()
beforeAll(async () => {
  site = await startOrigins()
})
afterAll(cleanUp)

test('a built site works at the root of its host in Firefox', async () => {
  const page = await site.publish(BUILT_SITE)
  const { tab, leave } = await firefox().newVisitor()
  await tab.goto(page.url)
  await shows((text) => tab.evaluate(text), '/')
  expect(new URL(tab.url()).hostname).toMatch(/^[a-z2-7]{26}\.localhost$/)
  await tab.evaluate(`document.querySelector('#team').click()`)
  await shows((text) => tab.evaluate(text), '/team')
  await tab.reload()
  await shows((text) => tab.evaluate(text), '/team')
  expect(await tab.evaluate(`document.querySelector('#count').textContent`)).toBe('2')
  await leave()
})
