/** Rounds of durable writes, each beside bare commits of SQLite on the same disk. */
import { join } from 'node:path'
import type { Bench } from './figure.ts'
import { SERVER_CORE } from './processes.ts'
import type { Row } from './report.ts'
import { cpuSeconds, type Served } from './servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from './stats.ts'
import type { WrkRun } from './wrk.ts'

const BUN = join(import.meta.dir, '..', 'bin', 'bun')

/** What the rounds measured. Round 0 warms up: only `answered` includes it. */
export interface Writes {
  perSecond: number[]
  /** Per second of processor time of the server. */
  perCpuSecond: number[]
  barePerSecond: number[]
  /** The responses that wrk read. */
  answered: number
}

/**
 * Measures writes in rounds, and bare commits after each.
 *
 * @param send runs one round; `answered` is the number of responses so far
 */
export async function measureWrites(
  bench: Bench,
  { pid }: Pick<Served, 'pid'>,
  send: (round: number, answered: number) => Promise<WrkRun>,
): Promise<Writes> {
  const writes: Writes = { perSecond: [], perCpuSecond: [], barePerSecond: [], answered: 0 }
  for (let round = 0; round <= bench.rounds; round++) {
    const before = cpuSeconds(pid)
    const { responses, refused, perSecond: rate } = await send(round, writes.answered)
    const cpuS = cpuSeconds(pid) - before
    if (refused > 0) throw new Error(`${refused} of ${responses} writes were refused`)
    writes.answered += responses
    const bare = await bareCommits(bench.folder('bare'), bench.seconds)
    if (round === 0) continue
    writes.perSecond.push(rate)
    writes.perCpuSecond.push(responses / cpuS)
    writes.barePerSecond.push(bare)
  }
  return writes
}

/** The rate of the writes, by itself, by processor time and beside bare commits. */
export function writeRows(figure: string, writes: Writes, goal: number): Row[] {
  const rate = spreadOf(writes.perSecond)
  const cpuRate = spreadOf(writes.perCpuSecond)
  return [
    {
      figure,
      ours: shown(rate, perSecond),
      peer: 'none',
      value: perSecond(rate.median),
      goal: `≥ ${perSecond(goal)}`,
      met: rate.median >= goal,
    },
    {
      figure: '    the same, per second of processor time of the server',
      ours: shown(cpuRate, perSecond),
      peer: 'none',
      value: perSecond(cpuRate.median),
      goal: 'none',
      met: null,
    },
    bareRow(writes),
  ]
}

export function bareRow({ perSecond: ours, barePerSecond: bare }: Writes): Row {
  return {
    figure: '    the same, and bare SQLite: one 10 KB row per durable commit, no HTTP',
    ours: shown(spreadOf(ours), perSecond),
    peer: shown(spreadOf(bare), perSecond),
    value: shown(ratioOf(ours, bare), times),
    goal: 'none',
    met: null,
  }
}

/**
 * Compares what is stored with the responses that wrk read. wrk does not read the last response of
 * each connection, so a round may store one more of each.
 */
export function exactRow(
  figure: string,
  { stored, answered, unread }: { stored: number; answered: number; unread: number },
): Row {
  const more = stored - answered
  return {
    figure,
    ours: stored.toLocaleString('en'),
    peer: answered.toLocaleString('en'),
    value: `${more >= 0 ? '+' : ''}${more}`,
    goal: `0 to ${unread} unread`,
    met: more >= 0 && more <= unread,
    isExactness: true,
  }
}

/** Durable commits of a 10 KB row that SQLite makes per second, on the core of the server. */
async function bareCommits(folder: string, seconds: number): Promise<number> {
  const script = join(import.meta.dir, 'bare-commits.ts')
  const command = ['taskset', '-c', String(SERVER_CORE), BUN, script]
  const child = Bun.spawn([...command, join(folder, 'bare.db'), String(seconds)], {
    stdout: 'pipe',
  })
  return Number(await new Response(child.stdout).text())
}
