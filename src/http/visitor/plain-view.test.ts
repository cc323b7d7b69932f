/** The short way of a plain view answers and counts as the general one does, or not at all. */
import { describe, expect, test } from 'bun:test'
import { commandReference } from '../../../cli/reference.ts'
import { createServer } from '../../server.ts'
import { BASE_URL, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { NO_ASSETS } from '../../testing/no-assets.ts'
import { withOwnMetrics } from '../../testing/node.ts'
import { fc, runs } from '../../testing/property.ts'
import { DECK, HTML, PDF } from '../../testing/views.ts'
import { BROWSER } from '../../testing/visitor.ts'

const RUNS = 400
const LONG = `<!doctype html><title>Long</title>${'<p>words and more words</p>'.repeat(90)}`
const FORM = '<!doctype html><form data-service><input name=a></form>'
const STORAGE = '<!doctype html><script>localStorage.setItem("a", "b")</script>'
const ROUTER =
  '<!doctype html><script>history.pushState(null, "", "/team"); location.pathname</script>'

/** Pages in each state that matters to a view. */
const pagesAt = (nowMs: number): object[] => [
  ...[{ html: HTML }, { html: LONG, indexed: true, og_title: 'Shown' }, { html: FORM }],
  ...[{ html: LONG, expires_at: new Date(nowMs + 20 * HOUR_MS).toISOString() }],
  ...[
    { html: HTML, publish: false },
    { html: LONG, max_views: 1000 },
    { html: HTML, max_views: 3 },
  ],
  ...[
    { html: LONG, notify_on_view: true },
    { html: LONG, allow_comments: true },
  ],
  ...[{ html: STORAGE }, { html: ROUTER }, DECK, PDF()],
  ...['password', 'private', 'people', 'email_gate'].map((access) => ({ html: LONG, access })),
]
const PAGES = 17

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
/** Most headers are left out of most requests: those that are plain must be among them. */
const seldom = (...values: string[]) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: oneOf(...values) },
  )

const anyRequest = fc.record({
  page: fc.nat(PAGES - 1),
  isBrowser: fc.boolean(),
  method: fc.oneof({ weight: 8, arbitrary: oneOf('GET') }, oneOf('HEAD', 'OPTIONS', 'PUT')),
  path: fc.oneof(
    { weight: 8, arbitrary: oneOf('') },
    oneOf('/', '?a=b', '?download', '/index.html', '/~/status', '/~/frame', '/a.css', '%2f', '#x'),
  ),
  hours: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(2)),
  headers: fc.record({
    host: seldom('handbill.test', 'other.test', 'x.localhost:8787', 'localhost:8787', 'a b'),
    cookie: oneOf(undefined, '', 'theme=dark; _ga=1', 'handbill_visit=v1.9.x', 'OF THE OWNER'),
    range: seldom('bytes=0-9', 'bytes=5-', 'x'),
    'if-none-match': seldom('"x"', '*', 'ITS ETAG', 'W/ITS ETAG'),
    'if-modified-since': seldom('Sun, 22 Nov 2026 00:00:00 GMT'),
    'if-range': seldom('"x"'),
    'sec-purpose': seldom('prefetch', 'prefetch;prerender', 'other'),
    purpose: seldom('prefetch', 'other'),
    'service-worker': seldom('script', 'other'),
    'sec-fetch-dest': seldom('document', 'iframe', 'embed', 'empty', 'image', 'fencedframe'),
    'sec-fetch-mode': seldom('navigate', 'no-cors'),
    'sec-fetch-site': seldom('none', 'cross-site', 'same-origin'),
    accept: seldom('*/*', 'text/html,*/*;q=0.8', 'image/png'),
    'accept-encoding': seldom(
      'gzip',
      'br, zstd',
      'identity',
      'gzip;q=0',
      'gzip, deflate, br, zstd',
    ),
    'user-agent': seldom('curl/8.5.0', 'Slackbot 1.0', 'Googlebot/2.1', ''),
    referer: seldom('https://www.example.com/secret', `${BASE_URL}/p/x`, 'about:blank', 'x'),
    'x-country-code': seldom('PT', 'XX', 'nothing'),
    'x-forwarded-for': seldom('203.0.113.9', '2001:db8::1', 'nobody'),
  }),
})
type Asked = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never

/** A server on the service's data that tells what it counts. `isShort`: it has the short way. */
function serverOf(app: TestApp, isShort: boolean) {
  const effects: unknown[] = []
  const counters = { short: 0 }
  const { views } = app
  const watched = {
    ...app,
    views: {
      ...views,
      countAtOnce(...given: Parameters<typeof views.countAtOnce>) {
        if (!isShort || !views.countAtOnce(...given)) return false
        counters.short += 1
        effects.push(given)
        return true
      },
      async count(...given: Parameters<typeof views.count>) {
        const isGranted = await views.count(...given)
        if (isGranted) effects.push(given)
        return isGranted
      },
      countFacts(...given: Parameters<typeof views.countFacts>) {
        effects.push(given)
        views.countFacts(...given)
      },
    },
  }
  const parts = { assets: NO_ASSETS, commandReference }
  const { fetch } = createServer(withOwnMetrics(app.platform), watched, parts)

  async function ask(request: Request) {
    effects.length = 0
    const answer = await fetch(request)
    const { status, statusText, headers } = answer
    const body = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    return { status, statusText, headers: [...headers], body, effects: [...effects] }
  }
  return { ask, counters }
}

/** What a request is about: the page's ETag, and the cookie of somebody who owns the page. */
interface Known {
  slug: string
  etag: string
  cookie: string
}

function requestOf({ isBrowser, method, path, headers }: Asked, { slug, etag, cookie }: Known) {
  const all: Record<string, string> & { host: string } = {
    host: 'handbill.test',
    ...(isBrowser && BROWSER),
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      all[name] = value.replace('ITS ETAG', etag).replace('OF THE OWNER', cookie)
    }
  }
  const url = all.host.includes(' ') ? BASE_URL : `http://${all.host}`
  return new Request(`${url}/p/${slug}${path}`, { method, headers: all })
}

for (const engine of ENGINES) {
  describe(`the short way of a plain view on ${engine}`, () => {
    for (const [name, config] of [
      ['with pages in the sandbox', {}],
      ['behind a proxy', { trustProxy: 1 }],
      ['with pages on localhost', { localContentUrl: 'http://{page}.localhost:8787' }],
      ['with pages on hosts of their own', { contentUrl: 'http://{page}.content.test' }],
    ] as const) {
      test(`answers and counts as the general way does, ${name}`, async () => {
        await using app = await testApp(engine, config)
        const owner = await app.owner()
        const cookie = (await app.signedIn(owner)).cookieFor('/p/x')
        const pages: Known[] = []
        for (const page of pagesAt(app.clock.ms())) {
          const { slug } = await owner.publish({ title: null, ...page })
          const { headers } = await app.open(`/p/${slug}`, {}, 'HEAD')
          pages.push({ slug, etag: headers.get('etag') ?? '"none"', cookie })
        }
        expect(pages.length).toBe(PAGES)
        const [short, general] = [serverOf(app, true), serverOf(app, false)]
        await fc.assert(
          fc.asyncProperty(anyRequest, async (asked) => {
            app.advance(asked.hours * HOUR_MS)
            const request = () => requestOf(asked, pages[asked.page]!)
            // The first one may read the page and its bytes: the next has them in memory.
            await short.ask(request())
            const known = await general.ask(request())
            const before = short.counters.short
            const answer = await short.ask(request())
            const isShort = short.counters.short > before
            const again = await general.ask(request())
            // What has a token or time of its own in it is told by two answers of the general way.
            if (JSON.stringify(known) === JSON.stringify(again)) expect(answer).toEqual(known)
            else expect([answer.status, isShort]).toEqual([known.status, false])
          }),
          runs(RUNS),
        )
        expect(short.counters.short > 0).toBe(!('contentUrl' in config))
      }, 60_000)
    }

    test('ends with the change that makes a page another one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const changes = [
        ...[{ access: 'password', password: 'abcd' }, { max_views: 50 }, { allow_comments: true }],
        ...[{ notify_on_view: true }, { expires_at: '2020-01-01T00:00:00Z' }],
      ]
      for (const change of changes) {
        const page = await owner.publish(LONG)
        const { ask, counters } = serverOf(app, true)
        const view = () => ask(new Request(`${BASE_URL}/p/${page.slug}`))
        for (let n = 0; n < 3; n++) await view()
        expect(counters.short).toBeGreaterThan(0)
        await owner.update(page.id, change)
        counters.short = 0
        const expiry = 'expires_at' in change ? 410 : 200
        const status = 'access' in change ? 403 : expiry
        for (let n = 0; n < 3; n++) expect((await view()).status).toBe(status)
        expect(counters.short).toBe(0)
      }
    })
  })
}
