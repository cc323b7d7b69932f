import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core'
import { filesOf } from '../../acceptance/sites/sites.ts'
import { freePort } from '../../src/testing/free-port.ts'
import { launchBrowser } from '../browser.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { newOwner, startHandbill, startNginx } from '../servers.ts'
import { inMs, ratioOf, shown, spreadOf, times } from '../stats.ts'

/** Opened in this order by their addresses, after the first document. */
const LATER = ['/guide/start.html', '/guide/weather.html', '/']
const LATER_TIMES = 4
const GOALS = { first: 1.15, later: 1.05 }

/** (o) Time until a visitor sees the first document of a built site, and the next ones. */
export const sites: Figure = {
  letter: 'o',
  about: 'a site of VitePress on a host of its own in Chromium, beside the same folder on nginx',
  async measure(bench) {
    const files = await filesOf('vitepress')
    const port = String(freePort())
    const settings = {
      PORT: port,
      BASE_URL: `http://localhost:${port}`,
      CONTENT_URL: `http://{page}.localhost:${port}`,
    }
    await using handbill = await startHandbill(bench.folder('sites'), settings)
    await using nginx = await startNginx(withGzip(files), NGINX)
    const { slug } = await (await newOwner(handbill)).create(deckOf(files))
    const ours = `${handbill.url}/p/${slug}`
    const peer = `${nginx.url.replace('127.0.0.1', 'localhost')}/`
    const browser = await launchBrowser()
    try {
      const rounds = await measureRounds(bench, browser, { ours, peer })
      bench.note(NOTE)
      return [rowOf('first', rounds), rowOf('later', rounds)]
    } finally {
      await browser.close()
    }
  },
}

const NOTE =
  '(o) is the time from the start of a navigation to the first contentful paint. The first one has ' +
  'no cache and goes from the address of the page by two redirects to its host; nginx’s goes to the ' +
  `document. The later ones open ${LATER_TIMES * LATER.length} documents of the site one after the ` +
  'other (median of each round): scripts, styles and images are in the cache and asked for again. ' +
  'nginx sends precompressed files and the same headers.'

interface Paints {
  first: number
  later: number
}
type Rounds = Record<'ours' | 'peer', Paints[]>

async function measureRounds(
  bench: Bench,
  browser: Browser,
  urls: Record<'ours' | 'peer', string>,
): Promise<Rounds> {
  bench.log('a built site, first and later documents')
  const rounds: Rounds = { ours: [], peer: [] }
  // Round 0 warms up. The order alternates, as a round may slow the one after it.
  for (let round = 0; round <= bench.rounds * ROUNDS_EACH; round++) {
    for (const who of round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
      const paints = await visit(browser, urls[who])
      if (round > 0) rounds[who].push(paints)
    }
  }
  return rounds
}

/** Paints differ by milliseconds from one to the next, so there are more rounds of them. */
const ROUNDS_EACH = 3

/** Visits the site in a new window without a cache. */
async function visit(browser: Browser, url: string): Promise<Paints> {
  const context = await browser.newContext()
  try {
    return await visitIn(context, url)
  } finally {
    await context.close()
  }
}

async function visitIn(context: BrowserContext, url: string): Promise<Paints> {
  const tab = await context.newPage()
  const first = await paint(tab, url)
  const { origin } = new URL(tab.url())
  const later: number[] = []
  for (let time = 0; time < LATER_TIMES; time++) {
    for (const path of LATER) later.push(await paint(tab, origin + path))
  }
  return { first, later: spreadOf(later).median }
}

/** Milliseconds from the start of a navigation to the first paint of text or an image. */
async function paint(tab: Tab, url: string): Promise<number> {
  const began = performance.timeOrigin + performance.now()
  const response = await tab.goto(url, { waitUntil: 'load' })
  if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}`)
  const painted = await tab.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          const [entry] = list.getEntriesByName('first-contentful-paint')
          if (entry === undefined) return
          observer.disconnect()
          resolve(performance.timeOrigin + entry.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
  return painted - began
}

function rowOf(which: keyof Paints, { ours, peer }: Rounds): Row {
  const mine = ours.map((paints) => paints[which])
  const others = peer.map((paints) => paints[which])
  const ratio = ratioOf(mine, others)
  const goal = GOALS[which]
  return {
    figure:
      which === 'first'
        ? '(o) first paint of a built site on its own host, without a cache'
        : '    a later document of the site',
    ours: shown(spreadOf(mine), inMs),
    peer: shown(spreadOf(others), inMs),
    value: shown(ratio, times),
    goal: `≤ ${times(goal)}`,
    met: ratio.median <= goal,
  }
}

type Files = Map<string, Buffer>

const isText = (name: string) => /\.(?:html|css|js|json)$/.test(name)

function deckOf(files: Files) {
  const all = [...files]
  return {
    files: all
      .filter(([path]) => path.endsWith('.html'))
      .map(([path, bytes]) => ({ path, html: bytes.toString() })),
    assets: all
      .filter(([path]) => !path.endsWith('.html'))
      .map(([path, bytes]) => ({ path, data_base64: bytes.toString('base64') })),
  }
}

/** The files with the compressed copies that an operator of nginx adds, `index.html` first. */
function withGzip(files: Files): Record<string, Uint8Array> {
  const entries = [...files].flatMap(([name, bytes]): [string, Uint8Array][] =>
    isText(name)
      ? [
          [name, bytes],
          [`${name}.gz`, gzipSync(bytes, { level: 9 })],
        ]
      : [[name, bytes]],
  )
  const isIndex = ([name]: [string, Uint8Array]) => name === 'index.html'
  return Object.fromEntries(entries.sort((a, b) => Number(isIndex(b)) - Number(isIndex(a))))
}

/** The headers that Handbill sends with a site, and the types that browsers need. */
const NGINX = `
gzip_static on;
types {
  text/html html; text/css css; text/javascript js; application/json json; image/png png;
}
charset utf-8;
charset_types text/html text/css text/javascript;
add_header Cache-Control "private, no-cache";
add_header Content-Security-Policy "frame-ancestors 'self'";
add_header X-Content-Type-Options nosniff;
add_header Cross-Origin-Opener-Policy same-origin-allow-popups;
add_header Cross-Origin-Resource-Policy same-origin;
add_header Referrer-Policy strict-origin-when-cross-origin;
add_header Origin-Agent-Cluster ?1;
add_header X-Robots-Tag noindex;
add_header Vary accept-encoding;
`
