import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { BASE_URL, testApp } from '../testing/app.ts'
import { expectOwnHeaders } from '../testing/isolation.ts'

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
    await app.database.write((tx) => sql`ALTER TABLE accounts RENAME TO elsewhere`.execute(tx))
    const answer = await app.fetch(new Request(`${BASE_URL}/`))
    expect(answer.status).toBe(500)
    expectOwnHeaders(answer)
    const requestId = answer.headers.get('x-request-id')!
    const text = await answer.text()
    expect(text).toContain(requestId)
    expect(text).not.toMatch(/accounts|SQLite|elsewhere/)
    const logged = app.log.lines.filter(({ level }) => level === 'error')
    expect(logged).toMatchObject([{ fields: { request_id: requestId, path: '/' } }])
  })

  it('to an address that no route knows is logged with its first two segments alone', async () => {
    await using app = await testApp('sqlite')
    const paths = ['/setup/x/LINKTOKEN', '/app/confirmed/LINKTOKEN', '/a/b/c/LINKTOKEN', '/one']
    for (const path of paths) await app.fetch(new Request(BASE_URL + path))
    const logged = app.log.lines.map(({ fields }) => (fields as { path?: string })?.path)
    expect(logged).toEqual(['/setup/x/…', '/app/confirmed/…', '/a/b/…', '/one'])
  })
})
