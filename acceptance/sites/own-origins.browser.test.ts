/** Sites that other people's tools have built work on hosts of their own as they are. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type OriginSite, startOrigins } from '../origins.ts'
import { cleanUp } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { compare, publishSite, walkPlainly, warningsIn } from './compare.ts'
import { SITE_NAMES } from './sites.ts'

setDefaultTimeout(60_000)

let host: OriginSite
const browser = testBrowser({ closesWindows: true })
beforeAll(async () => {
  host = await startOrigins()
})
afterAll(cleanUp)

test.each(SITE_NAMES)('%s on its own host is as on a plain server', async (name) => {
  const [site, stops] = await Promise.all([publishSite(name, host), walkPlainly(browser(), name)])
  expect(warningsIn(site)).toEqual([])
  await compare(browser(), site.page.url, stops)
})
