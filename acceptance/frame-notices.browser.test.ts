/** A notice in the frame of our own document is shown there, and nowhere else. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed, newWindow } from './browser.ts'
import { word } from './material.ts'
import { type OriginSite, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'
import { testBrowser } from './test-browser.ts'

setDefaultTimeout(240_000)

const browser = testBrowser()
const sites: OriginSite[] = []
beforeAll(async () => {
  sites.push(await startOrigins({ contentUrl: 'off' }), await startOrigins())
})
afterAll(cleanUp)

test.each([
  ['in the sandbox', 0],
  ['on a host of its own', 1],
])(
  'a link to a file that is not there says so in the frame of our document, %s',
  async (_name, at) => {
    const site = sites[at]!
    const page = await site.publish({
      title: word('lost'),
      allow_comments: true,
      files: [
        { path: 'index.html', html: '<title>Lost</title><a id=lost href="missing.html">x</a>' },
      ],
    })
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await (await framed(tab, '#lost')).click('#lost')
    const frame = await framed(tab, 'p.why')
    expect(await frame.textContent('h1')).toBe('There is nothing at this address')
    // The shell knows where its frame is: it takes this for no page whose access has ended.
    await becomes(() => tab.url(), `${page.url}/missing.html`)

    // Another page frames neither the notice nor the page.
    const address = frame.url()
    const hostile = await site.publish({ html: `<title>Hostile</title><p id=h>h</p>` })
    await tab.goto(hostile.url)
    await tab.waitForSelector('#h')
    await tab.evaluate((src) => {
      const element = Object.assign(document.createElement('iframe'), { src })
      return new Promise<void>((done) => {
        element.onload = () => done()
        document.body.append(element)
      })
    }, address)
    const text = await tab.frames()[1]!.content()
    expect(text).not.toContain('There is nothing at this address')
  },
)
