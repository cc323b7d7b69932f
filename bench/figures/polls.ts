import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { measureWrites, writeRows } from '../durable-writes.ts'
import type { Bench, Figure } from '../figure.ts'
import { ask, fileOf, openPanel, type Panel } from '../panels.ts'
import type { Row } from '../report.ts'
import { type Handbill, newOwner, type Owner, startHandbill } from '../servers.ts'
import { inMs, shown, spreadOf } from '../stats.ts'
import { timed } from '../timing.ts'
import { wrk } from '../wrk.ts'

const IN_FLIGHT = 32
const GOAL = 2000
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
  const { url: origin } = handbill
  const file = fileOf(bench, voters)
  const { seconds } = bench
  const options = { url: `${origin}/~/votes`, connections: IN_FLIGHT, seconds, script: 'votes.lua' }
  bench.log(`votes, ${IN_FLIGHT} in flight`)
  const writes = await measureWrites(bench, handbill, (_, cast) =>
    wrk({ ...options, args: [origin, file, String(cast)] }),
  )
  const figure = `(k) votes that change the voter's last, each durable, ${IN_FLIGHT} in flight`
  return writeRows(figure, writes, GOAL)
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
  const read = async (previous: string | null) => {
    const answer = JSON.parse(await ask(`${origin}/~/poll`, voter, { known: previous }))
    return (answer as { data: { version: string } }).data.version
  }
  const base = await read(null)
  const all: number[] = []
  for (let sample = 0; sample < READS; sample++) all.push(await timed(() => read(base)))
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
