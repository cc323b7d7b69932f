import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { exported, imported } from '../../testing/archives.ts'
import { NUMBERED } from '../../testing/numbered.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createPoll } from '../../testing/test-poll.ts'
import type { InboxAnswer } from '../inbox/contract.ts'
import { type Event, sequence } from './index.ts'

const VOTE = { kind: 'vote', count: 1, notifyOwner: false, ballot: null, isFirst: true } as const

async function events(app: TestApp) {
  const rows = await app.rows('feedback_events')
  return rows.toSorted((a, b) => a.number - b.number)
}

for (const engine of ENGINES) {
  describe(`the sequence of events on ${engine}`, () => {
    it('shows no number before an earlier one, however slow transactions are', async () => {
      await using app = await testApp(engine)
      const [one, two] = [await app.owner(), await app.owner()]
      const pages = await Promise.all(
        [one, two].map(async (owner) => (await app.pages.find((await owner.publish('x')).id))!),
      )
      const wait = () => Bun.sleep(Math.random() * 12)
      const write = (at: number) =>
        app.database.write(async (tx) => {
          const { id, account_id } = pages[at % 2]!
          await wait()
          const about = { ...NUMBERED, pageId: id, accountId: account_id, itemId: null }
          await sequence.onEvent(tx, { ...VOTE, ...about })
          await wait()
          if (at % 5 === 0) throw new Error('is rolled back')
        })
      let isOver = false
      const seen: number[] = []
      async function watch() {
        while (!isOver) {
          for (const { account_id } of pages) {
            const numbers = (await events(app))
              .filter((row) => row.account_id === account_id)
              .map(({ number }) => number)
            expect(numbers).toEqual(numbers.map((_, at) => at + 1))
            seen.push(numbers.length)
          }
          await Bun.sleep(1)
        }
      }
      const watching = watch()
      const written = await Promise.allSettled(Array.from({ length: 80 }, (_, at) => write(at)))
      isOver = true
      await watching
      const stored = written.filter(({ status }) => status === 'fulfilled').length
      expect([stored, (await events(app)).length]).toEqual([64, 64])
      // SQLite has one writer, and readers see what all of these wrote at once.
      if (engine === 'postgres') expect(new Set(seen).size).toBeGreaterThan(10)
    }, 30_000)

    it('has what viewers do and what the account writes, and says nothing of secret votes', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const first = await talk.post('one', 'Why nine?')
      const reply = await talk.write('We will see', { parent_id: first.id })
      const poll = await createPoll(app, owner)
      await poll.vote('ann', 'A')
      const rows = await events(app)
      expect(rows.map(({ type, object_id: id, item_id: item }) => [type, id, item])).toEqual([
        ['comment', first.id, first.id],
        ['reply', reply.id, first.id],
        ['vote', null, null],
      ])
      expect(rows.map(({ is_own }) => is_own)).toEqual([0, 1, 0])
      expect(rows[2]!.at).toMatch(/:00:00\.000000Z$/)
      await talk.remove(reply.id)
      await talk.remove(first.id)
      expect((await events(app)).map(({ type }) => type)).toEqual(['vote'])
      expect((await owner.call('DELETE', `/pages/${poll.id}`)).status).toBe(204)
      expect(await events(app)).toEqual([])
      // No number is given twice.
      await talk.post('one', 'Again')
      expect((await events(app)).map(({ number }) => number)).toEqual([4])
    })

    it('keeps what the inbox has, and the rest for 90 days', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const { id } = await talk.post('one', 'Why nine?')
      await talk.post('two', { body: 'Yes, why?', parent_id: id })
      await talk.post('one', { body: 'Tell us', parent_id: id })
      const poll = await createPoll(app, owner)
      await poll.vote('ann', 'A')
      const types = async () => {
        await sequence.sweep(app.database, app.clock)
        return (await events(app)).map(({ type, place }) => `${type} ${place ?? ''}`.trim())
      }
      app.advance(89 * DAY_MS)
      expect(await types()).toEqual(['comment', 'reply', 'reply open', 'vote'])
      app.advance(2 * DAY_MS)
      expect(await types()).toEqual(['comment', 'reply open'])
    })

    it('gives what an import brings numbers of here, as the account’s own and read', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const there = await createThread(two, target)
      await there.post('one', 'was here')
      const talk = await createThread(one, owner)
      const { id } = await talk.post('one', 'open')
      await talk.post('two', { body: 'reply', parent_id: id })
      const resolved = await talk.post('one', 'resolved')
      await talk.change(resolved.id, { state: 'resolved' })
      const [page] = await imported(two, target, await exported(one, owner))
      const read = (query = '') => target.ask<InboxAnswer>('GET', `/inbox${query}`)
      const words = ({ items }: InboxAnswer) =>
        items.map((item) => [item.kind === 'thread' && item.thread.body, item.is_read])
      const { unread, ...inbox } = await read()
      expect([words(inbox as InboxAnswer), unread]).toEqual([
        [
          ['open', true],
          ['was here', false],
        ],
        1,
      ])
      expect(words(await read('?state=done'))).toEqual([['resolved', true]])
      const rows = (await events(two)).filter((row) => row.page_id === page!.id)
      expect(rows.map(({ number, type, is_own }) => [number, type, is_own])).toEqual([
        [2, 'comment', 1],
        [3, 'comment', 1],
      ])
    })
  })
}

// Only the type: an event that takes no number is passed over.
const VIEW: Event = { kind: 'view', pageId: 'pg_1', count: 1, total: 1, notifyOwner: false }
it('passes over what takes no number', async () => {
  await using app = await testApp('sqlite')
  await app.database.write((tx) => sequence.onEvent(tx, VIEW))
  expect(await events(app)).toEqual([])
})
