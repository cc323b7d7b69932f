/** Rounds of views of one page, for the figures that count views. */
import type { Row } from './report.ts'
import { type CreatedPage, cpuSeconds, type Owner, type Served } from './servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from './stats.ts'
import { read } from './timing.ts'
import { type WrkOptions, type WrkRun, wrk } from './wrk.ts'

/** A round of views of one page on one server. */
export interface Round extends WrkRun {
  cpuS: number
  /** The part of its core that the server had: less than 1 under other load or too little load. */
  share: number
}

export async function load({ pid }: Served, options: WrkOptions): Promise<Round> {
  const before = cpuSeconds(pid)
  const run = await wrk(options)
  const cpuS = cpuSeconds(pid) - before
  return { ...run, cpuS, share: cpuS / options.seconds }
}

export function cpuRow(ours: Round[], peer: Round[]): Row {
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
export async function exactness(
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

export async function assertSame(url: string, peerUrl: string): Promise<void> {
  const [ours, peer] = await Promise.all([read(url), read(peerUrl)])
  if (!Buffer.from(ours).equals(peer)) throw new Error(`${url} and ${peerUrl} differ`)
}

export function rates(runs: WrkRun[]): number[] {
  return runs.slice(1).map(({ perSecond }) => perSecond)
}

/** Views per second of processor time, which other load on the host hardly changes. */
export function cpuRates(runs: Round[]): number[] {
  return runs.slice(1).map(({ responses, cpuS }) => responses / cpuS)
}

export function share(runs: Round[]): string {
  return `${Math.round(spreadOf(runs.slice(1).map((run) => run.share)).median * 100)} %`
}

export function p99(runs: WrkRun[]): string {
  return `${spreadOf(runs.slice(1).map(({ p99Ms }) => p99Ms)).median.toFixed(1)} ms`
}
