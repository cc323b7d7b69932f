import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'
import { unpublish } from './publish.ts'

const ROWS = 1200
const SETTINGS = { slug: 'large', title: 'Large' }
/** What one transaction may delete at most of a table. */
const ROWS_AT_ONCE = 500

/** A page with more rows than one transaction deletes: a thread with replies, and view hours. */
async function createLarge(app: TestApp) {
  const owner = await app.owner()
  const thread = await createThread(app, owner, SETTINGS)
  await thread.post('one', 'First')
  const [first] = await app.rows('comments')
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    ...first!,
    id: `cmt_${at}`,
    parent_id: at === 0 ? null : 'cmt_0',
    submission_id: `sent-${at}`,
    created_at: `2026-01-01T00:00:00.${String(at).padStart(6, '0')}Z`,
  }))
  await app.database.write(async (tx) => {
    for (let at = 0; at < ROWS; at += 100) {
      await tx
        .insertInto('comments')
        .values(rows.slice(at, at + 100) as never[])
        .execute()
    }
  })
  return { owner, id: thread.id }
}

/** Notes how many comments were left after each transaction. */
async function countsWhile(app: TestApp, work: () => Promise<unknown>): Promise<number[]> {
  const counts: number[] = []
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const { count } = await app.database.read
      .selectFrom('comments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts.push(Number(count))
    await Bun.sleep(0)
  }
  await working
  return counts
}

for (const engine of ENGINES) {
  describe(`a page with many rows, on ${engine}`, () => {
    it('is deleted in several transactions, and nothing is left of it', async () => {
      await using app = await testApp(engine)
      const { owner, id } = await createLarge(app)
      const survivor = await owner.publish('<p>kept')
      const hold = app.holdWrite(3)
      const deleting = owner.call('DELETE', `/pages/${id}`)
      await hold.reached
      const left = (await app.rows('comments')).length
      expect(left).toBeGreaterThanOrEqual(ROWS + 1 - 2 * ROWS_AT_ONCE)
      expect((await app.rows('pages')).map((row) => row.id)).toContain(id)
      // Nobody sees it, and its slug and its title are free.
      expect((await app.open('/p/large')).status).toBe(404)
      expect((await owner.call('GET', `/pages/${id}`)).status).toBe(404)
      expect((await owner.call('PATCH', `/pages/${id}`, { title: 'Back' })).status).toBe(404)
      expect(await owner.ask<{ id: string }[]>('GET', '/pages')).toMatchObject([
        { id: survivor.id },
      ])
      await owner.publish('<p>other', SETTINGS)
      hold.release()
      expect((await deleting).status).toBe(204)
      expect(await app.rows('comments')).toEqual([])
      expect(await app.rows('comment_counters')).toEqual([])
      expect((await app.rows('pages')).map((row) => row.id)).not.toContain(id)
      expect((await app.rows('versions')).map((row) => row.page_id)).not.toContain(id)
      expect((await app.open('/p/large')).status).toBe(200)
    }, 60_000)

    it('loses few rows in one transaction', async () => {
      await using app = await testApp(engine)
      const { owner, id } = await createLarge(app)
      const counts = await countsWhile(app, () => owner.call('DELETE', `/pages/${id}`))
      const falls = counts.slice(1).map((count, at) => counts[at]! - count)
      expect(new Set(counts).size).toBeGreaterThan(2)
      if (engine === 'sqlite') expect(Math.max(...falls)).toBeLessThanOrEqual(ROWS_AT_ONCE)
      expect(await app.rows('comments')).toEqual([])
    }, 60_000)

    it('stays hidden where its deletion breaks off, and the next sweep deletes the rest', async () => {
      await using app = await testApp(engine)
      const { owner, id } = await createLarge(app)
      const page = (await app.pages.find(id))!
      const hold = app.holdWrite(4)
      const deleting = owner.call('DELETE', `/pages/${id}`)
      await hold.reached
      expect((await app.rows('comments')).length).toBeGreaterThan(0)
      // A write that read the page before does not bring it back.
      const request = { page, context: { hasIfMatch: false } } as never
      const attempt = unpublish(app.pages.deps, request).then(
        () => 'done',
        (err: { code: string }) => err.code,
      )
      expect(await attempt).toBe('page_not_found')
      expect((await app.open('/p/large')).status).toBe(404)
      expect(await app.pages.sweepImports()).toBe(1)
      expect(await app.rows('pages')).toEqual([])
      expect(await app.rows('comments')).toEqual([])
      hold.release()
      expect((await deleting).status).toBe(204)
    }, 60_000)
  })
}
