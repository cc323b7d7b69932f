import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { exactRow, measureWrites, writeRows } from '../durable-writes.ts'
import type { Bench, Figure } from '../figure.ts'
import { fileOf, openPanel, type Panel } from '../panels.ts'
import type { Row } from '../report.ts'
import { type Handbill, newOwner, startHandbill } from '../servers.ts'
import { wrk } from '../wrk.ts'

const IN_FLIGHT = 32
const GOAL = 2000
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
  const { url: origin, dataDir } = handbill
  const { rounds, seconds } = bench
  const url = `${origin}/~/comments/post`
  const options = { url, connections: IN_FLIGHT, seconds, script: 'comments.lua' }
  const file = fileOf(bench, authors)
  bench.log(`POST /~/comments/post, ${IN_FLIGHT} in flight`)
  const writes = await measureWrites(bench, handbill, (round) =>
    wrk({ ...options, args: [origin, file, `round${round}`] }),
  )
  return [
    ...writeRows(`(l) comments posted, each durable, ${IN_FLIGHT} in flight`, writes, GOAL),
    exactRow('    exact: comments stored, and 201s that wrk read', {
      stored: commentsIn(dataDir),
      answered: writes.answered,
      unread: (rounds + 1) * IN_FLIGHT,
    }),
  ]
}

function commentsIn(dataDir: string): number {
  using db = new Database(join(dataDir, 'handbill.db'), { readonly: true })
  return (db.query('SELECT count(*) AS n FROM comments').get() as { n: number }).n
}
