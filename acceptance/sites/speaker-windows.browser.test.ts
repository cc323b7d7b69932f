/** The speaker windows of presentation tools work on a host of the page's own. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { type OriginSite, startOrigins } from '../origins.ts'
import { cleanUp } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { publishSite } from './compare.ts'
import type { SiteName } from './sites.ts'
import { newVisit } from './walk.ts'

setDefaultTimeout(60_000)

let host: OriginSite
const browser = testBrowser({ closesWindows: true })
beforeAll(async () => {
  host = await startOrigins()
})
afterAll(cleanUp)

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
