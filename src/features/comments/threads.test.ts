import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'
import { times } from '../../testing/test-form.ts'
import { createLocate } from './anchors/index.ts'
import { createThreads } from './threads.ts'

for (const engine of ENGINES) {
  describe(`what a panel reads on ${engine}`, () => {
    it('is nothing while nothing changes, and then the changed threads alone', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      expect(await thread.read('one')).toMatchObject({ threads: [], count: 0, is_whole: true })
      const a = await thread.post('one', 'a')
      const b = await thread.post('one', 'b')
      const { revision: previous, threads } = await thread.read('two')
      expect(threads).toHaveLength(2)
      expect(await thread.read('two', { known: previous })).toEqual({
        revision: previous,
        threads: [],
        is_whole: false,
        earlier: null,
        count: null,
        own: [],
        requires_email: false,
      })
      const changes: [() => Promise<unknown>, object][] = [
        [() => thread.post('one', { body: 'a1', parent_id: a.id }), { id: a.id, body: 'a' }],
        [() => thread.edit('one', b.id, 'b2'), { id: b.id, body: 'b2' }],
        [() => thread.change(b.id, { state: 'resolved' }), { id: b.id, state: 'resolved' }],
        [() => thread.change(b.id, { is_hidden: true }), { id: b.id, is_gone: true }],
        [() => thread.change(b.id, { is_hidden: false }), { id: b.id, body: 'b2' }],
      ]
      let revision = previous
      for (const [change, expected] of changes) {
        await change()
        const read = await thread.read('two', { known: revision })
        expect(read).toMatchObject({ is_whole: false, threads: [expected] })
        expect(read.revision).toBeGreaterThan(revision)
        revision = read.revision
      }
      const sinceFirst = await thread.read('two', { known: previous })
      expect(sinceFirst.threads.map(({ id }) => id)).toEqual([a.id, b.id])
    })

    it('is read for the owner in a thread where the page has very many comments', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      await thread.post('one', 'a')
      const { longRead } = app.database
      let longReads = 0
      app.database.longRead = (read) => {
        longReads += 1
        return longRead(read)
      }
      const list = () => owner.ask('GET', `/pages/${thread.id}/comments`)
      expect(await list()).toMatchObject([{ body: 'a' }])
      expect(longReads).toBe(0)
      await app.database.write((tx) =>
        tx.updateTable('comment_counters').set('count', 2001).execute(),
      )
      expect(await list()).toMatchObject([{ body: 'a' }])
      expect(longReads).toBe(1)
    })

    it('is everything once a thread was deleted, and after a revision that never was', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const a = await thread.post('one', 'a')
      const b = await thread.post('one', 'b')
      const { revision: base } = await thread.read()
      await thread.remove(a.id)
      expect(await thread.read('two', { known: base })).toMatchObject({
        is_whole: true,
        threads: [{ id: b.id }],
      })
      const future = await thread.read('two', { known: 999_999 })
      expect(future).toMatchObject({ is_whole: true, threads: [{ id: b.id }] })
    })

    it('never mixes pages', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [one, two] = [await createThread(app, owner), await createThread(app, owner)]
      const ids: string[] = []
      for (const at of times(20, (index) => index)) {
        const thread = at % 2 === 0 ? one : two
        const { id } = await thread.post(`d${at % 3}`, `${at}`)
        if (at % 4 === 0) ids.push(id)
      }
      await one.change(ids[1]!, { is_hidden: true })
      await one.remove(ids[0]!)
      await one.post('d0', { body: 'reply', parent_id: ids[2]! })
      expect((await one.threads()).map(({ body }) => Number(body) % 2)).toEqual(Array(8).fill(0))
      expect(await two.threads()).toHaveLength(10)
    })

    it('is cut at a size, with the newest threads first and the earlier ones on demand', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const ids: string[] = []
      for (const at of times(6, (index) => index)) ids.push((await thread.post('one', `${at}`)).id)
      const { database, content, versions } = app
      // A comment counts for 400 bytes and its text.
      const locate = createLocate({ content, versions })
      const { read } = createThreads({ database, locate, maxBytes: 1000 })
      const page = await thread.page()
      const lines: string[] = []
      let before: string | null = null
      do {
        const answer: Awaited<ReturnType<typeof read>> = await read(page, { known: null, before })
        const part = (JSON.parse(answer.threads.text) as { id: string }[]).map(({ id }) => id)
        expect(part).toHaveLength(2)
        expect([answer.is_whole, answer.count]).toEqual([before === null, 6])
        lines.unshift(...part)
        before = answer.earlier
      } while (before !== null)
      expect(lines).toEqual(ids)
      const { threads } = await read(page, { known: null, before: 'cmt_none' })
      expect(threads.text).toBe('[]')
    })

    it('has no comment beyond the bound of a page or of a thread', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const sent = { id: 'sent-before', body: 'a' }
      const { id } = await thread.post('one', sent)
      await app.database.write((tx) =>
        tx.updateTable('comment_counters').set({ count: 9_999 }).execute(),
      )
      const outcomes = await Promise.allSettled(times(5, (at) => thread.post(`d${at}`, 'x')))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const [refused] = outcomes.flatMap((each) => (each.status === 'rejected' ? [each] : []))
      expect(refused!.reason).toMatchObject({ code: 'comments_full', details: { limit: 10_000 } })
      expect(refused!.reason.message).toContain('10,000 comments')
      expect((await thread.read()).count).toBe(2)
      // A comment that was stored below the limit is answered again.
      expect((await thread.post('one', sent)).id).toBe(id)
      await app.database.write((tx) =>
        tx.updateTable('comment_counters').set({ count: 2 }).execute(),
      )
      await thread.remove(id)
      await thread.post('one', 'Below the limit')
      expect(await thread.verifiedCount()).toBe(2)
    })
  })
}

describe('what a panel reads of another node', () => {
  it('is there at once', async () => {
    await using app = await testApp('postgres')
    const thread = await createThread(app, await app.owner())
    const node = await app.node()
    await thread.post('one', 'a')
    const { revision: previous } = await thread.read('two', {}, node)
    await thread.post('one', 'b')
    expect(await thread.read('two', { known: previous }, node)).toMatchObject({
      threads: [{ body: 'b' }],
    })
    await thread.post('one', 'c', node)
    expect((await thread.threads()).map(({ body }) => body)).toEqual(['a', 'b', 'c'])
  })
})
