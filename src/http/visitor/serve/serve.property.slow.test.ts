/** What is answered from memory equals what is answered of a page that was just read. */
import { describe, expect, test } from 'bun:test'
import { BASE_URL, ENGINES, HOUR_MS, testApp } from '../../../testing/app.ts'
import { fc, runs } from '../../../testing/property.ts'
import { DECK, HTML, PDF } from '../../../testing/views.ts'
import { BROWSER } from '../../../testing/visitor.ts'
import { serverOf } from '../../../testing/warm-server.ts'

const RUNS = 1000
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
  ...['private', 'people', 'email_gate'].map((access) => ({ html: LONG, access })),
  { html: LONG, access: 'password', password: PASSWORD },
]
const PAGES = 17
const DECK_AT = 11
const PASSWORD = 'abcd'

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
/** Most headers are left out of most requests, so that many can be answered from memory. */
const seldom = (...values: string[]) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: oneOf(...values) },
  )

/** Of the owner, and of a visitor who gave the password and had a visit of the deck. */
const COOKIES = ['OF THE OWNER', 'OF A VISITOR', 'a=b; OF A VISITOR']

const anyRequest = fc.record({
  // The deck is the only page with files beside it.
  page: fc.oneof({ weight: 3, arbitrary: fc.nat(PAGES - 1) }, oneOf(DECK_AT)),
  isBrowser: fc.boolean(),
  method: fc.oneof(
    { weight: 6, arbitrary: oneOf('GET') },
    { weight: 2, arbitrary: oneOf('HEAD') },
    oneOf('OPTIONS', 'PUT'),
  ),
  path: fc.oneof(
    { weight: 6, arbitrary: oneOf('') },
    {
      weight: 3,
      arbitrary: oneOf('/a.css', '/a.png', '/a.css?v=1', '/a.css?~download', '/%61.css'),
    },
    oneOf('/', '?a=b', '?download', '/index.html', '/~/status', '/~/frame', '/b.css', '%2f', '#x'),
  ),
  hours: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(2)),
  headers: fc.record({
    host: seldom('handbill.test', 'other.test', 'x.localhost:8787', 'localhost:8787', 'a b'),
    cookie: oneOf(undefined, '', 'theme=dark; _ga=1', 'handbill_visit=v1.9.x', ...COOKIES),
    range: seldom('bytes=0-9', 'bytes=5-', 'x'),
    'if-none-match': seldom('"x"', '*', 'ITS ETAG', 'W/ITS ETAG', '"x", ITS ETAG', 'ITS BR ETAG'),
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

/** The page's ETag, and the cookies of its owner and of a visitor, for a request. */
interface Known {
  slug: string
  etag: string
  owner: string
  visitor: string
}

function requestOf({ isBrowser, method, path, headers }: Asked, known: Known) {
  const { slug, etag, owner, visitor } = known
  const all: Record<string, string> & { host: string } = {
    host: 'handbill.test',
    ...(isBrowser && BROWSER),
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      all[name] = value
        .replace('ITS ETAG', etag)
        .replace('ITS BR ETAG', etag.replace(/"$/, '-br"'))
        .replace('OF THE OWNER', owner)
        .replace('OF A VISITOR', visitor)
    }
  }
  const url = all.host.includes(' ') ? BASE_URL : `http://${all.host}`
  return new Request(`${url}/p/${slug}${path}`, { method, headers: all })
}

for (const engine of ENGINES) {
  describe(`a page in memory on ${engine}`, () => {
    for (const [name, config] of [
      ['with pages in the sandbox', {}],
      ['behind a proxy', { trustProxy: 1 }],
      ['with pages on localhost', { localContentUrl: 'http://{page}.localhost:8787' }],
      ['with pages on hosts of their own', { contentUrl: 'http://{page}.content.test' }],
    ] as const) {
      test(`is answered and counted like one that was just read, ${name}`, async () => {
        await using app = await testApp(engine, config)
        const owner = await app.owner()
        const cookie = (await app.signedIn(owner)).cookieFor('/p/x')
        const pages: Known[] = []
        for (const page of pagesAt(app.clock.ms())) {
          const { slug, kind } = await owner.publish({ title: null, ...page })
          const address = kind === 'bundle' ? `/p/${slug}/a.css` : `/p/${slug}`
          const visitor = app.visitor()
          if ('password' in page) await visitor.givePassword(address, PASSWORD)
          if (kind === 'bundle') await visitor.open(`/p/${slug}/index.html`)
          const { headers } = await visitor.open(address, {}, 'HEAD')
          pages.push({
            slug,
            etag: headers.get('etag') ?? '"none"',
            owner: cookie,
            visitor: visitor.cookieFor(`/p/${slug}`),
          })
        }
        expect(pages.length).toBe(PAGES)
        expect(pagesAt(0)[DECK_AT]).toBe(DECK)
        const [warm, cold] = [serverOf(app, true), serverOf(app, false)]
        await fc.assert(
          fc.asyncProperty(anyRequest, async (question) => {
            app.advance(question.hours * HOUR_MS)
            const request = () => requestOf(question, pages[question.page]!)
            // The first one may read the page and its bytes: the next has them in memory.
            await warm.ask(request())
            const expected = await cold.ask(request())
            const answer = await warm.ask(request())
            const again = await cold.ask(request())
            // Two answers differ where an answer has a token or time of its own.
            if (JSON.stringify(expected) === JSON.stringify(again)) expect(answer).toEqual(expected)
            else {
              expect(answer.status).toBe(expected.status)
              expect(await warm.ask(request())).not.toEqual(answer)
            }
          }),
          runs(RUNS),
        )
      }, 240_000)
    }
  })
}
