import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { SERVER_CORE } from '../processes.ts'
import { newOwner, startHandbill } from '../servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { wrk } from '../wrk.ts'

const IN_FLIGHT = 16
/** PocketBase publishes about 1,800 writes a second on 2 virtual cores. */
const POCKETBASE_PER_SECOND = 1800
const BUN = join(import.meta.dir, '..', '..', 'bin', 'bun')

/** (b) Creating and publishing pages; every response is durable. */
export const creates: Figure = {
  letter: 'b',
  about: 'creates of 10 KB pages, 16 in flight',
  async measure(bench) {
    await using handbill = await startHandbill(bench.folder('creates'))
    const { key } = await newOwner(handbill)
    const url = `${handbill.url}/api/v1/pages`
    const { rounds, seconds } = bench
    const ours: number[] = []
    const bare: number[] = []
    let created = 0
    bench.log(`POST /pages, 10 KB, ${IN_FLIGHT} in flight`)
    for (let round = 0; round <= rounds; round++) {
      const args = [key, `round${round}`]
      const options = { url, connections: IN_FLIGHT, seconds, script: 'creates.lua', args }
      const { responses, refused, perSecond } = await wrk(options)
      if (refused > 0) throw new Error(`${refused} of ${responses} creates were refused`)
      created += responses
      ours.push(perSecond)
      bare.push(await bareCommits(bench.folder('bare'), seconds))
    }
    const [rates, bareRates] = [ours.slice(1), bare.slice(1)]
    const rate = spreadOf(rates)
    const more = pagesIn(handbill.dataDir) - created
    return [
      {
        figure: `(b) creates of 10 KB pages, ${IN_FLIGHT} in flight`,
        ours: shown(rate, perSecond),
        peer: `${perSecond(POCKETBASE_PER_SECOND)}, published by PocketBase for 2 vCPU`,
        value: times(rate.median / POCKETBASE_PER_SECOND),
        goal: '≥ 1.0x',
        met: rate.median >= POCKETBASE_PER_SECOND,
      },
      {
        figure: '    the same, and bare SQLite: one 10 KB row per durable commit, no HTTP',
        ours: shown(rate, perSecond),
        peer: shown(spreadOf(bareRates), perSecond),
        value: shown(ratioOf(rates, bareRates), times),
        goal: 'none',
        met: null,
      },
      {
        figure: '    exact: pages stored, and 201s that wrk read',
        ours: (created + more).toLocaleString('en'),
        peer: created.toLocaleString('en'),
        value: `${more >= 0 ? '+' : ''}${more}`,
        goal: `0 to ${(rounds + 1) * IN_FLIGHT} unread`,
        met: more >= 0 && more <= (rounds + 1) * IN_FLIGHT,
        isExactness: true,
      },
    ]
  },
}

/** Durable commits of a 10 KB row that SQLite makes per second, on the core of the server. */
export async function bareCommits(folder: string, seconds: number): Promise<number> {
  const script = join(import.meta.dir, '..', 'bare-commits.ts')
  const command = ['taskset', '-c', String(SERVER_CORE), BUN, script]
  const child = Bun.spawn([...command, join(folder, 'bare.db'), String(seconds)], {
    stdout: 'pipe',
  })
  return Number(await new Response(child.stdout).text())
}

function pagesIn(dataDir: string): number {
  using db = new Database(join(dataDir, 'handbill.db'), { readonly: true })
  return (db.query('SELECT count(*) AS n FROM pages').get() as { n: number }).n
}
