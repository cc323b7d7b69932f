import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import type { Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { proseOf } from '../sample-content.ts'
import { newOwner, startHandbill, startNginx } from '../servers.ts'
import { inMs, ratioOf, type Spread, shown, spreadOf, times } from '../stats.ts'

const PAGE_BYTES = 1024 * 1024
const BYTES_PER_SECOND = 10_000_000 / 8
const LATENCY_MS = 20

/** (j) Time until a page is loaded over a slow line, in a browser. */
export const pageLoads: Figure = {
  letter: 'j',
  about: 'a 1 MB page over 10 Mbit/s in Chromium, beside nginx with precompressed files',
  async measure(bench) {
    const html = proseOf(PAGE_BYTES)
    const gzipped = await gzip9(html)
    await using handbill = await startHandbill(bench.folder('page-loads'))
    const files = { 'page.html': html, 'page.html.gz': gzipped }
    await using nginx = await startNginx(files, 'gzip_static on;')
    const owner = await newOwner(handbill)
    const { slug } = await owner.create({ html: new TextDecoder().decode(html) })
    const ours = { url: `${handbill.url}/p/${slug}` }
    const peer = { url: `${nginx.url}/page.html` }
    const browser = await launchBrowser()
    try {
      const rows: Row[] = []
      const sizes: string[] = []
      for (const encoding of ['gzip', 'br', 'zstd'] as const) {
        bench.log(`1 MB page over 10 Mbit/s, ${encoding}`)
        const loads: Load[] = []
        const peerLoads: Load[] = []
        // Round 0 warms up: the first view in an encoding also compresses the page.
        for (let round = 0; round <= bench.rounds; round++) {
          loads.push(await load(browser, { ...ours, encoding }))
          peerLoads.push(await load(browser, { ...peer, encoding: 'gzip' }))
        }
        rows.push(rowOf(encoding, loads.slice(1), peerLoads.slice(1)))
        sizes.push(`${loads[0]!.bodyBytes.toLocaleString('en')} bytes as ${encoding}`)
      }
      bench.note(noteOf(sizes, gzipped.byteLength))
      return rows
    } finally {
      await browser.close()
    }
  },
}

/** As an operator of nginx compresses it: `gzip -9`. */
async function gzip9(bytes: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn(['gzip', '-9', '-c'], { stdin: bytes, stdout: 'pipe' })
  return new Uint8Array(await new Response(child.stdout).arrayBuffer())
}

interface Load {
  /** From the start of the navigation to the last byte of the page. */
  ms: number
  /** The size of the body on the wire. */
  bodyBytes: number
}

/** Opens a page in a new window without a cache. */
async function load(
  browser: Browser,
  { url, encoding }: { url: string; encoding: string },
): Promise<Load> {
  const extraHTTPHeaders = { 'accept-encoding': encoding }
  const context = await browser.newContext({ extraHTTPHeaders })
  const tab = await context.newPage()
  const session = await context.newCDPSession(tab)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
  const response = await tab.goto(url, { waitUntil: 'load' })
  const used = response?.headers()['content-encoding']
  if (used !== encoding) throw new Error(`${url} answered ${response?.status()} as ${used}`)
  const loaded = await tab.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return { ms: entry!.responseEnd, bodyBytes: entry!.encodedBodySize }
  })
  await context.close()
  return loaded
}

function rowOf(encoding: string, ours: Load[], peer: Load[]): Row {
  const [mine, others] = [ours, peer].map((loads) => loads.map(({ ms }) => ms)) as [
    number[],
    number[],
  ]
  const ratio: Spread = ratioOf(mine, others)
  const isCompared = encoding === 'gzip'
  return {
    figure: isCompared
      ? '(j) 1 MB page over 10 Mbit/s in Chromium, gzip for both'
      : `    the same, ours as ${encoding}`,
    ours: shown(spreadOf(mine), inMs),
    peer: shown(spreadOf(others), inMs),
    value: shown(ratio, times),
    goal: isCompared ? '≤ 1.10x' : 'none',
    met: isCompared ? ratio.median <= 1.1 : null,
  }
}

function noteOf(sizes: string[], peerBytes: number): string {
  return (
    '(j) is the time from the start of a navigation to the last byte of the page, without a cache, ' +
    `with ${LATENCY_MS} ms of latency. The page has 1,048,576 bytes of prose in HTML; ours is sent ` +
    `as ${sizes.join(', ')}; nginx’s has ${peerBytes.toLocaleString('en')} (gzip -9, gzip_static).`
  )
}
