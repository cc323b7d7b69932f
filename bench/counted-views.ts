/** Rounds of requests for one page, for the figures that count views. */
import { exactRow } from './durable-writes.ts'
import type { Bench } from './figure.ts'
import { type HeadOptions, headRequests } from './head-requests.ts'
import type { Row } from './report.ts'
import { type CreatedPage, cpuSeconds, type Owner, type Served } from './servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from './stats.ts'
import { read } from './timing.ts'
import { type WrkOptions, type WrkRun, wrk } from './wrk.ts'

/** The request that one server gets again and again. */
export interface Target {
  served: Served
  url: string
  headers?: Record<string, string>
  isHead?: boolean
}

/** A round of requests to one server. */
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

/**
 * Alternates rounds of the targets, so that other load on the host affects all of them. Round 0 warms
 * up: the page counts its views, but no figure includes it.
 */
export async function interleavedRounds(
  { rounds, seconds }: Pick<Bench, 'rounds' | 'seconds'>,
  targets: readonly Target[],
  connections: number,
): Promise<Round[][]> {
  const all: Round[][] = targets.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { served, url, headers = {}, isHead }] of targets.entries()) {
      const options = { url, connections, seconds, headers }
      const run = isHead ? withHead(served, options) : load(served, options)
      all[at]!.push(await run)
    }
  }
  return all
}

async function withHead({ pid }: Served, options: HeadOptions): Promise<Round> {
  const before = cpuSeconds(pid)
  const run = await headRequests(options)
  const cpuS = cpuSeconds(pid) - before
  return { ...run, cpuS, share: cpuS / options.seconds }
}

/** The rows of a rate beside a peer's. @param goal null where there is none */
export function rateRows(figure: string, [ours, peer]: [Round[], Round[]], goal: number | null) {
  const ratio = ratioOf(rates(ours), rates(peer))
  const row: Row = {
    figure,
    ours: `${shown(spreadOf(rates(ours)), perSecond)}, p99 ${p99(ours)}`,
    peer: `${shown(spreadOf(rates(peer)), perSecond)}, p99 ${p99(peer)}`,
    value: shown(ratio, times),
    goal: goal === null ? 'none' : `≥ ${goal}x`,
    met: goal === null ? null : ratio.median >= goal,
  }
  return [row, cpuRow(ours, peer)]
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
 * The rows of several processes beside one.
 *
 * @param unit what a process is called in the rows
 */
export function scalingRows(
  figure: string,
  [one, several]: [Round[], Round[]],
  { unit, processes, goal }: { unit: string; processes: number; goal: number },
): Row[] {
  const [rateOfOne, rateOfSeveral] = [cpuRates(one), cpuRates(several)]
  const gain = spreadOf(rateOfSeveral.map((rate, round) => (processes * rate) / rateOfOne[round]!))
  return [
    {
      figure,
      ours: shown(spreadOf(rates(several)), perSecond),
      peer: shown(spreadOf(rates(one)), perSecond),
      value: shown(ratioOf(rates(several), rates(one)), times),
      goal: 'none',
      met: null,
    },
    {
      figure: `    views per second of processor time of a ${unit}, times the number of them`,
      ours: shown(spreadOf(rateOfSeveral), perSecond),
      peer: shown(spreadOf(rateOfOne), perSecond),
      value: shown(gain, times),
      goal: `≥ ${goal}x`,
      met: gain.median >= goal,
    },
  ]
}

/**
 * Compares the counted views with the responses that wrk read. No request may have been refused.
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
  const unread = runs.length * connections
  const figure = '    exact: views, and 200s that wrk read'
  const row = exactRow(figure, { stored: counted, answered: served, unread })
  return { ...row, met: row.met && refused === 0 }
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
