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
      }, 60_000)
    }

    test('is answered without a read, whatever is asked for', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const single = `/p/${(await owner.publish(LONG)).slug}`
      const style = `/p/${(await owner.publish(DECK)).slug}/a.css`
      const limited = `/p/${(await owner.publish(LONG, { max_views: 1000 })).slug}`
      const gated = { html: LONG, access: 'password', password: PASSWORD }
      const locked = `/p/${(await owner.publish(gated)).slug}`
      const visitor = app.visitor()
      await visitor.givePassword(locked, PASSWORD)
      const cookie = visitor.cookieFor(locked)
      const { ask, counters } = serverOf(app, true)
      const reads = async (path: string, headers = {}, method = 'GET') => {
        const request = () => new Request(BASE_URL + path, { method, headers })
        for (let n = 0; n < 2; n++) await ask(request())
        counters.reads = 0
        const { status } = await ask(request())
        return [status, counters.reads]
      }
      const anyEtag = { 'if-none-match': '*' }
      for (const [path, headers] of [
        [single, {}],
        [single, { cookie: 'theme=dark' }],
        [style, {}],
        [style, { cookie }],
        [locked, { cookie }],
      ] as const) {
        expect(await reads(path, headers)).toEqual([200, 0])
        expect(await reads(path, headers, 'HEAD')).toEqual([200, 0])
        expect(await reads(path, { ...headers, ...anyEtag })).toEqual([304, 0])
      }
      expect(await reads(locked)).toEqual([403, 0])
      expect(await reads(style, { range: 'bytes=0-1' })).toEqual([206, 0])
      expect(await reads(limited)).toEqual([200, 0])
      // What is no view does not change the counter, so it is read.
      expect(await reads(limited, {}, 'HEAD')).toEqual([200, 1])
    })

    test('closes for HEAD and for conditions where the limit is reached', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const path = `/p/${(await owner.publish(LONG, { max_views: 2 })).slug}`
      const { ask } = serverOf(app, true)
      const status = async (method = 'GET', headers = {}) =>
        (await ask(new Request(BASE_URL + path, { method, headers }))).status
      for (let n = 0; n < 3; n++) expect(await status('HEAD')).toBe(200)
      for (let n = 0; n < 2; n++) expect(await status()).toBe(200)
      for (let n = 0; n < 3; n++) {
        expect(await status('HEAD')).toBe(410)
        expect(await status('GET', { 'if-none-match': '*' })).toBe(410)
      }
    })

    test('is shown to as many as its limit allows of those who come at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>Limited', { max_views: 30 })
      const countServed = async (requests: number) => {
        const answers = await Promise.all(
          Array.from({ length: requests }, () => app.open(`/p/${slug}`)),
        )
        const texts = await Promise.all(answers.map((answer) => answer.text()))
        const statuses = answers.map(({ status }) => status)
        for (const [at, text] of texts.entries()) {
          expect(text.includes('<p>Limited')).toBe(statuses[at] === 200)
        }
        return statuses.filter((status) => status === 200).length
      }
      // The first one puts the answer into memory.
      expect(await countServed(1)).toBe(1)
      expect(await countServed(50)).toBe(29)
      expect(await countServed(5)).toBe(0)
      expect((await owner.page(id)).views).toBe(30)
      await owner.update(id, { max_views: 34 })
      expect(await countServed(20)).toBe(4)
      expect((await owner.page(id)).views).toBe(34)
    })

    test('lets nobody in by a cookie whose password was changed, or that has expired', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const settings = { access: 'password', password: PASSWORD }
      const page = await owner.publish({ html: LONG, ...settings })
      const path = `/p/${page.slug}`
      const visitor = app.visitor()
      await visitor.givePassword(path, PASSWORD)
      const view = async () => (await visitor.open(path)).status
      for (let n = 0; n < 3; n++) expect(await view()).toBe(200)
      await owner.update(page.id, { password: 'another one' })
      for (let n = 0; n < 3; n++) expect(await view()).toBe(403)
      await visitor.givePassword(path, 'another one')
      for (let n = 0; n < 3; n++) expect(await view()).toBe(200)
      app.advance(7 * 24 * HOUR_MS - 1000)
      expect(await view()).toBe(200)
      app.advance(2000)
      for (let n = 0; n < 3; n++) expect(await view()).toBe(403)
    })

    test('ends with the change that makes a page another one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const changes = [
        ...[{ access: 'password', password: 'abcd' }, { max_views: 50 }, { allow_comments: true }],
        ...[{ notify_on_view: true }, { expires_at: '2020-01-01T00:00:00Z' }],
      ]
      for (const change of changes) {
        const page = await owner.publish(LONG)
        const { ask } = serverOf(app, true)
        const view = () => ask(new Request(`${BASE_URL}/p/${page.slug}`))
        for (let n = 0; n < 3; n++) expect((await view()).status).toBe(200)
        await owner.update(page.id, change)
        const expiry = 'expires_at' in change ? 410 : 200
        const status = 'access' in change ? 403 : expiry
        for (let n = 0; n < 3; n++) expect((await view()).status).toBe(status)
      }
    })
  })
}
