import type { Browser, BrowserContext, Frame, Page as Tab } from 'playwright-core'
import { freePort } from '../../src/testing/free-port.ts'
import { launchBrowser } from '../browser.ts'
import type { Bench, Figure } from '../figure.ts'
import { type BrowserState, firstAccount } from '../first-account.ts'
import type { Row } from '../report.ts'
import { proseOf } from '../sample-content.ts'
import { type Owner, startHandbill } from '../servers.ts'
import { type Line, type LineProfile, startLine } from '../slow-line.ts'
import { inMs, ratioOf, shown, spreadOf, times } from '../stats.ts'

const PAGE_BYTES = 20_000
const PASSWORD = 'four and twenty'
const GOAL = 1.1
/** “Slow 4G” of Lighthouse. */
const SLOW: LineProfile = { rttMs: 150, bytesPerSecond: 1_600_000 / 8 }

/** (u) Time until the first paint of a page, by what is around it. */
export const firstPaint: Figure = {
  letter: 'u',
  about: 'the first paint of a page in Chromium: behind a password, with comments, for its owner',
  async measure(bench) {
    const [port, serverPort] = [freePort(), freePort()]
    const settings = { PORT: String(serverPort), BASE_URL: `http://127.0.0.1:${port}` }
    await using line = await startLine(port, serverPort)
    await using handbill = await startHandbill(bench.folder('first-paint'), settings)
    const browser = await launchBrowser()
    try {
      const { owner, state } = await firstAccount(browser, handbill)
      const cases = await casesOf(browser, owner, state)
      const rows: Row[] = []
      for (const profile of [SLOW, null]) {
        bench.log(profile === null ? 'first paint on loopback' : 'first paint over a slow line')
        line.use(profile)
        rows.push(...rowsOf(await rounds(bench, browser, cases), profile))
      }
      bench.note(noteOf(await sizes(browser, line, cases)))
      return rows
    } finally {
      await browser.close()
    }
  },
}

interface Case {
  name: string
  url: string
  state: BrowserState | undefined
  isFramed: boolean
}

/** The first one is the page that the others are compared with. */
async function casesOf(browser: Browser, owner: Owner, signedIn: BrowserState): Promise<Case[]> {
  const html = new TextDecoder().decode(proseOf(PAGE_BYTES))
  const publish = async (settings: object) =>
    `${owner.url}/p/${(await owner.create({ html, ...settings })).slug}`
  const open = await publish({})
  const locked = await publish({ access: 'password', password: PASSWORD })
  const commented = await publish({ allow_comments: true })
  const proved = await proveOnce(browser, locked)
  return [
    { name: 'an open page', url: open, state: undefined, isFramed: false },
    {
      name: 'a page behind a password, with its cookie',
      url: locked,
      state: proved,
      isFramed: false,
    },
    { name: 'a page with comments', url: commented, state: undefined, isFramed: true },
    { name: 'a page, for its owner', url: open, state: signedIn, isFramed: true },
  ]
}

async function proveOnce(browser: Browser, url: string): Promise<BrowserState> {
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(url)
  await tab.getByLabel('Password').fill(PASSWORD)
  await tab.getByRole('button', { name: 'Open the page' }).click()
  await tab.waitForURL((address) => !address.pathname.includes('~'))
  await tab.locator('p').nth(5).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

interface Paint {
  /** From the start of the navigation. */
  firstMs: number
  largestMs: number
}

/** Paints differ by milliseconds from one to the next, so there are more rounds of them. */
const ROUNDS_EACH = 3
const PAINTED_MS = 15_000
const MAX_TRIES = 3

async function rounds(bench: Bench, browser: Browser, cases: Case[]): Promise<Map<Case, Paint[]>> {
  const all = new Map(cases.map((each): [Case, Paint[]] => [each, []]))
  // Round 0 warms up. The order alternates, as a round may slow the one after it.
  for (let round = 0; round <= bench.rounds * ROUNDS_EACH; round++) {
    const at = round % cases.length
    for (const each of [...cases.slice(at), ...cases.slice(0, at)]) {
      const paint = await paintIn(browser, each)
      if (round > 0) all.get(each)!.push(paint)
    }
  }
  return all
}

/** Without a cache and with connections of its own. */
async function inNewWindow<T>(
  browser: Browser,
  { state }: Case,
  use: (tab: Tab, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(state && { storageState: state })
  try {
    return await use(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

/** Opens a window again if the browser has not reported its paints. */
async function paintIn(browser: Browser, each: Case): Promise<Paint> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const paint = await inNewWindow(browser, each, (tab) =>
      Promise.race([paintOf(tab, each), Bun.sleep(PAINTED_MS)]),
    )
    if (paint) return paint
  }
  throw new Error(`${each.url}: no paint within ${PAINTED_MS} ms, ${MAX_TRIES} times`)
}

async function paintOf(tab: Tab, { url, isFramed }: Case): Promise<Paint> {
  const response = await tab.goto(url, { waitUntil: 'load' })
  if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}`)
  const frame = isFramed ? contentFrame(tab) : tab.mainFrame()
  const began = await tab.evaluate(() => performance.timeOrigin)
  const { first, largest } = await frame.evaluate(readPaints)
  return { firstMs: first - began, largestMs: largest - began }
}

function contentFrame(tab: Tab): Frame {
  const [frame] = tab.mainFrame().childFrames()
  if (frame === undefined) throw new Error(`${tab.url()} has no frame`)
  return frame
}

/** Runs in the document that shows the page. */
async function readPaints(): Promise<{ first: number; largest: number }> {
  const entry = (type: string, name?: string) =>
    new Promise<number>((resolve) => {
      new PerformanceObserver((list, observer) => {
        const results = name === undefined ? list.getEntries() : list.getEntriesByName(name)
        if (results.length === 0) return
        observer.disconnect()
        resolve(performance.timeOrigin + results.at(-1)!.startTime)
      }).observe({ type, buffered: true })
    })
  const [first, largest] = await Promise.all([
    entry('paint', 'first-contentful-paint'),
    entry('largest-contentful-paint'),
  ])
  return { first, largest }
}

function rowsOf(all: Map<Case, Paint[]>, profile: LineProfile | null): Row[] {
  const [[, open], ...others] = [...all] as [[Case, Paint[]], ...[Case, Paint[]][]]
  const where = profile === null ? 'on loopback' : 'on slow 4G'
  return others.flatMap(([{ name, isFramed }, paints], index) =>
    (['firstMs', 'largestMs'] as const).map((which): Row => {
      const [mine, peer] = [paints, open].map((each) => each.map((one) => one[which]))
      const ratio = ratioOf(mine!, peer!)
      const isFirst = which === 'firstMs'
      const mark = index === 0 && isFirst && profile !== null ? '(u) ' : '    '
      return {
        figure: `${mark}${isFirst ? 'first' : 'largest'} paint of ${name}, ${where}`,
        ours: shown(spreadOf(mine!), inMs),
        peer: shown(spreadOf(peer!), inMs),
        value: shown(ratio, times),
        goal: isFramed ? 'none' : `≤ ${times(GOAL)}`,
        met: isFramed ? null : ratio.median <= GOAL,
      }
    }),
  )
}

interface Size {
  name: string
  documentBytes: number
  frameBytes: number | null
  requests: number
}

/** The sizes of bodies on the wire, and the requests until everything has loaded. */
async function sizes(browser: Browser, line: Line, cases: Case[]): Promise<Size[]> {
  line.use(null)
  const all: Size[] = []
  for (const each of cases) {
    all.push(
      await inNewWindow(browser, each, async (tab) => {
        let requests = 0
        tab.on('request', () => requests++)
        await tab.goto(each.url, { waitUntil: 'networkidle' })
        const documentBytes = await tab.evaluate(documentSize)
        const frameBytes = each.isFramed ? await contentFrame(tab).evaluate(documentSize) : null
        return { name: each.name, documentBytes, frameBytes, requests }
      }),
    )
  }
  return all
}

function documentSize(): number {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry!.encodedBodySize
}

function noteOf(all: Size[]): string {
  const each = all.map(({ name, documentBytes, frameBytes, requests }) => {
    const frame = frameBytes === null ? '' : `, ${frameBytes.toLocaleString('en')} in its frame`
    const document = documentBytes.toLocaleString('en')
    return `${name} has ${document} bytes of document${frame}, and ${requests} request(s) in all`
  })
  return (
    '(u) is the time from the start of a navigation to the first and the largest contentful paint ' +
    `of the same page of ${PAGE_BYTES.toLocaleString('en')} bytes, without a cache. The peer is ` +
    `the open page. Slow 4G is ${SLOW.rttMs} ms for a round trip and 1.6 Mbit/s, with TCP’s slow ` +
    `start. On the wire, ${each.join('; ')}.`
  )
}
