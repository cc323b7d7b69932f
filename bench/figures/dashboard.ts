import type { Browser, BrowserContext } from 'playwright-core'
import { markFirstRow, SLOW_4G } from '../../src/testing/slow-4g.ts'
import { launchBrowser } from '../browser.ts'
import type { Figure } from '../figure.ts'
import { type BrowserState, firstAccount } from '../first-account.ts'
import type { Row } from '../report.ts'
import { cpuSeconds, type Handbill, startHandbill } from '../servers.ts'
import { inMs, shown, spreadOf } from '../stats.ts'

const PAGES = 100
const GOAL_MS = 1000
const READS = 200
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const SLOW_PROCESSOR = 4
const HTML = '<!doctype html><title>Report of the quarter for the board</title><p>Words.'

/** (n) Time until an owner sees the list of pages, on a phone with a slow line. */
export const dashboard: Figure = {
  letter: 'n',
  about: 'the dashboard’s list of pages in Chromium, on a phone with slow 4G',
  async measure(bench) {
    await using handbill = await startHandbill(bench.folder('dashboard'))
    const browser = await launchBrowser()
    try {
      const state = await setUp(browser, handbill)
      bench.note(
        `(n) opens an account with ${PAGES} pages without a cache: 562 ms of latency for each ` +
          'request and 180 KB/s. It is the time until the first row has its place in a frame.',
      )
      const rows: Row[] = []
      for (const slowdown of [1, SLOW_PROCESSOR]) {
        bench.log(`the list on slow 4G, a processor ${slowdown} times slower`)
        const all: number[] = []
        for (let round = 0; round <= bench.rounds; round++) {
          const context = await browser.newContext({ ...PHONE, storageState: state })
          all.push(await paint(context, { url: `${handbill.url}/app`, slowdown }))
          await context.close()
        }
        rows.push(rowOf(all.slice(1), slowdown))
      }
      return [...rows, await documents(handbill, state)]
    } finally {
      await browser.close()
    }
  },
}

/** Makes the first account, with pages. @returns its session */
async function setUp(browser: Browser, handbill: Handbill): Promise<BrowserState> {
  const { owner, state } = await firstAccount(browser, handbill)
  for (let page = 0; page < PAGES; page++) await owner.create({ html: HTML })
  return state
}

async function paint(
  context: BrowserContext,
  { url, slowdown }: { url: string; slowdown: number },
): Promise<number> {
  const tab = await context.newPage()
  const session = await context.newCDPSession(tab)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await tab.addInitScript(markFirstRow)
  await tab.goto(url)
  return tab.evaluate(() => performance.getEntriesByName('row')[0]!.startTime)
}

function rowOf(all: number[], slowdown: number): Row {
  const spread = spreadOf(all)
  const isCompared = slowdown === 1
  return {
    figure: isCompared
      ? '(n) the first list of the dashboard on slow 4G'
      : `    the same, with a processor ${slowdown} times slower`,
    ours: shown(spread, inMs),
    peer: 'none',
    value: inMs(spread.median),
    goal: isCompared ? `≤ ${GOAL_MS} ms` : 'none',
    met: isCompared ? spread.median <= GOAL_MS : null,
  }
}

/** The processor time of the server for a document with the list. */
async function documents({ url, pid }: Handbill, { cookies }: BrowserState): Promise<Row> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'accept-encoding': 'zstd' }
  const read = async () => (await fetch(`${url}/app`, { headers })).bytes()
  for (let n = 0; n < READS; n++) await read()
  const before = cpuSeconds(pid)
  for (let n = 0; n < READS; n++) await read()
  const ms = ((cpuSeconds(pid) - before) / READS) * 1000
  return {
    figure: '    processor time of the server for its document',
    ours: inMs(ms),
    peer: 'none',
    value: inMs(ms),
    goal: 'none',
    met: null,
  }
}
