import { assertSame, cpuRow, exactness, load, p99, type Round, rates } from '../counted-views.ts'
import type { Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import { newOwner, startHandbill, startNginx } from '../servers.ts'
import { perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'

const PAGE_BYTES = 10 * 1024
const NEVER_REACHED = 2_000_000_000

/** (a) A counted view beside a static file of the same bytes. */
export const views: Figure = {
  letter: 'a',
  about: 'counted views of a 10 KB page, beside nginx',
  async measure(bench) {
    const html = htmlOf(PAGE_BYTES)
    await using handbill = await startHandbill(bench.folder('views'))
    await using nginx = await startNginx({ 'page.html': html })
    const owner = await newOwner(handbill)
    const text = new TextDecoder().decode(html)
    const page = await owner.create({ html: text, title: 'Counted' })
    const limited = await owner.create({ html: text, title: 'Limited', max_views: NEVER_REACHED })
    for (const { slug } of [page, limited]) {
      await assertSame(`${handbill.url}/p/${slug}`, `${nginx.url}/page.html`)
    }

    const rows: Row[] = []
    for (const { of, connections, goal } of [
      { of: page, connections: 32, goal: 1 },
      { of: page, connections: 256, goal: 1 },
      { of: limited, connections: 256, goal: 0.8 },
    ]) {
      const name = of === limited ? 'view, limited page (fsync first)' : 'counted view'
      bench.log(`${name}, ${connections} connections`)
      const before = (await owner.page(of.id)).views
      const ours: Round[] = []
      const peer: Round[] = []
      // Round 0 warms up: its views are counted by the page, but it is in no figure.
      for (let round = 0; round <= bench.rounds; round++) {
        const options = { connections, seconds: bench.seconds }
        ours.push(await load(handbill, { ...options, url: `${handbill.url}/p/${of.slug}` }))
        peer.push(await load(nginx, { ...options, url: `${nginx.url}/page.html` }))
      }
      const ratio = ratioOf(rates(ours), rates(peer))
      rows.push(
        {
          figure: `(a) ${name}, ${connections} connections`,
          ours: `${shown(spreadOf(rates(ours)), perSecond)}, p99 ${p99(ours)}`,
          peer: `${shown(spreadOf(rates(peer)), perSecond)}, p99 ${p99(peer)}`,
          value: shown(ratio, times),
          goal: `≥ ${goal.toFixed(1)}x`,
          met: ratio.median >= goal,
        },
        cpuRow(ours, peer),
        await exactness(owner, of, { before, runs: ours, connections }),
      )
    }
    return rows
  },
}
