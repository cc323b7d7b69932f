import type { Figure } from '../figure.ts'
import { seed } from '../seeding.ts'
import { startHandbill, startNginx } from '../servers.ts'
import { inMs, shown, spreadOf } from '../stats.ts'
import { read, timed } from '../timing.ts'

const PAGES = 10_000
const LIMIT = 200
const SAMPLES = 200
const WARM_UP = 100
const GOAL_MS = 10

/** (d) The longest page of a list, beside nginx with a file of the same bytes. */
export const lists: Figure = {
  letter: 'd',
  about: 'list 200 of 10,000 pages',
  async measure(bench) {
    const { key, dataDir } = await seed(bench, PAGES)
    await using handbill = await startHandbill(dataDir)
    const headers = { authorization: `Bearer ${key}` }
    const rows = []
    for (const offset of [0, PAGES / 2, PAGES - LIMIT]) {
      const url = `${handbill.url}/api/v1/pages?limit=${LIMIT}&offset=${offset}`
      const answer = await read(url, headers)
      await using nginx = await startNginx({ 'list.json': answer })
      const ours: number[] = []
      const peer: number[] = []
      bench.log(`list 200 from ${offset}`)
      for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
        const ms = await timed(() => read(url, headers))
        const peerMs = await timed(() => read(`${nginx.url}/list.json`))
        if (sample < 0) continue
        ours.push(ms)
        peer.push(peerMs)
      }
      const { median } = spreadOf(ours)
      const kb = Math.round(answer.byteLength / 1024)
      rows.push({
        figure:
          offset === 0
            ? `(d) list 200 of ${PAGES.toLocaleString('en')} (${kb} KB); peer: nginx, the same bytes`
            : `    the same from offset ${offset.toLocaleString('en')}`,
        ours: shown(spreadOf(ours), inMs),
        peer: shown(spreadOf(peer), inMs),
        value: inMs(median),
        goal: `≤ ${GOAL_MS} ms`,
        met: median <= GOAL_MS,
      })
    }
    bench.note(`(d) is a GET over a reused connection to the last byte, median of ${SAMPLES}.`)
    return rows
  },
}
