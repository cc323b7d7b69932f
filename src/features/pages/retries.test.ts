import { describe, expect, it } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { DAY_MS, ENGINES, MINUTE_MS, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { htmlOf } from '../../testing/material.ts'
import type { Owner, Refused } from '../../testing/people.ts'

const titled = (title: string) => `<!doctype html><title>${title}</title><p>x`

function create<T = { data: PageObject }>(owner: Owner, key: string, body: object) {
  return owner.call<T>('POST', '/pages', body, { 'idempotency-key': key })
}

for (const engine of ENGINES) {
  describe(`a create with an Idempotency-Key on ${engine}`, () => {
    it('that is sent again is answered as the first time, and makes no second page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const body = { html: titled('Plan'), access: 'password' }
      const first = await create(owner, 'key-1', body)
      await owner.update(first.body.data.id, { title: 'Renamed since' })
      const again = await create(owner, 'key-1', body)
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.body).toEqual(first.body)
      expect(again.body.data.title).toBe('Plan')
      expect(await app.rows('pages')).toHaveLength(1)
      expect((await create(owner, 'key-2', body)).body.data.title).toBe('Plan')
      expect(await app.rows('pages')).toHaveLength(2)
    })

    it('that comes with another body is 409, and makes no page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await create(owner, 'key', { html: '<p>one' })
      for (const body of [{ html: '<p>two' }, { html: '<p>one', title: 'T' }]) {
        const { status, body: said } = await create<Refused>(owner, 'key', body)
        expect([status, said.error.code]).toEqual([409, 'idempotency_key_reused'])
      }
      expect(await app.rows('pages')).toHaveLength(1)
    })

    it('is different from the same key of another account', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const mine = await create(owner, 'key', { html: '<p>mine' })
      const theirs = await create(other, 'key', { html: '<p>theirs' })
      expect([mine.status, theirs.status]).toEqual([201, 201])
      expect(theirs.body.data.id).not.toBe(mine.body.data.id)
    })

    it('that is sent several times at once makes one page, which each of them is answered with', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const bodies = [
        { html: '<p>no title' },
        { html: titled('Derived') },
        { html: '<p>x', title: 'Given' },
        { html: '<p>x', slug: 'a-slug-given' },
        { html: htmlOf(80_000) },
        { html: '<p>x', access: 'password' },
      ]
      for (const [at, body] of bodies.entries()) {
        const tries = Array.from({ length: 6 }, () => create(owner, `key-${at}`, body))
        const answers = await Promise.all(tries)
        expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
        expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
        expect(await app.rows('pages')).toHaveLength(at + 1)
      }
    })

    it('that is sent twice at once with different bodies makes one page, and the other is 409', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const hold = app.holdWrite()
      const late = create<Refused>(owner, 'key', { html: '<p>late' })
      await hold.reached
      const early = await create(owner, 'key', { html: '<p>early' })
      hold.release()
      const { status, body } = await late
      expect([early.status, status]).toEqual([201, 409])
      expect(body.error.code).toBe('idempotency_key_reused')
      expect(await app.rows('pages')).toHaveLength(1)
    })

    it('that is sent again and finishes before the first time is answered with the same page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const hold = app.holdWrite()
      const body = { html: '<p>x', title: 'Once' }
      const late = create(owner, 'key', body)
      await hold.reached
      const early = await create(owner, 'key', body)
      hold.release()
      expect((await late).body).toEqual(early.body)
      expect(await app.rows('pages')).toHaveLength(1)
    })

    it('is stored for 24 hours; after that it is a new request', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const body = { html: '<p>x' }
      const first = await create(owner, 'key', body)
      app.advance(DAY_MS - MINUTE_MS)
      expect((await create(owner, 'key', body)).body).toEqual(first.body)
      app.advance(2 * MINUTE_MS)
      const next = await create(owner, 'key', { html: '<p>y' })
      expect(next.status).toBe(201)
      expect(next.body.data.id).not.toBe(first.body.data.id)
      expect((await create(owner, 'key', { html: '<p>y' })).body).toEqual(next.body)
      expect(await app.rows('idempotency_keys')).toHaveLength(1)
    })

    it('is not stored where the create was refused', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x', { title: 'Taken' })
      const body = { html: '<p>y', title: 'Taken' }
      expect((await create(owner, 'key', body)).status).toBe(409)
      expect((await create(owner, 'key', { html: '' })).status).toBe(400)
      expect(await app.rows('idempotency_keys')).toEqual([])
      await owner.call('DELETE', `/pages/${id}`)
      expect((await create(owner, 'key', body)).status).toBe(201)
    })

    it('has its answer sealed in the database', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const password = 'correct-horse-battery'
      const body = { html: '<p>x', access: 'password', password, og_title: 'Word of preview' }
      await create(owner, 'key', body)
      const [row] = await app.rows('idempotency_keys')
      expect(row!.answer_sealed).toMatch(/^v1(\.[\w-]+){3}$/)
      expect(await dumpDatabase(app)).not.toContain(password)
      expect(row!.answer_sealed).not.toContain(base64url('Word of preview').slice(0, 12))
    })

    it('of a length that cannot be stored is 400, and makes no page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const key of ['', 'x'.repeat(256)]) {
        const { status, body } = await create<Refused>(owner, key, { html: '<p>x' })
        expect([status, body.error.code]).toEqual([400, 'bad_idempotency_key'])
      }
      expect(await app.rows('pages')).toEqual([])
      expect((await create(owner, 'x'.repeat(255), { html: '<p>x' })).status).toBe(201)
    })
  })
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
