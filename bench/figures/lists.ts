import { read, timed } from '../clock.ts'
import type { Figure } from '../lab.ts'
import { seed } from '../seeding.ts'
import { startHandbill, startNginx } from '../servers.ts'
import { inMs, ratioOf, shown, spreadOf, times } from '../stats.ts'

const PAGES = 10_000
const SAMPLES = 200
const WARM_UP = 100
const GOAL_MS = 5

/** (d) The longest page of a list, beside nginx sending the same bytes from a file. */
export const lists: Figure = {
  letter: 'd',
  about: 'list 200 of 10,000 pages',
  async measure(lab) {
    const { key, data_dir } = await seed(lab, PAGES)
    await using handbill = await startHandbill(data_dir)
    const headers = { authorization: `Bearer ${key}` }
    const rows = []
    for (const offset of [0, PAGES / 2]) {
      const url = `${handbill.url}/api/v1/pages?limit=200&offset=${offset}`
      const answer = await read(url, headers)
      await using nginx = await startNginx({ 'list.json': answer })
      const ours: number[] = []
      const peer: number[] = []
      lab.say(`list 200 from ${offset}`)
      for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
        const ms = await timed(() => read(url, headers))
        const peer_ms = await timed(() => read(`${nginx.url}/list.json`))
        if (sample < 0) continue
        ours.push(ms)
        peer.push(peer_ms)
      }
      const { median } = spreadOf(ours)
      const kb = Math.round(answer.byteLength / 1024)
      const is_goal = offset === 0
      rows.push({
        figure: is_goal
          ? `(d) list 200 of ${PAGES.toLocaleString('en')} (${kb} KB); peer: nginx, the same bytes`
          : `    the same from offset ${offset.toLocaleString('en')}`,
        ours: shown(spreadOf(ours), inMs),
        peer: shown(spreadOf(peer), inMs),
        value: is_goal ? inMs(median) : times(ratioOf(ours, peer).median),
        goal: is_goal ? `< ${GOAL_MS} ms` : 'none',
        met: is_goal ? median < GOAL_MS : null,
      })
    }
    lab.note(`(d) is a GET over a kept connection to the last byte, median of ${SAMPLES}.`)
    return rows
  },
}
