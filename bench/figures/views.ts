import type { Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import {
  type CreatedPage,
  cpuSeconds,
  newOwner,
  type Owner,
  type Served,
  startHandbill,
  startNginx,
} from '../servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { read } from '../timing.ts'
import { type WrkOptions, type WrkRun, wrk } from '../wrk.ts'

const PAGE_BYTES = 10 * 1024
const NEVER_REACHED = 2_000_000_000

/** (a) A counted view beside a static file of the same bytes. */
export const views: Figure = {
  letter: 'a',
  about: 'counted views of a 10 KB page, beside nginx',
  async measure(bench) {
    const html = htmlOf(PAGE_BYTES)
    await using handbill = await startHandbill(bench.folder('views'))
    await using nginx = await startNginx({ 'page.html': html })
    const owner = await newOwner(handbill)
    const text = new TextDecoder().decode(html)
    const page = await owner.create({ html: text, title: 'Counted' })
    const limited = await owner.create({ html: text, title: 'Limited', max_views: NEVER_REACHED })
    for (const { slug } of [page, limited]) {
      await assertSame(`${handbill.url}/p/${slug}`, `${nginx.url}/page.html`)
    }

    const rows: Row[] = []
    for (const { of, connections, goal } of [
      { of: page, connections: 32, goal: 1 },
      { of: page, connections: 256, goal: 1 },
      { of: limited, connections: 256, goal: 0.8 },
    ]) {
      const name = of === limited ? 'view, limited page (fsync first)' : 'counted view'
      bench.log(`${name}, ${connections} connections`)
      const before = (await owner.page(of.id)).views
      const ours: Round[] = []
      const peer: Round[] = []
      // Round 0 warms up: its views are counted by the page, but it is in no figure.
      for (let round = 0; round <= bench.rounds; round++) {
        const options = { connections, seconds: bench.seconds }
        ours.push(await load(handbill, { ...options, url: `${handbill.url}/p/${of.slug}` }))
        peer.push(await load(nginx, { ...options, url: `${nginx.url}/page.html` }))
      }
      const ratio = ratioOf(rates(ours), rates(peer))
      rows.push(
        {
          figure: `(a) ${name}, ${connections} connections`,
          ours: `${shown(spreadOf(rates(ours)), perSecond)}, p99 ${p99(ours)}`,
          peer: `${shown(spreadOf(rates(peer)), perSecond)}, p99 ${p99(peer)}`,
          value: shown(ratio, times),
          goal: `≥ ${goal.toFixed(1)}x`,
          met: ratio.median >= goal,
        },
        cpuRow(ours, peer),
        await exactness(owner, of, { before, runs: ours, connections }),
      )
    }
    return rows
  },
}

interface Round extends WrkRun {
  cpuS: number
  /** The part of its core that the server had: less than 1 under other load or too little load. */
  share: number
}

async function load({ pid }: Served, options: WrkOptions): Promise<Round> {
  const before = cpuSeconds(pid)
  const run = await wrk(options)
  const cpuS = cpuSeconds(pid) - before
  return { ...run, cpuS, share: cpuS / options.seconds }
}

function cpuRow(ours: Round[], peer: Round[]): Row {
  return {
    figure: '    the same, per second of processor time of the server',
    ours: `${shown(spreadOf(cpuRates(ours)), perSecond)}, had ${share(ours)} of its core`,
    peer: `${shown(spreadOf(cpuRates(peer)), perSecond)}, had ${share(peer)}`,
    value: shown(ratioOf(cpuRates(ours), cpuRates(peer)), times),
    goal: 'none',
    met: null,
  }
}

/**
 * Compares the counted views with the responses that wrk read. wrk does not read the last response
 * of each connection, so the server may have counted one more view per connection and round.
 */
async function exactness(
  owner: Owner,
  page: CreatedPage,
  { before, runs, connections }: { before: number; runs: WrkRun[]; connections: number },
): Promise<Row> {
  await Bun.sleep(200)
  const counted = (await owner.page(page.id)).views - before
  const served = runs.reduce((sum, { responses, refused }) => sum + responses - refused, 0)
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

/** Views per second of processor time, which other load on the host hardly changes. */
function cpuRates(runs: Round[]): number[] {
  return runs.slice(1).map(({ responses, cpuS }) => responses / cpuS)
}

function share(runs: Round[]): string {
  return `${Math.round(spreadOf(runs.slice(1).map((run) => run.share)).median * 100)} %`
}

function p99(runs: WrkRun[]): string {
  return `${spreadOf(runs.slice(1).map(({ p99Ms }) => p99Ms)).median.toFixed(1)} ms`
}
