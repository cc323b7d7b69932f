/**
 * Sites as other people's tools write them, published by the command line: on hosts of their own each
 * is as on a plain server; in the sandbox those that can be, and publishing warns of the others.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../browser.ts'
import { BY_ITSELF, type OriginSite, startOrigins } from '../origins.ts'
import { cleanUp } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { compare, publishSite, walkPlainly, warningsIn } from './compare.ts'
import { SITE_NAMES, type SiteName, siteOf } from './sites.ts'
import { newVisit } from './walk.ts'

setDefaultTimeout(240_000)

/** Hosts of their own, by CONTENT_URL; on localhost without it; and none at all. */
const SERVERS = [{}, BY_ITSELF, { contentUrl: 'off' }]
let [host, local, sandbox] = [] as unknown as [OriginSite, OriginSite, OriginSite]
const browser = testBrowser({ closesWindows: true })
const withWindows = testBrowser({ closesWindows: true, withWindows: true })
/** A browser without windows denies what Marp asks for: that the screen stays on. */
const browserOf = (name: SiteName) => (name === 'marp' ? withWindows() : browser())
beforeAll(async () => {
  const started = await Promise.all(SERVERS.map((settings) => startOrigins(settings)))
  ;[host, local, sandbox] = started as [OriginSite, OriginSite, OriginSite]
})
afterAll(cleanUp)

test.each(SITE_NAMES)(
  '%s is as on a plain server; in the sandbox too, or publishing warns of it',
  async (name) => {
    const { warned, isWarnedOfPart } = siteOf(name)
    const [stops, ...sites] = await Promise.all([
      walkPlainly(browserOf(name), name),
      ...[host, local, sandbox].map((server) => publishSite(name, server)),
    ])
    const [ofHost, ofLocal, ofSandbox] = sites.map(warningsIn)
    expect([ofHost, ofLocal]).toEqual([[], []])
    if (warned === undefined) expect(ofSandbox).toEqual([])
    else {
      const warning = ofSandbox!.find((line) => warned.test(line)) ?? String(ofSandbox)
      expect(warning).toMatch(warned)
      expect(warning).toMatch(/^Warning: \S.*:\d+: /)
      expect(warning).toContain('set CONTENT_URL on the server, with one DNS record for it')
    }
    const isWhole = warned === undefined || isWarnedOfPart === true
    const walked = isWhole ? sites : sites.slice(0, 2)
    await Promise.all(walked.map((site) => compare(browserOf(name), site, stops)))
  },
)

test('the search of starlight finds a document by its index', async () => {
  const { page } = await publishSite('starlight', local)
  const { tab, problems } = await newVisit(browser(), page.url)
  await tab.goto(page.url)
  await tab.click('button[data-open-modal]')
  // The dialog has its focus where it was opened before the search had loaded.
  await tab.fill('#starlight__search input', 'crampons')
  const result = () => tab.textContent('#starlight__search .pagefind-ui__result-link')
  await becomes(async () => (await result())?.trim(), 'Walking')
  expect(problems).toEqual([])
})

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
  const { tab, problems } = await newVisit(browserOf(talk.name), page.url)
  await tab.goto(page.url)
  await tab.waitForSelector(talk.ready)
  const [speaker] = await Promise.all([tab.waitForEvent('popup'), tab.keyboard.press(talk.key)])
  const notes = () => speaker.textContent(talk.notes).then((text) => text?.trim())
  await becomes(notes, talk.says[0])
  // Its previews take the keys.
  await becomes(async () => {
    const previews = speaker.frames().slice(1)
    const ready = await Promise.all(previews.map((frame) => frame.$(talk.ready).catch(() => null)))
    return previews.length > 0 && ready.every((result) => result !== null)
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
  const { tab, problems } = await newVisit(withWindows(), page.url)
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
