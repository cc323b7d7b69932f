import { interleavedRounds, rateRows } from '../counted-views.ts'
import type { Figure } from '../figure.ts'
import { htmlOf } from '../sample-content.ts'
import { newOwner, startHandbill } from '../servers.ts'

const PAGE_BYTES = 10 * 1024
const LINKS = 1000
/** What one request makes at most. */
const BATCH = 200
const CONNECTIONS = 32
const GOAL = 0.9

/** (v) What named links cost: views of a page that has 1,000, and views by one of them. */
export const namedLinks: Figure = {
  letter: 'v',
  about: `views of a page with ${LINKS} named links, and by one of them, beside a page without`,
  async measure(bench) {
    await using served = await startHandbill(bench.folder('links'))
    const owner = await newOwner(served)
    const html = new TextDecoder().decode(htmlOf(PAGE_BYTES))
    const [plain, linked] = [
      await owner.create({ html, title: 'Plain' }),
      await owner.create({ html, title: 'Linked' }),
    ]
    for (let from = 0; from < LINKS; from += BATCH) {
      const people = Array.from({ length: BATCH }, (_, at) => ({ label: `Person ${from + at}` }))
      await owner.call('POST', `/pages/${linked.id}/links/batch`, { people })
    }
    const [link] = await owner.call<{ url: string }[]>('GET', `/pages/${linked.id}/links?limit=1`)
    const led = await fetch(link!.url, { redirect: 'manual' })
    const cookie = led.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const [page, without] = [linked, plain].map(({ slug }) => `${served.url}/p/${slug}`)
    const targets = [
      { served, url: without! },
      { served, url: page! },
      { served, url: page!, headers: { cookie: cookie.join('; ') } },
    ]
    bench.log(`views of a page with ${LINKS} named links`)
    const [peer, ours, byLink] = await interleavedRounds(bench, targets, CONNECTIONS)
    bench.note('(v) has a page of the same server without links as its peer.')
    return [
      ...rateRows(`(v) view of a page with ${LINKS} named links`, [ours!, peer!], GOAL),
      ...rateRows('(v) view by a named link', [byLink!, peer!], null),
    ]
  },
}
