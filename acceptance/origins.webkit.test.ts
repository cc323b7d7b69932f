/** Pages on hosts of their own, in WebKit. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { BUILT_SITE, type OriginSite, shows, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'
import { launchWebKit, type WebKit } from './webkit.ts'

setDefaultTimeout(240_000)

let site: OriginSite
let webkit: WebKit
beforeAll(async () => {
  site = await startOrigins()
  webkit = await launchWebKit()
})
afterAll(async () => {
  await webkit.close()
  await cleanUp()
})

test('a built site works at the root of its host in WebKit', async () => {
  const page = await site.publish(BUILT_SITE)
  const window = await webkit.open()
  await window.goto(page.url)
  const evaluate = (text: string) => window.evaluate(`return ${text}`)
  await shows(evaluate, '/')
  expect(new URL(await window.url()).hostname).toMatch(/^[a-z2-7]{26}\.localhost$/)
  await window.click('#team')
  await shows(evaluate, '/team')
  await window.reload()
  await shows(evaluate, '/team')
  expect(await window.evaluate(`return document.querySelector('#count').textContent`)).toBe('2')
  await window.close()
})
