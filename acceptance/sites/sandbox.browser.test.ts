/** Built sites in the sandbox: what works there, and that publishing warns of what does not. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { compare, publishSite, walkPlainly, warningsIn } from './compare.ts'
import type { SiteName } from './sites.ts'

setDefaultTimeout(60_000)

const browser = testBrowser({ closesWindows: true })
const host = { base: server.url, key: server.keys.pro }

const WHOLE: SiteName[] = ['reveal', 'marp', 'impress']

test.each(WHOLE)(
  '%s in the sandbox is as on a plain server, and nothing is warned of',
  async (name) => {
    const [site, stops] = await Promise.all([publishSite(name, host), walkPlainly(browser(), name)])
    expect(warningsIn(site)).toEqual([])
    const { root } = await compare(browser(), site.page.url, stops)
    expect(root).toBe(site.page.url)
  },
)

/** The sites that cannot work below `/p/`; the file and the words of a warning. */
const EXPECTS_ROOT: [name: SiteName, file: RegExp, words: string][] = [
  ['vite', /^assets\/index-[\w-]+\.js:\d+$/, 'This app takes its route from the path'],
  [
    'vitepress',
    /^assets\/chunks\/framework\.[\w-]+\.js:\d+$/,
    'This app takes its route from the path',
  ],
  [
    'next',
    /^_next\/static\/chunks\/[\w-]+\.js:\d+$/,
    '"/_next/" is an address at the root of a host',
  ],
]

test.each(EXPECTS_ROOT)(
  '%s needs the root of a host: publishing says so, with file, line and cure',
  async (name, file, words) => {
    const site = await publishSite(name, host)
    const warning = warningsIn(site).find((line) => line.includes(words)) ?? ''
    expect(warning.split(' ')[1]!.replace(/:$/, '')).toMatch(file)
    expect(warning).toContain(
      'or set CONTENT_URL on the server, which gives each page a host of its own',
    )
  },
)
