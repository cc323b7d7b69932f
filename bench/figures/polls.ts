import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Bench, Figure } from '../figure.ts'
import { ask, fileOf, openPanel, type Panel } from '../panels.ts'
import type { Row } from '../report.ts'
import { cpuSeconds, type Handbill, newOwner, type Owner, startHandbill } from '../servers.ts'
import { inMs, perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { timed } from '../timing.ts'
import { wrk } from '../wrk.ts'
import { bareCommits } from './creates.ts'

const IN_FLIGHT = 32
const VOTERS = 2000
const READS = 200

/** (k) Polls: votes, each durable, and what an open panel asks for. */
export const polls: Figure = {
  letter: 'k',
  about: 'votes of 2,000 voters in one poll, beside bare commits, and reads of the panel',
  async measure(bench) {
    await using handbill = await startHandbill(bench.folder('polls'))
    const owner = await newOwner(handbill)
    const { id, slug } = await owner.create({
      html: '<!doctype html><title>Poll</title><p>x',
      ...{ collect_votes: true, poll_question: 'Where?' },
      poll_options: ['Lisbon', 'Porto', 'Copenhagen'],
    })
    bench.log(`opening the page in ${VOTERS.toLocaleString('en')} browsers`)
    const voters: Panel[] = []
    while (voters.length < VOTERS) voters.push(await openPanel(`${handbill.url}/p/${slug}`))
    const votes = await measureVotes(bench, handbill, voters)
    return [...votes, await exact(handbill, owner, id), await reads(handbill.url, voters[0]!)]
  },
}

async function measureVotes(bench: Bench, handbill: Handbill, voters: Panel[]): Promise<Row[]> {
  const { url: origin, pid } = handbill
  const file = fileOf(bench, voters)
  const { seconds } = bench
  const options = { url: `${origin}/~/votes`, connections: IN_FLIGHT, seconds, script: 'votes.lua' }
  const ours: number[] = []
  const cpu: number[] = []
  const bare: number[] = []
  let cast = 0
  bench.log(`votes, ${IN_FLIGHT} in flight`)
  for (let round = 0; round <= bench.rounds; round++) {
    const before = cpuSeconds(pid)
    const run = await wrk({ ...options, args: [origin, file, String(cast)] })
    if (run.refused > 0) throw new Error(`${run.refused} votes were refused`)
    cast += run.responses
    ours.push(run.perSecond)
    cpu.push(run.responses / (cpuSeconds(pid) - before))
    bare.push(await bareCommits(bench.folder('bare'), seconds))
  }
  return votesRows(ours.slice(1), cpu.slice(1), bare.slice(1))
}

function votesRows(ours: number[], cpu: number[], bare: number[]): Row[] {
  const rate = spreadOf(ours)
  const cpuRate = spreadOf(cpu)
  return [
    {
      figure: `(k) votes that change the voter's last, each durable, ${IN_FLIGHT} in flight`,
      ours: shown(rate, perSecond),
      peer: 'none',
      value: perSecond(rate.median),
      goal: '≥ 2,000/s',
      met: rate.median >= 2000,
    },
    {
      figure: '    the same, per second of processor time of the server',
      ours: shown(cpuRate, perSecond),
      peer: 'none',
      value: perSecond(cpuRate.median),
      goal: 'none',
      met: null,
    },
    {
      figure: '    the same, and bare SQLite: one 10 KB row per durable commit, no HTTP',
      ours: shown(rate, perSecond),
      peer: shown(spreadOf(bare), perSecond),
      value: shown(ratioOf(ours, bare), times),
      goal: 'none',
      met: null,
    },
  ]
}

/** Compares the counts that the API answers with the votes that are stored. */
async function exact({ dataDir }: Handbill, owner: Owner, id: string): Promise<Row> {
  type Results = { total_votes: number; options: { votes: number }[] }
  const { total_votes: total, options } = await owner.call<Results>('GET', `/pages/${id}/poll`)
  const sum = options.reduce((all, { votes }) => all + votes, 0)
  using db = new Database(join(dataDir, 'handbill.db'), { readonly: true })
  const { n } = db.query('SELECT count(*) AS n FROM votes').get() as { n: number }
  return {
    figure: '    exact: votes counted, and rows of votes',
    ours: sum.toLocaleString('en'),
    peer: n.toLocaleString('en'),
    value: `${sum - n}`,
    goal: '0',
    met: sum === n && total === n && n <= VOTERS,
    isExactness: true,
  }
}

async function reads(origin: string, voter: Panel): Promise<Row> {
  const read = async (known: string | null) => {
    const answer = JSON.parse(await ask(`${origin}/~/poll`, voter, { known }))
    return (answer as { data: { version: string } }).data.version
  }
  const known = await read(null)
  const all: number[] = []
  for (let sample = 0; sample < READS; sample++) all.push(await timed(() => read(known)))
  const spread = spreadOf(all)
  return {
    figure: '    an open panel asks for news and there are none',
    ours: shown(spread, inMs),
    peer: 'none',
    value: inMs(spread.median),
    goal: '< 2 ms',
    met: spread.median < 2,
  }
}
