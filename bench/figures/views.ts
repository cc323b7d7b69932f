import { read } from '../clock.ts'
import type { Figure } from '../lab.ts'
import { htmlOf } from '../material.ts'
import type { Row } from '../report.ts'
import {
  cpuSeconds,
  newOwner,
  type Owner,
  type PageMade,
  type Served,
  startHandbill,
  startNginx,
} from '../servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { type WrkOrder, type WrkRun, wrk } from '../wrk.ts'

const PAGE_BYTES = 10 * 1024
const NO_END = 2_000_000_000

/** (a) A counted view beside a static file of the same bytes. */
export const views: Figure = {
  letter: 'a',
  about: 'counted views of a 10 KB page, beside nginx',
  async measure(lab) {
    const html = htmlOf(PAGE_BYTES)
    await using handbill = await startHandbill(lab.folder('views'))
    await using nginx = await startNginx({ 'page.html': html })
    const owner = await newOwner(handbill)
    const text = new TextDecoder().decode(html)
    const page = await owner.create({ html: text, title: 'Counted' })
    const limited = await owner.create({ html: text, title: 'Limited', max_views: NO_END })
    for (const { slug } of [page, limited]) {
      await assertSame(`${handbill.url}/p/${slug}`, `${nginx.url}/page.html`)
    }

    const rows: Row[] = []
    for (const { of, connections, goal } of [
      { of: page, connections: 32, goal: 1 },
      { of: page, connections: 256, goal: 1 },
      { of: limited, connections: 256, goal: 0.8 },
    ]) {
      const what = of === limited ? 'view, limited page (fsync first)' : 'counted view'
      lab.say(`${what}, ${connections} connections`)
      const before = (await owner.page(of.id)).views
      const ours: Round[] = []
      const peer: Round[] = []
      // Round 0 warms up: it is counted by the page, and in no figure.
      for (let round = 0; round <= lab.rounds; round++) {
        const order = { connections, seconds: lab.seconds }
        ours.push(await load(handbill, { ...order, url: `${handbill.url}/p/${of.slug}` }))
        peer.push(await load(nginx, { ...order, url: `${nginx.url}/page.html` }))
      }
      const cpuRatio = ratioOf(cpuRates(ours), cpuRates(peer))
      const ratio = ratioOf(rates(ours), rates(peer))
      rows.push(
        {
          figure: `(a) ${what}, ${connections} connections`,
          ours: `${shown(spreadOf(rates(ours)), perSecond)}, p99 ${p99(ours)}`,
          peer: `${shown(spreadOf(rates(peer)), perSecond)}, p99 ${p99(peer)}`,
          value: shown(ratio, times),
          goal: `≥ ${goal.toFixed(1)}x`,
          met: ratio.median >= goal,
        },
        {
          figure: '    the same, per second of processor time that the server had',
          ours: `${shown(spreadOf(cpuRates(ours)), perSecond)}, had ${share(ours)} of its core`,
          peer: `${shown(spreadOf(cpuRates(peer)), perSecond)}, had ${share(peer)}`,
          value: shown(cpuRatio, times),
          goal: 'none',
          met: null,
        },
        await exactness(owner, of, { before, runs: ours, connections }),
      )
    }
    return rows
  },
}

interface Round extends WrkRun {
  cpuS: number
  /** Of its core; what is missing went to others on the machine, or the load came too slowly. */
  share: number
}

async function load({ pid }: Served, order: WrkOrder): Promise<Round> {
  const before = cpuSeconds(pid)
  const run = await wrk(order)
  const cpuS = cpuSeconds(pid) - before
  return { ...run, cpuS, share: cpuS / order.seconds }
}

/**
 * Every answer that wrk has read is a view. wrk leaves without reading the last answer of each
 * connection: those were views as well, so there may be up to so many more, and never fewer.
 */
async function exactness(
  owner: Owner,
  page: PageMade,
  { before, runs, connections }: { before: number; runs: WrkRun[]; connections: number },
): Promise<Row> {
  await Bun.sleep(200)
  const counted = (await owner.page(page.id)).views - before
  const served = runs.reduce((sum, { answers, refused }) => sum + answers - refused, 0)
  const refused = runs.reduce((sum, run) => sum + run.refused, 0)
  const more = counted - served
  const isExact = more >= 0 && more <= runs.length * connections && refused === 0
  return {
    figure: '    exact: views, and 200s that wrk read',
    ours: counted.toLocaleString('en'),
    peer: served.toLocaleString('en'),
    value: `${more >= 0 ? '+' : ''}${more}`,
    goal: `0 to ${runs.length * connections} unread`,
    met: isExact,
  }
}

async function assertSame(url: string, peerUrl: string): Promise<void> {
  const [ours, peer] = await Promise.all([read(url), read(peerUrl)])
  if (!Buffer.from(ours).equals(peer)) throw new Error(`${url} and ${peerUrl} differ`)
}

function rates(runs: WrkRun[]): number[] {
  return runs.slice(1).map(({ perSecond }) => perSecond)
}

/** Hardly moved by what else runs on the machine, unlike what a second of the clock holds. */
function cpuRates(runs: Round[]): number[] {
  return runs.slice(1).map(({ answers, cpuS }) => answers / cpuS)
}

function share(runs: Round[]): string {
  return `${Math.round(spreadOf(runs.slice(1).map((run) => run.share)).median * 100)} %`
}

function p99(runs: WrkRun[]): string {
  return `${spreadOf(runs.slice(1).map(({ p99Ms }) => p99Ms)).median.toFixed(1)} ms`
}
