import { assertSame, exactness, interleavedRounds, type Round, rateRows } from '../counted-views.ts'
import type { Bench, Figure } from '../figure.ts'
import { headersOf, otherServers, startEqualNginx } from '../peers.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import { newOwner, type Served, startHandbill } from '../servers.ts'

const PAGE_BYTES = 10 * 1024
const NEVER_REACHED = 2_000_000_000
const CONNECTIONS = [32, 256]
const LIMITED_CONNECTIONS = 256

const BARE_BUN =
  'A bare Bun server that sends clones of one response with the headers of (a) made 1.07x and ' +
  '1.14x of the requests of nginx per second of processor time (32 and 256 connections, 12 ' +
  'interleaved rounds beside other load), and 0.79x and 0.83x once it also read what a counted ' +
  'view needs of each request: its URL, ten headers, the address of its connection and the time. ' +
  'So the goal of 0.85x is above what Bun allows exact counts, whatever our own code takes.'

/** (a) A counted view beside a static file of the same bytes. */
export const views: Figure = {
  letter: 'a',
  about: 'counted views of a 10 KB page, beside nginx, Caddy, Apache and itself',
  async measure(bench) {
    const one = await startInstance(bench)
    await using handbill = one.handbill
    const again = await startInstance(bench)
    await using _ = again.handbill
    const { installed, absent } = otherServers()
    const headers = await headersOf(one.plain.url)
    const files = { 'page.html': htmlOf(PAGE_BYTES) }
    await using nginx = await startEqualNginx(files, headers)
    await using stack = new AsyncDisposableStack()
    const others: { name: string; server: Served }[] = []
    for (const { name, start } of installed) {
      others.push({ name, server: stack.use(await start(files, headers)) })
    }
    bench.note(
      '(a) has nginx, Caddy and Apache send the same headers and log each request: nginx after ' +
        '100 ms at most, Apache when its buffer is full, Caddy at once. nginx has `open_file_cache` ' +
        'and unlimited `keepalive_requests`, as an operator who tunes it would.' +
        (absent.length > 0 ? ` Not installed here: ${absent.join(', ')}.` : ''),
    )
    bench.note(BARE_BUN)

    const rows: Row[] = []
    const at = (served: Served) => ({ served, url: `${served.url}/page.html` })
    for (const { name, of, same, connections, goal } of [
      ...CONNECTIONS.map((connections) => ({
        ...{ name: 'counted view', of: one.plain, same: again.plain, connections, goal: 0.85 },
      })),
      {
        ...{ name: 'view, limited page (fsync first)', of: one.limited, same: again.limited },
        ...{ connections: LIMITED_CONNECTIONS, goal: 0.7 },
      },
    ]) {
      await assertSame(of.url, `${nginx.url}/page.html`)
      bench.log(`${name}, ${connections} connections`)
      const before = (await one.owner.page(of.id)).views
      const servers = others.map(({ server }) => at(server))
      const targets = [
        ...[{ served: handbill, url: of.url }, at(nginx)],
        ...[{ served: again.handbill, url: same.url }, ...servers],
      ]
      const runs = await interleavedRounds(bench, targets, connections)
      const [ours, peer, itself, ...rest] = runs as [Round[], Round[], Round[], ...Round[][]]
      rows.push(
        ...rateRows(`(a) ${name}, ${connections} connections`, [ours, peer], goal),
        await exactness(one.owner, of, { before, runs: ours, connections }),
        ...rateRows('    noise of the machine: the same code against itself', [ours, itself], null),
        ...rest.flatMap((run, n) =>
          rateRows(`    beside the file server of ${others[n]!.name}`, [ours, run], null),
        ),
      )
    }
    return rows
  },
}

async function startInstance(bench: Bench) {
  const handbill = await startHandbill(bench.folder('views'))
  const owner = await newOwner(handbill)
  const html = new TextDecoder().decode(htmlOf(PAGE_BYTES))
  const publish = async (title: string, maxViews: number | null) => {
    const page = await owner.create({ html, title, max_views: maxViews })
    return { ...page, url: `${handbill.url}/p/${page.slug}` }
  }
  const plain = await publish('Counted', null)
  return { handbill, owner, plain, limited: await publish('Limited', NEVER_REACHED) }
}
