/**
 * Sites that other people's tools have built, published by the command line: on hosts of their own
 * each is as on a plain server; in the sandbox those that can be, and publishing warns of the others.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../browser.ts'
import { type OriginSite, startOrigins } from '../origins.ts'
import { server } from '../server.ts'
import { cleanUp } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { compare, publishSite, walkPlainly, warningsIn } from './compare.ts'
import { SITE_NAMES, type SiteName } from './sites.ts'
import { newVisit, type Stop } from './walk.ts'

setDefaultTimeout(180_000)

/** Gives each page a host of its own. */
let host: OriginSite
/** Has no CONTENT_URL, and its address is not `localhost`: pages run in the sandbox. */
const sandbox = { base: server.url, key: server.keys.pro }
const browser = testBrowser({ closesWindows: true, withWindows: true })
beforeAll(async () => {
  host = await startOrigins()
})
afterAll(cleanUp)

const walks = new Map<SiteName, Promise<Stop[]>>()

/** What a walk on the plain server shows, once for all tests. One that fails is taken again. */
function plainWalk(name: SiteName): Promise<Stop[]> {
  const walk = walks.get(name) ?? walkPlainly(browser(), name)
  walks.set(name, walk)
  walk.catch(() => walks.delete(name))
  return walk
}

test.each(SITE_NAMES)('%s on its own host is as on a plain server', async (name) => {
  const [site, stops] = await Promise.all([publishSite(name, host), plainWalk(name)])
  expect(warningsIn(site)).toEqual([])
  await compare(browser(), site.page.url, stops)
})

/** What can be in the sandbox, and the lines where publishing warns of the speaker's window. */
const WHOLE: [name: SiteName, file: RegExp | null][] = [
  ['vite-relative', null],
  ['typedoc', null],
  ['reveal', /^dist\/plugin\/notes\.js:59:$/],
  ['marp', null],
  ['impress', /^js\/impress\.min\.js:2:$/],
]

test.each(WHOLE)(
  '%s in the sandbox is as on a plain server, but for a speaker’s window that is warned of',
  async (name, file) => {
    const [site, stops] = await Promise.all([publishSite(name, sandbox), plainWalk(name)])
    const warnings = warningsIn(site)
    expect(warnings).toHaveLength(file === null ? 0 : 1)
    if (file !== null) {
      expect(warnings[0]!.split(' ')[1]!).toMatch(file)
      expect(warnings[0]!).toContain('The window for the speaker cannot follow these slides')
    }
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
    const site = await publishSite(name, sandbox)
    const warning = warningsIn(site).find((line) => line.includes(words)) ?? ''
    expect(warning.split(' ')[1]!.replace(/:$/, '')).toMatch(file)
    expect(warning).toContain(
      'or set CONTENT_URL on the server, which gives each page a host of its own',
    )
  },
)

interface Talk {
  name: SiteName
  /** What its deck has once slides can be moved. */
  ready: string
  /** The key that opens the speaker window. */
  key: string
  /** Where the window has the notes of a slide, and what they say for the first and the second. */
  notes: string
  says: [string, string]
  /** An expression that is true where the deck is at its third slide. */
  isAtThird: string
}

const TALKS: Talk[] = [
  {
    name: 'reveal',
    ready: '.reveal.ready',
    key: 's',
    notes: '.speaker-controls-notes .value',
    says: ['Say hello.', '4809 metres.'],
    isAtThird: 'Reveal.getIndices().h === 2',
  },
  {
    name: 'marp',
    ready: '.bespoke-marp-active',
    key: 'p',
    notes: '.bespoke-marp-note.active',
    says: ['Say hello.', 'The deepest is 1642 metres.'],
    isAtThird: `location.hash === '#3'`,
  },
  {
    name: 'impress',
    ready: '.step.active',
    key: 'p',
    notes: '#notes',
    says: ['Say hello.', 'It is 90 km long.'],
    isAtThird: `document.querySelector('.step.active').id === 'sea'`,
  },
]

test.each(TALKS)('the speaker window of $name moves the deck, and is moved by it', async (talk) => {
  const { page } = await publishSite(talk.name, host)
  const { tab, problems } = await newVisit(browser(), page.url)
  await tab.goto(page.url)
  await tab.waitForSelector(talk.ready)
  const [speaker] = await Promise.all([tab.waitForEvent('popup'), tab.keyboard.press(talk.key)])
  const notes = () => speaker.textContent(talk.notes).then((text) => text?.trim())
  await becomes(notes, talk.says[0])
  // Its previews take the keys.
  await becomes(async () => {
    const previews = speaker.frames().slice(1)
    const ready = await Promise.all(previews.map((frame) => frame.$(talk.ready).catch(() => null)))
    return previews.length > 0 && ready.every((found) => found !== null)
  }, true)
  await tab.keyboard.press('ArrowRight')
  await becomes(notes, talk.says[1])
  await speaker.keyboard.press('ArrowRight')
  await becomes(() => tab.evaluate(talk.isAtThird), true)
  expect(problems).toEqual([])
})

test('the speaker window of marp moves the deck in the sandbox, too', async () => {
  const talk = TALKS.find(({ name }) => name === 'marp')!
  const { page } = await publishSite('marp', sandbox)
  const { tab, problems } = await newVisit(browser(), page.url)
  await tab.goto(page.url)
  const deck = await framed(tab, talk.ready)
  const [speaker] = await Promise.all([tab.waitForEvent('popup'), tab.keyboard.press(talk.key)])
  const view = await framed(speaker, talk.notes)
  const notes = () => view.textContent(talk.notes).then((text) => text?.trim())
  await becomes(notes, talk.says[0])
  await tab.keyboard.press('ArrowRight')
  await becomes(notes, talk.says[1])
  await speaker.bringToFront()
  await speaker.keyboard.press('ArrowRight')
  await becomes(() => deck.evaluate(talk.isAtThird), true)
  expect(problems).toEqual([])
})

test('the speaker window of reveal says in the sandbox that it needs an origin', async () => {
  const { page } = await publishSite('reveal', sandbox)
  const { tab } = await newVisit(browser(), page.url)
  await tab.goto(page.url)
  await framed(tab, '.reveal.ready')
  const opened = tab.context().waitForEvent('page')
  await tab.keyboard.press('s')
  await becomes(
    async () =>
      (await (await opened).textContent('body'))?.includes('only be opened from the same origin'),
    true,
  )
})
