import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import type { Bench, Figure } from '../figure.ts'
import { ask, fileOf, openPanel, type Panel } from '../panels.ts'
import type { Row } from '../report.ts'
import { cpuSeconds, type Handbill, newOwner, startHandbill } from '../servers.ts'
import { inMs, perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { timed } from '../timing.ts'
import { type WrkRun, wrk } from '../wrk.ts'

const COMMENTS = 5000
/** One comment in so many is a reply. */
const GROUP = 5
const WRITERS = 32
const PARAGRAPHS = 100
const READS = 50
const SETTINGS = { allow_comments: true, notify_on_comment: false }
const PANELS = 1000
const PANEL_MS = 4000
const VIEW_CONNECTIONS = 32
const WORDS = 'The quick brown fox jumps over the lazy dog, and back again'
const PAGE = `<!doctype html><html lang="en"><title>Plan</title>${paragraphs()}`

/** (m) A page with many comments: reading and showing them, and their effect on other views. */
export const threads: Figure = {
  letter: 'm',
  about: '5,000 comments on a page: reads, the panel in Chromium, 1,000 panels beside views',
  async measure(bench) {
    const dataDir = bench.folder('threads')
    const slugs = await write(bench, dataDir)
    const cold = await coldReads(bench, dataDir, slugs.full)
    await using handbill = await startHandbill(dataDir)
    const urls = {
      full: `${handbill.url}/p/${slugs.full}`,
      other: `${handbill.url}/p/${slugs.other}`,
    }
    bench.note(NOTE)
    return [
      ...(await reads(handbill, urls.full)),
      cold,
      await painted(bench, urls.full),
      ...(await openPanels(bench, handbill, urls)),
      await raw(bench, handbill, urls),
    ]
  },
}

const NOTE =
  '(m) has 4,000 threads and 1,000 replies; every second comment is about a passage of the page. ' +
  'The panel is opened before it has read the comments, without a cache. The panels ask every ' +
  `${PANEL_MS / 1000} seconds, as open ones do, and nothing has changed.`

function paragraphs(): string {
  return Array.from({ length: PARAGRAPHS }, (_, n) => `<p>Passage ${n} says: ${WORDS}.`).join('\n')
}

/** Publishes the page and one that takes no comments, and writes the comments. */
async function write(bench: Bench, dataDir: string): Promise<{ full: string; other: string }> {
  await using handbill = await startHandbill(dataDir)
  const owner = await newOwner(handbill)
  const { slug } = await owner.create({ html: PAGE, ...SETTINGS })
  const { slug: other } = await owner.create({ html: PAGE })
  bench.log(`writing ${COMMENTS.toLocaleString('en')} comments`)
  const author = await openPanel(`${handbill.url}/p/${slug}`)
  const url = `${handbill.url}/~/comments/post`
  let begun = 0
  async function writer(): Promise<void> {
    while (begun < COMMENTS / GROUP) {
      begun += 1
      let first = ''
      for (let n = 0; n < GROUP; n++) {
        const parent = n === GROUP - 1 ? { parent_id: first } : passage(begun + n)
        const comment = { id: crypto.randomUUID(), name: 'Ann Example', body: WORDS, ...parent }
        const { data } = JSON.parse(await ask(url, author, comment))
        first ||= (data as { comment: { id: string } }).comment.id
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return { full: slug, other }
}

/** Every second comment is about a passage. */
function passage(n: number): object {
  if (n % 2 === 1) return {}
  const quote = `Passage ${n % PARAGRAPHS} says`
  return { anchor: { quote, prefix: '', suffix: `: ${WORDS}` } }
}

async function reads({ url: origin }: Handbill, page: string): Promise<Row[]> {
  const panel = await openPanel(page)
  const read = (previous: number | null) => ask(`${origin}/~/comments`, panel, { known: previous })
  const { data } = JSON.parse(await read(null)) as { data: { revision: number; count: number } }
  if (data.count !== COMMENTS) throw new Error(`The page has ${data.count} comments`)
  const [whole, unchanged]: [number[], number[]] = [[], []]
  for (let sample = 0; sample < READS; sample++) whole.push(await timed(() => read(null)))
  // In separate runs: this process has to collect megabytes of garbage after each.
  for (let sample = 0; sample < READS; sample++) {
    unchanged.push(await timed(() => read(data.revision)))
  }
  return [
    readRow('(m) a read of 5,000 comments', whole, 20),
    readRow('    an open panel asks for news and there are none', unchanged, 2),
  ]
}

function readRow(figure: string, samples: number[], goalMs: number): Row {
  const spread = spreadOf(samples)
  const value = inMs(spread.median)
  const met = spread.median <= goalMs
  return { figure, ours: shown(spread, inMs), peer: 'none', value, goal: `≤ ${goalMs} ms`, met }
}

/** The first read of a server that was started anew. */
async function coldReads(bench: Bench, dataDir: string, slug: string): Promise<Row> {
  bench.log('first reads of servers')
  const all: number[] = []
  for (let round = 0; round < bench.rounds; round++) {
    await using handbill = await startHandbill(dataDir)
    const panel = await openPanel(`${handbill.url}/p/${slug}`)
    all.push(await timed(() => ask(`${handbill.url}/~/comments`, panel, {})))
  }
  const spread = spreadOf(all)
  return {
    figure: '    the first read after a start',
    ours: shown(spread, inMs),
    peer: 'none',
    value: inMs(spread.median),
    goal: 'none',
    met: null,
  }
}

async function painted(bench: Bench, page: string): Promise<Row> {
  bench.log('the panel in Chromium')
  const browser = await launchBrowser()
  try {
    const all: number[] = []
    for (let round = 0; round <= bench.rounds; round++) all.push(await paint(browser, page))
    return readRow(
      '    the panel in Chromium, from the click to the painted comments',
      all.slice(1),
      300,
    )
  } finally {
    await browser.close()
  }
}

/** Opens the panel as soon as its button is there: the comments are not read before. */
async function paint(browser: Browser, page: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const tab = await context.newPage()
  await tab.goto(page)
  await tab.getByRole('button', { name: /^Comments/ }).waitFor()
  const ms = await tab.evaluate(async () => {
    const { shadowRoot } = document.querySelector('#conversations')!
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const buttons = [...shadowRoot!.querySelectorAll('button')]
    const began = performance.now()
    buttons.find(({ textContent }) => textContent.startsWith('Comments'))!.click()
    while (shadowRoot!.querySelector('.comment .words') === null) await frame()
    // The first frame paints the comments, and the second one begins after it.
    await frame()
    await frame()
    return performance.now() - began
  })
  await context.close()
  return ms
}

interface Urls {
  full: string
  /** A page without conversations. */
  other: string
}

/** Views of another page while panels poll, beside the same views without panels. */
async function openPanels(bench: Bench, handbill: Handbill, urls: Urls): Promise<Row[]> {
  bench.log(`opening the page in ${PANELS.toLocaleString('en')} browsers`)
  const panels: Panel[] = []
  while (panels.length < PANELS) panels.push(await openPanel(urls.full))
  const { seconds, rounds } = bench
  const file = fileOf(bench, panels)
  const url = `${handbill.url}/~/comments`
  const { data } = JSON.parse(await ask(url, panels[0]!, {})) as { data: { revision: number } }
  const args = [handbill.url, file, ...[data.revision, PANELS, PANEL_MS].map(String)]
  const panelRun = (forSeconds: number) =>
    wrk({ url, connections: PANELS, seconds: forSeconds, script: 'open-panels.lua', args })
  const view = () => wrk({ url: urls.other, connections: VIEW_CONNECTIONS, seconds })
  const [without, beside, shares]: [WrkRun[], WrkRun[], number[]] = [[], [], []]
  bench.log('views beside open panels, and without them')
  for (let round = 0; round <= rounds; round++) {
    without.push(await view())
    // The panels begin before the views and end after them.
    const running = panelRun(seconds + 2)
    await Bun.sleep(1000)
    beside.push(await view())
    assertAnswered(await running)
    const before = cpuSeconds(handbill.pid)
    assertAnswered(await panelRun(seconds))
    shares.push((cpuSeconds(handbill.pid) - before) / seconds)
  }
  return panelRows(without.slice(1), beside.slice(1), shares.slice(1))
}

function assertAnswered({ refused, responses }: WrkRun): void {
  if (refused > 0) throw new Error(`${refused} of ${responses} panels were refused`)
}

function panelRows(without: WrkRun[], beside: WrkRun[], shares: number[]): Row[] {
  const [p99, p99Beside] = [without, beside].map((runs) => runs.map((run) => run.p99Ms))
  const [rate, rateBeside] = [without, beside].map((runs) => runs.map((run) => run.perSecond))
  const ratio = ratioOf(p99Beside!, p99!)
  const share = spreadOf(shares)
  const inPercent = (value: number) => `${(value * 100).toFixed(1)} %`
  const reads = perSecond(PANELS / (PANEL_MS / 1000))
  return [
    {
      figure: `    p99 of views of another page beside 1,000 open panels (${reads} reads)`,
      ours: shown(spreadOf(p99Beside!), inMs),
      peer: `without panels: ${shown(spreadOf(p99!), inMs)}`,
      value: shown(ratio, times),
      goal: 'none',
      met: null,
    },
    {
      figure: '    the same, views per second',
      ours: shown(spreadOf(rateBeside!), perSecond),
      peer: `without panels: ${shown(spreadOf(rate!), perSecond)}`,
      value: shown(ratioOf(rateBeside!, rate!), times),
      goal: 'none',
      met: null,
    },
    {
      figure: '    what the panels alone take of a core',
      ours: shown(share, inPercent),
      peer: 'none',
      value: inPercent(share.median),
      goal: 'none',
      met: null,
    },
  ]
}

/** A program asks for the page, so nothing is around it. */
async function raw(bench: Bench, { pid }: Handbill, urls: Urls): Promise<Row> {
  bench.log('views of the content, with and without comments')
  const options = { connections: VIEW_CONNECTIONS, seconds: bench.seconds }
  const view = async (url: string) => {
    const before = cpuSeconds(pid)
    const { responses } = await wrk({ ...options, url })
    return responses / (cpuSeconds(pid) - before)
  }
  const [ours, peer]: [number[], number[]] = [[], []]
  for (let round = 0; round <= bench.rounds; round++) {
    ours.push(await view(urls.full))
    peer.push(await view(urls.other))
  }
  const ratio = ratioOf(ours.slice(1), peer.slice(1))
  return {
    figure: '    views of its content by a program, per second of processor time',
    ours: shown(spreadOf(ours.slice(1)), perSecond),
    peer: `without conversations: ${shown(spreadOf(peer.slice(1)), perSecond)}`,
    value: shown(ratio, times),
    goal: '≥ 0.95x',
    met: ratio.median >= 0.95,
  }
}
