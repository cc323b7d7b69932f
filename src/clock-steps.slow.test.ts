/** What waits for a time, and what ends at one, where the clock of the computer is set. */
import { describe, expect, it } from 'bun:test'
import { createConfirmations } from './features/confirmations/index.ts'
import { createCodeGuard } from './features/throttles/index.ts'
import { sha256 } from './platform/ids.ts'
import { DAY_MS, ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from './testing/app.ts'
import { storedKeys } from './testing/dump.ts'
import { htmlOf } from './testing/material.ts'
import { contentRows, expectReadable, NO_ROWS } from './testing/sweeping.ts'

/** Too large for a row. */
const LARGE = 100_000

/** Acts by a clock that is ahead, which is set right then. */
async function ahead<T>(app: TestApp, ms: number, act: () => Promise<T>): Promise<T> {
  app.advance(ms)
  const result = await act()
  app.advance(-ms)
  return result
}

for (const engine of ENGINES) {
  describe(`after the clock was set back on ${engine}`, () => {
    it('content that was deleted before is swept within its usual time', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await ahead(app, 10 * HOUR_MS, async () => {
        for (const size of [200, LARGE]) {
          const { id } = await owner.publish(htmlOf(size))
          await owner.call('DELETE', `/pages/${id}`)
        }
      })
      expect(await app.sweeper.isDue()).toBe(true)
      expect(await app.sweeper.sweep()).toEqual({ manifests: 0, blobs: 0 })
      expect(await app.sweeper.isDue()).toBe(false)
      app.advance(HOUR_MS + MINUTE_MS)
      await app.sweeper.sweep()
      app.advance(HOUR_MS + MINUTE_MS)
      await app.sweeper.sweep()
      expect(await contentRows(app)).toEqual(NO_ROWS)
      expect(await storedKeys(app)).toEqual([])
    })

    it('content that was stored before is swept, too, and what is in use stays', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      const [gone, kept] = await ahead(app, 10 * HOUR_MS, async () => [
        await owner.publish(htmlOf(LARGE)),
        await owner.publish(html),
      ])
      await owner.call('DELETE', `/pages/${gone!.id}`)
      for (let hour = 0; hour < 4; hour++) {
        app.advance(HOUR_MS + MINUTE_MS)
        await app.sweeper.sweep()
      }
      expect(await storedKeys(app)).toHaveLength(1)
      await expectReadable(app, { owner, id: kept!.id, html })
    })

    it('a file that no row names is deleted an hour after it was found, and no other', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = htmlOf(LARGE)
      const { id } = await owner.publish(html)
      const left = 'left by a crash'
      await app.blobs.put('f'.repeat(32), Buffer.from(left), () => sha256(left))
      app.advance(-10 * HOUR_MS)
      expect(await app.sweeper.sweepOrphans()).toBe(0)
      app.advance(HOUR_MS - MINUTE_MS)
      expect(await app.sweeper.sweepOrphans()).toBe(0)
      app.advance(2 * MINUTE_MS)
      expect(await app.sweeper.sweepOrphans()).toBe(1)
      expect(await storedKeys(app)).toHaveLength(1)
      await expectReadable(app, { owner, id, html })
    })

    it('a page that an import left behind is deleted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>left')
      await app.database.write((tx) =>
        tx
          .updateTable('pages')
          .set({ importing_at: app.clock.after(10 * HOUR_MS) })
          .where('id', '=', id)
          .execute(),
      )
      expect(await app.pages.sweepImports()).toBe(0)
      app.advance(16 * MINUTE_MS)
      expect(await app.pages.sweepImports()).toBe(1)
      expect(await app.rows('pages')).toEqual([])
    })

    it('the code of the newest mail works, and none of an older one', async () => {
      await using app = await testApp(engine)
      const confirmations = createConfirmations({
        ...app,
        wrongCodes: createCodeGuard(app.throttles),
      })
      const request = { purpose: 'sign_in', browser: 'a browser' }
      const start = () =>
        app.database.write((tx) =>
          confirmations.start(tx, { ...request, email: 'ann@example.com' }),
        )
      const redeem = (code: string) =>
        confirmations.redeemCode({ ...request, address: '192.0.2.7', code }, async () => true)
      const old = await ahead(app, 10 * HOUR_MS, start)
      const fresh = await start()
      if (old.code !== fresh.code) expect((await redeem(old.code)).outcome).toBe('wrong')
      expect((await redeem(fresh.code)).outcome).toBe('right')
      expect((await redeem(old.code)).outcome).toBe('wrong')
    })

    it('links, uploads and sessions of now work, and end after their time', async () => {
      await using app = await testApp(engine)
      const { email } = await app.owner()
      const account = (await app.accounts.list()).find((each) => each.email === email)!
      await ahead(app, 40 * DAY_MS, async () => app.clock.now())
      const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
      const link = await app.database.write((tx) =>
        app.confirmations.start(tx, { purpose: 'sign_in', email }),
      )
      expect(await app.confirmations.peek(link.token)).not.toBeNull()
      expect(await app.sessions.find(token)).not.toBeNull()
      app.advance(16 * MINUTE_MS)
      expect(await app.confirmations.peek(link.token)).toBeNull()
      app.advance(31 * DAY_MS)
      expect(await app.sessions.find(token)).toBeNull()
    })

    it('a session that was seen before goes on for thirty days from now, as no recent one', async () => {
      await using app = await testApp(engine)
      const { email } = await app.owner()
      const account = (await app.accounts.list()).find((each) => each.email === email)!
      const token = await ahead(app, 10 * DAY_MS, () =>
        app.database.write((tx) => app.sessions.create(tx, account.id, null)),
      )
      expect(await app.sessions.find(token)).toMatchObject({ has_recent_sign_in: false })
      await app.quiet()
      const [row] = await app.rows('sessions')
      expect(Date.parse(row!.last_seen_at)).toBeLessThan(app.clock.ms() + MINUTE_MS)
      expect(Date.parse(row!.expires_at)).toBeLessThan(app.clock.ms() + 30 * DAY_MS + MINUTE_MS)
    })

    it('pages are dated by it, and the list says which of them have expired', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const expiresAt = app.clock.after(HOUR_MS)
      await owner.publish('<p>until then', { expires_at: expiresAt })
      const states = async () =>
        (await owner.ask<{ state: string }[]>('GET', '/pages')).map(({ state }) => state)
      await ahead(app, 10 * HOUR_MS, async () => expect(await states()).toEqual(['closed']))
      expect(await states()).toEqual(['live'])
      const { created_at: createdAt } = await owner.publish('<p>new')
      expect(createdAt < app.clock.after(MINUTE_MS)).toBe(true)
    })

    it('viewers of today are counted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>viewed')
      await ahead(app, 20 * DAY_MS, async () => {
        await app.open(`/p/${slug}`)
        await app.views.flush()
      })
      await app.open(`/p/${slug}`)
      const [today] = (await app.rows('view_hours')).sort((a, b) => a.hour - b.hour)
      expect(today).toMatchObject({ page_id: id, views: 1, viewers: 1 })
      await app.views.sweep()
      const days = (await app.rows('daily_viewers')).map(({ day }) => day)
      expect(days).toEqual([Math.floor(app.clock.ms() / DAY_MS)])
    })

    it('mails to an owner are counted anew', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>a')
      const minute = Math.floor(app.clock.ms() / MINUTE_MS)
      const counts = [minute - 61, minute, minute + 1, minute + 600]
      for (const each of counts) {
        await app.database.write((tx) =>
          tx
            .insertInto('event_counts')
            .values({ page_id: id, kind: 'view', minute: each, count: 20 })
            .execute(),
        )
      }
      await app.ownerMails.sweep()
      const left = (await app.rows('event_counts')).map((row) => row.minute)
      expect(left.sort()).toEqual([minute, minute + 1])
    })
  })
}
