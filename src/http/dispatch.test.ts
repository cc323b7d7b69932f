import { describe, expect, it } from 'bun:test'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { plainSite } from '../model/site.ts'
import { BlobsUnavailable } from '../platform/blobs/index.ts'
import { BASE_URL, testApp } from '../testing/app.ts'
import { expectOwnHeaders } from '../testing/isolation.ts'
import { silentLog } from '../testing/silent-log.ts'
import { createDispatcher, type Routes } from './dispatch.ts'
import { createBodyBudgets } from './kit/body-budget.ts'

describe('a request', () => {
  it('goes where its normalized path says', async () => {
    await using app = await testApp('sqlite')
    const { publish } = await app.owner()
    const { slug } = await publish('<p>words')
    const statuses = async (paths: string[]) =>
      Promise.all(paths.map(async (path) => (await app.fetch(new Request(BASE_URL + path))).status))
    expect(await statuses([`/p/${slug}`, `/x/../p/${slug}?q`, '/', '/docs'])).toEqual(
      Array(4).fill(200),
    )
    expect(await statuses([`/p/${slug}/../../api/v1/pages`, '/~/responses', '/mcp'])).toEqual([
      401, 405, 405,
    ])
    const nowhere = ['/p', '/p/', `/p//${slug}`, `/P/${slug}`, `/%70/${slug}`, '/~/responses/']
    expect(await statuses(nowhere)).toEqual(Array(nowhere.length).fill(404))
  })

  it('that meets a bug on a page of ours is 500, in a notice that names it', async () => {
    await using app = await testApp('sqlite')
    await app.database.write(async (tx) => {
      await sql`ALTER TABLE accounts RENAME TO elsewhere`.execute(tx)
      await sql`CREATE VIEW accounts AS SELECT 1 WHERE json('{')`.execute(tx)
    })
    const answer = await app.fetch(new Request(`${BASE_URL}/`))
    expect(answer.status).toBe(500)
    expectOwnHeaders(answer)
    const requestId = answer.headers.get('x-request-id')!
    const text = await answer.text()
    expect(text).toContain(requestId)
    expect(text).not.toMatch(/accounts|SQLite|JSON/)
    const logged = app.log.lines.filter(({ level }) => level === 'error')
    expect(logged).toMatchObject([{ fields: { request_id: requestId, route: '/' } }])
  })

  it('while PostgreSQL has no tables, as during a restore, is 503', async () => {
    await using app = await testApp('postgres')
    const { key } = await app.owner()
    const rename = (from: string, to: string) =>
      app.database.write((tx) =>
        sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.table(to)}`.execute(tx),
      )
    await rename('api_keys', 'api_keys_later')
    try {
      const headers = { authorization: `Bearer ${key}` }
      const answer = await app.fetch(new Request(`${BASE_URL}/api/v1/pages`, { headers }))
      expect(await answer.json()).toMatchObject({ error: { code: 'database_down' } })
      expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true])
    } finally {
      await rename('api_keys_later', 'api_keys')
    }
  })

  it('to an address that no route knows is logged without it', async () => {
    await using app = await testApp('sqlite')
    const paths = ['/setup/x/LINKTOKEN', '/app/confirmed/LINKTOKEN', '/a/b/c/LINKTOKEN', '/one']
    for (const path of paths) await app.fetch(new Request(BASE_URL + path))
    const logged = app.log.lines.map(({ fields }) => fields)
    expect(logged).toMatchObject(Array(paths.length).fill({ route: '(unknown)', status: 404 }))
    expect(JSON.stringify(logged)).not.toMatch(/LINKTOKEN|confirmed|one/)
  })
})

const LOOKUPS: [what: string, err: Error, status: number][] = [
  ['a bug', new Error('a bug of the lookup'), 500],
  ['an outage', new BlobsUnavailable('the store is down'), 503],
]
it.each(LOOKUPS)('%s in finding who answers is answered, counted and logged', async (...row) => {
  const [, err, status] = row
  const log = silentLog()
  const counted: number[] = []
  const bodyBudgets = createBodyBudgets(() => '192.0.2.1')
  const recorder = {
    answered(_request: Request, answer: Response) {
      counted.push(answer.status)
      return answer
    },
  }
  const nobody = new Hono()
  const lookUp = () => {
    throw err
  }
  const routes = {
    ...{
      visitorOperations: new Map(),
      contentHosts: lookUp,
      pageRouteOf: ({ url }: Request) => ({ route: /\/p\//.test(url) ? '/p/:slug' : '(unknown)' }),
    },
    apis: {},
    router: nobody,
  } as unknown as Routes
  const options = { site: plainSite('handbill.test'), bodyBudgets, recorder, log }
  const { fetch, fetchPage } = createDispatcher(routes, options)
  const answers = [
    await fetch(new Request(`${BASE_URL}/docs`)),
    await fetch(new Request(`${BASE_URL}/p/x`)),
    await fetchPage(new Request(`${BASE_URL}/p/x`)),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(status)
    expectOwnHeaders(answer)
    expect(await answer.text()).not.toContain(err.message)
  }
  expect(counted).toEqual([status, status, status])
  const logged = log.lines.map(({ level, fields }) => ({ level, fields }))
  const failed = (route: string) => ({ level: 'error', fields: { route, err } })
  expect(logged).toMatchObject([failed('(unknown)'), failed('/p/:slug'), failed('/p/:slug')])
})
