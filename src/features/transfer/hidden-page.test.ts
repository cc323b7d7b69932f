import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { type Timestamp, timestampOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import {
  exported,
  type ImportedPage,
  imported,
  nameOf,
  type Row,
  rowsIn,
} from '../../testing/archives.ts'
import { rowCounts } from '../../testing/dump.ts'
import type { Owner } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'

const START_US = Date.UTC(2026, 0, 1) * 1000
const timeAt = (at: number): Timestamp => timestampOf(START_US + at * 1_000_000)
const linesOf = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).join('\n')

/** An archive of one page with so many rows of each kind. */
async function archiveOf(app: TestApp, owner: Owner, count: number): Promise<Map<string, string>> {
  const settings = {
    slug: 'moving',
    title: 'Moving',
    access: 'people',
    allow_access_requests: true,
  }
  const thread = await createThread(app, owner, settings)
  await thread.post(owner.email, 'First')
  const archive = await exported(app, owner)
  const [comment] = rowsIn(archive, 'comments')
  const each = <T>(make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
  const files: Record<string, Row[]> = {
    comments: each((at) => ({ ...comment, id: `c${at}`, created_at: timeAt(at) })),
    responses: each((at) => ({
      ...{ viewer: `v${at}`, respondent: `v${at}`, name: null, page_version: null, path: '' },
      ...{ submitted_at: timeAt(at), created_at: timeAt(at), submit_count: 1, data: '{"a":"b"}' },
    })),
    access_requests: each((at) => ({
      ...{ email: `v${at}@example.com`, created_at: timeAt(at), decided_at: null, decision: null },
    })),
    view_hours: each((at) => ({ hour: at, views: 1, viewers: 1 })),
    view_facets: each((at) => ({
      ...{ day: at, facet: 'device', value: 'phone', count: 1, seconds: 0 },
    })),
  }
  const input = new Map(archive)
  for (const [file, rows] of Object.entries(files)) {
    input.set(nameOf(archive, `${file}.ndjson`), linesOf(rows))
  }
  const name = nameOf(archive, 'page.json')
  return input.set(name, JSON.stringify({ ...JSON.parse(archive.get(name)!), views: count }))
}

/** Everything that an account and visitors of its pages are shown. */
async function shownTo(app: TestApp, owner: Owner, id: string) {
  const { status } = await owner.call('GET', `/pages/${id}`)
  // Its room is taken from the start.
  const { usage } = await owner.ask<{ usage: object }>('GET', '/account')
  Object.assign(usage, { stored_bytes: null })
  const inbox = (await owner.call('GET', '/inbox')).body
  const analytics = await owner.ask<{ views: number }>('GET', '/analytics')
  const pages = await owner.ask<unknown[]>('GET', '/pages')
  const all = await app.pages.listAll({ search: '', limit: 10, offset: 0 })
  return {
    ...{ status, usage, inbox, analytics: { ...analytics, from: null, to: null }, pages },
    ...{
      all: all.pages,
      counted: await app.pages.countAll(),
      slug: (await app.open('/p/moving')).status,
    },
    responses: await app.responses.total(),
    listed: await app.pages.listIndexable(10),
    naming: await app.pages.invitationOf('v0@example.com'),
  }
}

for (const engine of ENGINES) {
  describe(`a page that is being imported, on ${engine}`, () => {
    it('is shown nowhere before its last transaction, which gives it its slug and title', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const archive = await archiveOf(one, owner, 250)
      const before = await shownTo(two, target, 'pg_none')
      const hold = two.holdWrite()
      const importing = imported(two, target, archive)
      await hold.reached
      const [hidden] = await two.rows('pages')
      expect(hidden).toMatchObject({ title: null, importing_at: expect.any(String) })
      expect((await rowCounts(two)).comments).toBe(250)
      expect(await shownTo(two, target, hidden!.id)).toEqual(before)
      expect((await two.open(`/p/${hidden!.slug}`)).status).toBe(404)
      // Others take its slug and its title meanwhile.
      await target.publish('<p>other', { slug: 'moving', title: 'Moving' })
      hold.release()
      const [page] = await importing
      expect(page).toMatchObject({ status: 'imported', id: hidden!.id, slug: hidden!.slug })
      expect(await target.page(page!.id)).toMatchObject({ title: 'Moving (2)', views: 250 })
      const { body } = await target.call<{ data: { counts: object } }>('GET', '/inbox')
      expect(JSON.stringify(body)).toContain('"requests":250')
      expect(await target.ask<unknown[]>('GET', `/pages/${page!.id}/comments`)).not.toEqual([])
      expect((await two.rows('pages')).map((row) => row.importing_at)).toEqual([null, null])
    }, 60_000)

    it('is deleted where its import broke off, which then stores nothing more', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const archive = await archiveOf(one, owner, 250)
      await target.ask('GET', '/pages')
      await two.quiet()
      const before = await rowCounts(two)
      const hold = two.holdWrite()
      const importing = imported(two, target, archive)
      await hold.reached
      expect(await two.pages.sweepImports()).toBe(0)
      if (engine === 'sqlite') expect(await two.pages.sweepImports(true)).toBe(1)
      else {
        // Another process may be importing it.
        expect(await two.pages.sweepImports(true)).toBe(0)
        two.advance(16 * MINUTE_MS)
        expect(await two.pages.sweepImports()).toBe(1)
      }
      hold.release()
      expect(await importing).toMatchObject([
        { status: 'failed', reason: expect.stringContaining('import it again') },
      ])
      for (let round = 0; round < 3; round++) {
        two.advance(2 * HOUR_MS)
        await two.sweeper.sweep()
      }
      expect(await rowCounts(two)).toEqual(before)
    }, 60_000)

    it('ends with the account that it is imported into', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const archive = await archiveOf(one, owner, 20)
      const account = (await two.accounts.list()).find(({ email }) => email === target.email)!
      await target.ask('GET', '/pages')
      await two.quiet()
      // The last step of the import is its first full write.
      const hold = two.holdWrite()
      const importing = imported(two, target, archive)
      await hold.reached
      expect(await two.rows('pages')).toHaveLength(1)
      await two.pages.deleteAll(account.id)
      hold.release()
      expect(await importing).toMatchObject([{ status: 'failed' }])
      expect(await two.rows('pages')).toEqual([])
      expect((await rowCounts(two)).comments).toBe(0)
    })
  })
}

describe('an import of very many rows', () => {
  it('writes few of them in one transaction, and others write in between', async () => {
    await using one = await testApp('sqlite')
    await using two = await testApp('sqlite')
    const [owner, target] = [await one.owner(), await two.owner({ plan: 'team' })]
    const archive = await archiveOf(one, owner, 1500)
    /** How many rows each transaction changes. */
    const changes: number[] = []
    const { write } = two.database
    const changed = async (tx: Tx) =>
      (await sql<{ n: number }>`SELECT total_changes() AS n`.execute(tx)).rows[0]!.n
    two.database.write = (work, durability) =>
      write(async (tx) => {
        const before = await changed(tx)
        const result = await work(tx)
        changes.push((await changed(tx)) - before)
        return result
      }, durability)
    let isDone = false
    const importing = imported(two, target, archive).finally(() => {
      isDone = true
    })
    let others = 0
    while (!isDone) {
      await write(async () => {}, 'relaxed')
      others += 1
    }
    const [page] = (await importing) as ImportedPage[]
    expect(page!.reason).toBeNull()
    expect(Math.max(...changes)).toBeLessThanOrEqual(110)
    expect(changes.length).toBeGreaterThan(5 * 15)
    expect(others).toBeGreaterThan(5 * 15)
  }, 60_000)
})
