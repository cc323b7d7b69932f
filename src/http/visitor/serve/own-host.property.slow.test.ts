/** What own hosts answer from memory equals what they answer of a page that was just read. */
import { describe, expect, test } from 'bun:test'
import { ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { CONTENT_URL, enter } from '../../../testing/own-host.ts'
import { fc, runs } from '../../../testing/property.ts'
import { HTML as PLAIN, DECK as PLAIN_DECK } from '../../../testing/views.ts'
import { serverOf } from '../../../testing/warm-server.ts'

const RUNS = 600
const SCRIPT = '<script></script>'
const LONG = `<!doctype html><title>Long</title>${'<p>words and more words</p>'.repeat(90)}${SCRIPT}`
const FORM = `<!doctype html><form data-service><input name=a></form>${SCRIPT}`
const HTML = PLAIN + SCRIPT
const DECK = { ...PLAIN_DECK, files: PLAIN_DECK.files.map((file) => ({ ...file, html: HTML })) }
const PASSWORD = 'abcd'
const LOCKED = { html: LONG, access: 'password', password: PASSWORD }
const LOST = { path: '404.html', html: '<!doctype html><p>lost' }

const pagesAt = (nowMs: number): object[] => [
  ...[{ html: HTML }, { html: LONG, og_title: 'Shown' }, { html: FORM }],
  ...[LOCKED, { ...DECK, max_views: 1 }, { html: HTML, allow_comments: true }],
  { html: LONG, expires_at: new Date(nowMs + HOUR_MS).toISOString() },
  ...[DECK, { ...DECK, files: [...DECK.files, LOST] }, { ...DECK, fallback: 'team.html' }],
]
const PAGES = 10

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const seldom = (...values: string[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: oneOf(...values) },
  )

const anyRequest = fc.record({
  // The last ones have a document for missing files.
  page: fc.oneof(fc.nat(PAGES - 1), oneOf(PAGES - 3, PAGES - 2)),
  method: fc.oneof({ weight: 8, arbitrary: oneOf('GET') }, oneOf('HEAD', 'POST', 'OPTIONS')),
  path: fc.oneof(
    { weight: 4, arbitrary: oneOf('/') },
    { weight: 4, arbitrary: oneOf('/a.css', '/a.png', '/index.html', '/team', '/about/', '/?a=b') },
    { weight: 2, arbitrary: oneOf('/nothing.js', '/~x') },
    oneOf('/about', '/route/of/it', '/favicon.ico', '/%61.css', '/a%2fb'),
    oneOf('/~/visit', '/p/x', '/p/x/~y/', '//', '/x/../a.css', '/a.json', '/index'),
  ),
  headers: fc.record({
    cookie: fc.oneof(
      { weight: 6, arbitrary: oneOf('ITS VISIT') },
      oneOf('', 'a=b', 'a=b; ITS VISIT', 'handbill_own=x; ITS VISIT', 'OF ANOTHER', 'BY ITS OWNER'),
      oneOf('ITS VISIT; handbill_frame=x', 'handbill_frame=x', 'OF ANOTHER; ITS VISIT'),
    ),
    range: seldom('bytes=0-9', 'x'),
    'if-none-match': seldom('"x"', '*', 'ITS ETAG', 'W/ITS ETAG, "x"'),
    'service-worker': seldom('script'),
    'sec-fetch-dest': oneOf(undefined, 'document', 'empty', 'iframe', 'manifest', 'style'),
    'sec-fetch-mode': seldom('navigate', 'no-cors'),
    'sec-fetch-site': oneOf(undefined, 'none', 'same-origin', 'same-site', 'cross-site'),
    accept: seldom('*/*', 'text/html,*/*;q=0.8'),
    'accept-encoding': seldom('gzip', 'br, zstd', 'identity'),
    'user-agent': seldom('Mozilla/5.0 (X11)', 'Slackbot 1.0'),
  }),
})
type Asked = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never

/** The page's host, and the cookies of visits there, for a request. */
interface Known {
  origin: string
  etag: string
  visit: string
  owners: string
}

async function pageOf(app: TestApp, owner: Awaited<ReturnType<TestApp['owner']>>, page: object) {
  const { slug } = await owner.publish({ title: null, ...page })
  const visitor = app.visitor()
  if ('password' in page) await visitor.givePassword(`/p/${slug}`, PASSWORD)
  const signedIn = await app.signedIn(owner)
  // The owner, and visitors of pages with a conversation, stay in the shell.
  const owners = await enter(app, signedIn, `/p/${slug}`).catch(() => null)
  const entered = await enter(app, visitor, `/p/${slug}`).catch(() => null)
  if (entered === null) return null
  const { headers } = await entered.load('/')
  return {
    origin: entered.origin,
    etag: headers.get('etag') ?? '"none"',
    visit: entered.cookie,
    owners: owners?.cookie ?? '',
  }
}

function requestOf({ method, path, headers }: Asked, known: Known, another: Known) {
  const all: Record<string, string> = { host: new URL(known.origin).host }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    all[name] = value
      .replace('ITS ETAG', known.etag)
      .replace('ITS VISIT', known.visit)
      .replace('BY ITS OWNER', known.owners)
      .replace('OF ANOTHER', another.visit)
  }
  return new Request(known.origin + path, { method, headers: all })
}

for (const engine of ENGINES) {
  describe(`a page in memory, on its own host on ${engine}`, () => {
    test('is answered and counted like one that was just read, as long as visits last', async () => {
      await using app = await testApp(engine, { contentUrl: CONTENT_URL })
      const owner = await app.owner()
      const results = await Promise.all(
        pagesAt(app.clock.ms()).map((page) => pageOf(app, owner, page)),
      )
      const pages = results.filter((page) => page !== null)
      expect(pages.length).toBe(PAGES - 1)
      const [warm, cold] = [serverOf(app, true), serverOf(app, false)]
      // At once, after the view, after a page expired, and after the visit.
      for (const laterMs of [0, 31 * MINUTE_MS, HOUR_MS, 12 * HOUR_MS]) {
        app.advance(laterMs)
        await fc.assert(
          fc.asyncProperty(anyRequest, async (question) => {
            const at = question.page % pages.length
            const another = pages[(at + 1) % pages.length]!
            const request = () => requestOf(question, pages[at]!, another)
            // The first one may read the page and its bytes: the next has them in memory.
            await warm.ask(request())
            const expected = await cold.ask(request())
            const answer = await warm.ask(request())
            const again = await cold.ask(request())
            // Two answers differ where an answer has a token or time of its own.
            if (JSON.stringify(expected) === JSON.stringify(again)) expect(answer).toEqual(expected)
            else expect(answer.status).toBe(expected.status)
          }),
          runs(RUNS),
        )
      }
    }, 240_000)
  })
}
