import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Bench, Figure } from '../figure.ts'
import { fileOf, openPanel, type Panel } from '../panels.ts'
import type { Row } from '../report.ts'
import { cpuSeconds, type Handbill, newOwner, startHandbill } from '../servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { wrk } from '../wrk.ts'
import { bareCommits } from './creates.ts'

const IN_FLIGHT = 32
/** A page holds 10,000 comments, so they go to several. */
const PAGES = 40
const AUTHORS = 50

/** (l) Comments that visitors post, each durable. */
export const comments: Figure = {
  letter: 'l',
  about: 'comments of 2,000 browsers on 40 pages, beside bare commits',
  async measure(bench) {
    await using handbill = await startHandbill(bench.folder('comments'))
    const owner = await newOwner(handbill)
    bench.note('(l) has `notify_on_comment` off: the owner gets no mail about each comment.')
    bench.log(`opening ${PAGES} pages in ${AUTHORS} browsers each`)
    const authors: Panel[] = []
    for (let n = 0; n < PAGES; n++) {
      const html = `<!doctype html><title>Page ${n}</title><p>words`
      const { slug } = await owner.create({ html, allow_comments: true, notify_on_comment: false })
      for (let m = 0; m < AUTHORS; m++) authors.push(await openPanel(`${handbill.url}/p/${slug}`))
    }
    return await measurePosts(bench, handbill, spread(authors))
  },
}

/** Puts the browsers of each page as far apart as possible. */
function spread(authors: readonly Panel[]): Panel[] {
  return authors.map((_, n) => authors[(n % PAGES) * AUTHORS + Math.floor(n / PAGES)]!)
}

async function measurePosts(bench: Bench, handbill: Handbill, authors: Panel[]): Promise<Row[]> {
  const { url: origin, pid, dataDir } = handbill
  const { rounds, seconds } = bench
  const url = `${origin}/~/comments/post`
  const options = { url, connections: IN_FLIGHT, seconds, script: 'comments.lua' }
  const file = fileOf(bench, authors)
  const ours: number[] = []
  const cpu: number[] = []
  const bare: number[] = []
  let posted = 0
  bench.log(`POST /~/comments/post, ${IN_FLIGHT} in flight`)
  for (let round = 0; round <= rounds; round++) {
    const before = cpuSeconds(pid)
    const run = await wrk({ ...options, args: [origin, file, `round${round}`] })
    if (run.refused > 0) throw new Error(`${run.refused} comments were refused`)
    posted += run.responses
    ours.push(run.perSecond)
    cpu.push(run.responses / (cpuSeconds(pid) - before))
    bare.push(await bareCommits(bench.folder('bare'), seconds))
  }
  return [
    ...rowsOf(ours.slice(1), cpu.slice(1), bare.slice(1)),
    exact(commentsIn(dataDir), posted, (rounds + 1) * IN_FLIGHT),
  ]
}

function rowsOf(ours: number[], cpu: number[], bare: number[]): Row[] {
  const rate = spreadOf(ours)
  const cpuRate = spreadOf(cpu)
  return [
    {
      figure: `(l) comments posted, each durable, ${IN_FLIGHT} in flight`,
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

/** wrk does not read the last response of each connection, so a round may store one more of each. */
function exact(stored: number, posted: number, unread: number): Row {
  const more = stored - posted
  return {
    figure: '    exact: comments stored, and 201s that wrk read',
    ours: stored.toLocaleString('en'),
    peer: posted.toLocaleString('en'),
    value: `${more >= 0 ? '+' : ''}${more}`,
    goal: `0 to ${unread} unread`,
    met: more >= 0 && more <= unread,
    isExactness: true,
  }
}

function commentsIn(dataDir: string): number {
  using db = new Database(join(dataDir, 'handbill.db'), { readonly: true })
  return (db.query('SELECT count(*) AS n FROM comments').get() as { n: number }).n
}
