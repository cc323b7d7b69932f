import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { bareRow, exactRow, measureWrites } from '../durable-writes.ts'
import type { Figure } from '../figure.ts'
import { newOwner, startHandbill } from '../servers.ts'
import { perSecond, shown, spreadOf, times } from '../stats.ts'
import { wrk } from '../wrk.ts'

const IN_FLIGHT = 16
const GOAL = 800
/** PocketBase publishes about 1,800 writes a second on 2 virtual cores. */
const POCKETBASE_PER_SECOND = 1800

/** (b) Creating and publishing pages; every response is durable. */
export const creates: Figure = {
  letter: 'b',
  about: 'creates of 10 KB pages, 16 in flight',
  async measure(bench) {
    await using handbill = await startHandbill(bench.folder('creates'))
    const { key } = await newOwner(handbill)
    const url = `${handbill.url}/api/v1/pages`
    const { rounds, seconds } = bench
    const options = { url, connections: IN_FLIGHT, seconds, script: 'creates.lua' }
    bench.log(`POST /pages, 10 KB, ${IN_FLIGHT} in flight`)
    const writes = await measureWrites(bench, handbill, (round) =>
      wrk({ ...options, args: [key, `round${round}`] }),
    )
    const rate = spreadOf(writes.perSecond)
    return [
      {
        figure: `(b) creates of 10 KB pages, ${IN_FLIGHT} in flight`,
        ours: shown(rate, perSecond),
        peer: `${perSecond(POCKETBASE_PER_SECOND)}, published by PocketBase for 2 vCPU`,
        value: times(rate.median / POCKETBASE_PER_SECOND),
        goal: `≥ ${perSecond(GOAL)}`,
        met: rate.median >= GOAL,
      },
      bareRow(writes),
      exactRow('    exact: pages stored, and 201s that wrk read', {
        stored: pagesIn(handbill.dataDir),
        answered: writes.answered,
        unread: (rounds + 1) * IN_FLIGHT,
      }),
    ]
  },
}

function pagesIn(dataDir: string): number {
  using db = new Database(join(dataDir, 'handbill.db'), { readonly: true })
  return (db.query('SELECT count(*) AS n FROM pages').get() as { n: number }).n
}
