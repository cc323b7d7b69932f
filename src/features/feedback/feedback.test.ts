import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { emailCookie } from '../../testing/content-routes.ts'
import { agentWith } from '../../testing/mcp.ts'
import type { Owner } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createForm, outcomeOf, times } from '../../testing/test-form.ts'
import { createPoll } from '../../testing/test-poll.ts'
import { BROWSER, createVisitor } from '../../testing/visitor.ts'
import type { Feedback, FeedbackEvent } from './contract.ts'

const HOUR_MS = 3_600_000

const read = (owner: Owner, query = '', page = '') =>
  owner.ask<Feedback>('GET', `${page === '' ? '' : `/pages/${page}`}/feedback?${query}`)
const bodyOf = (event: FeedbackEvent) => ('comment' in event ? event.comment.body : event.type)
const bodies = ({ items }: Feedback) => items.map(bodyOf)

for (const engine of ENGINES) {
  describe(`feedback on ${engine}`, () => {
    it('begins now without a cursor, and goes on from a cursor without gap or repetition', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      await talk.post('one', 'before')
      const { items, cursor, more } = await read(owner)
      expect([items, more]).toEqual([[], false])
      for (const at of times(5, (index) => index)) await talk.post('one', `${at}`)
      let from = cursor
      const told: string[] = []
      for (;;) {
        const answer = await read(owner, `cursor=${from}&limit=2`)
        told.push(...bodies(answer))
        expect(bodies(await read(owner, `cursor=${from}&limit=2`))).toEqual(bodies(answer))
        from = answer.cursor
        if (!answer.more) break
      }
      expect(told).toEqual(['0', '1', '2', '3', '4'])
      expect(bodies(await read(owner, 'cursor=start'))).toEqual(['before', ...told])
      const ids = (await read(owner, 'cursor=start')).items.map(({ id }) => id)
      expect(new Set(ids).size).toBe(6)
      expect((await read(owner, `cursor=${from}`)).cursor).toBe(from)
    })

    it('has each kind of event with its object, of one page or all, by type', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const { id } = await talk.post('ann@example.com', { body: 'Why?', name: 'Ann' })
      await talk.post('one', { body: 'Because', parent_id: id })
      await talk.write('I say')
      const form = await createForm(app, owner)
      await form.send('one', { a: 1, b: ['x'] })
      const poll = await createPoll(app, owner)
      await poll.vote('one', 'B')
      const { items } = await read(owner, 'cursor=start')
      expect(items).toMatchObject([
        { type: 'comment', page_id: talk.id, page_title: 'Plan', comment: { id, body: 'Why?' } },
        { type: 'reply', comment: { body: 'Because' }, thread: { id, body: 'Why?' } },
        { type: 'response', page_id: form.id, response: { data: { a: 1, b: ['x'] } } },
        { type: 'vote', page_id: poll.id, page_title: 'Poll', vote: null },
      ])
      expect(JSON.stringify(items)).not.toContain('replies')
      expect(bodies(await read(owner, 'cursor=start&own=true'))).toContain('I say')
      expect(bodies(await read(owner, 'cursor=start', form.id))).toEqual(['response'])
      expect(bodies(await read(owner, `cursor=start&page_id=${form.id}`))).toEqual(['response'])
      expect(bodies(await read(owner, 'cursor=start&types=vote,%20reply'))).toEqual([
        'Because',
        'vote',
      ])
    })

    it('tells the first opening of each person whom a gate confirmed, until they are forgotten', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const gated = await owner.publish('<p>x', { access: 'email_gate' })
      const limited = await owner.publish('<p>x', { access: 'email_gate', max_views: 9 })
      const open = await owner.publish('<p>x', { access: 'link' })
      for (const email of ['bob@example.com', 'ann@example.com', 'bob@example.com']) {
        const visitor = createVisitor(app, BROWSER)
        visitor.keep('/', emailCookie(app, email))
        for (const { slug } of [gated, limited, open]) await visitor.open(`/p/${slug}`)
        await app.views.flush()
      }
      const told = async () => {
        const { items } = await read(owner, 'cursor=start')
        return items.map((item) => `${item.type} ${item.page_id} ${'email' in item && item.email}`)
      }
      const openings = (email: string) => [gated, limited].map(({ id }) => `opened ${id} ${email}`)
      const all = [...openings('bob@example.com'), ...openings('ann@example.com')]
      expect((await told()).sort()).toEqual(all.sort())
      await owner.ask('POST', '/people/forget', { email: 'bob@example.com' })
      expect((await told()).sort()).toEqual(openings('ann@example.com').sort())
      expect(JSON.stringify(await app.rows('feedback_events'))).not.toContain('bob@')
    })

    it('tells once that a link has expired or reached its view limit, also on two nodes', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const expires_at = app.clock.after(HOUR_MS)
      const { id: expiring } = await owner.publish('<p>x', { expires_at, max_views: 9 })
      const { id: open } = await owner.publish('<p>x', { expires_at })
      const { id: limited } = await owner.publish('<title>x</title>', { max_views: 3 })
      await owner.update(open, { expires_at: null })
      const { cursor } = await read(owner)
      const told = async () => {
        await Promise.all([app.views.tellExpired(), app.views.tellExpired()])
        return (await read(owner, `cursor=${cursor}&types=page_closed`)).items
      }
      const view = () => app.views.count(limited, { limited: true, notify: false })
      expect(await Promise.all([view(), view()])).toEqual([true, true])
      expect(await told()).toEqual([])
      expect(await Promise.all([view(), view(), view()])).toEqual([true, false, false])
      app.advance(HOUR_MS)
      await told()
      // A link that opens again can close again.
      await owner.update(limited, { max_views: 4 })
      await owner.update(expiring, { max_views: 8 })
      await view()
      expect(await told()).toMatchObject([
        { type: 'page_closed', page_id: limited, page_title: 'x', reason: 'view_limit' },
        { type: 'page_closed', page_id: expiring, reason: 'expired' },
        { type: 'page_closed', page_id: limited, reason: 'view_limit' },
      ])
      await owner.update(expiring, { expires_at: app.clock.after(-HOUR_MS) })
      expect((await told()).slice(3)).toMatchObject([{ page_id: expiring, reason: 'expired' }])
    })

    it('names voters only while votes are named', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const poll = await createPoll(app, owner, { poll_require_email: true, poll_named: true })
      const ann = { device: 'one', email: 'ann@example.com' }
      await poll.vote(ann, 'C', { is_named: true, name: 'Ann' })
      const vote = async () => (await read(owner, 'cursor=start')).items[0]
      expect(await vote()).toMatchObject({
        vote: { email: 'ann@example.com', name: 'Ann', option: 'C' },
      })
      await owner.call('PATCH', `/pages/${poll.id}`, { poll_named: false })
      expect(await vote()).toMatchObject({ type: 'vote', vote: null })
    })

    it('leaves out what was deleted, and what another account has; the trash changes nothing', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const talk = await createThread(app, owner)
      const gone = await talk.post('one', 'gone')
      await talk.post('one', 'kept')
      const { cursor } = await read(owner)
      await owner.call('DELETE', `/pages/${talk.id}/comments/${gone.id}`)
      expect(bodies(await read(owner, 'cursor=start'))).toEqual(['kept'])
      expect((await read(owner, `cursor=${cursor}`)).items).toEqual([])
      await owner.call('POST', `/pages/${talk.id}/trash`)
      expect(bodies(await read(owner, 'cursor=start'))).toEqual(['kept'])
      expect((await read(other, 'cursor=start')).items).toEqual([])
      expect((await other.call('GET', `/pages/${talk.id}/feedback`)).status).toBe(404)
      const refused = await other.refused('GET', `/feedback?cursor=${cursor}`)
      expect(refused.body.error).toMatchObject({ code: 'invalid_parameter', param: 'cursor' })
    })

    it('answers who waits for a page that is deleted that it is not there, without the whole time', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const { key } = await app.accounts.createKey(owner.email, 'agent')
      const ask = (path: string) =>
        app.open(`/api/v1${path}wait_s=40`, { authorization: `Bearer ${key}` })
      const waiting = [ask(`/pages/${talk.id}/feedback?`), ask(`/feedback?page_id=${talk.id}&`)]
      const agent = agentWith(app, key).call('wait_for_feedback', { page_id: talk.id, wait_s: 40 })
      while (app.feedback.countWaits() < 3) await Bun.sleep(5)
      await owner.call('DELETE', `/pages/${talk.id}`)
      const answers = await Promise.all(waiting)
      expect(answers.map(({ status }) => status)).toEqual([404, 400])
      expect(await answers[0]!.json()).toMatchObject({ error: { code: 'page_not_found' } })
      expect(await answers[1]!.json()).toMatchObject({ error: { param: 'page_id' } })
      expect((await agent).isError).toBe(true)
    }, 20_000)

    it('refuses cursors and types that are none, and says what to do', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const [query, param] of [
        ['cursor=x', 'cursor'],
        [`cursor=${(await read(owner)).cursor}9`, 'cursor'],
        ['types=closed', 'types'],
        ['types=', 'types'],
        ['wait_s=51', 'wait_s'],
        ['wait_s=-1', 'wait_s'],
        ['limit=101', 'limit'],
        ['limit=0', 'limit'],
        ['page_id=https://elsewhere.example/p/x', 'page_id'],
        ['page_id=none', 'page_id'],
      ]) {
        const { body } = await owner.refused('GET', `/feedback?${query}`)
        expect([query, body.error.param]).toEqual([query, param])
      }
    })

    it('answers who waits as soon as there is something, also written by another node', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const other = await createThread(app, owner)
      const { cursor } = await read(owner)
      const node = engine === 'postgres' ? await app.node() : app
      const waiting = read(owner, `cursor=${cursor}&wait_s=20`, talk.id)
      await Bun.sleep(150)
      await other.post('one', 'elsewhere')
      await talk.write('my own')
      await Bun.sleep(150)
      const sent = performance.now()
      await talk.post('one', 'here', node)
      expect(bodies(await waiting)).toEqual(['here'])
      expect(performance.now() - sent).toBeLessThan(10_000)
      expect(app.feedback.countWaits()).toBe(0)
    })

    it('ends with an empty answer and the same cursor when the time is over or the server stops', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { cursor } = await read(owner)
      expect(await read(owner, `cursor=${cursor}&wait_s=1`)).toEqual({
        ...{ items: [], cursor, more: false },
      })
      const waiting = times(3, () => read(owner, 'wait_s=50'))
      while (app.feedback.countWaits() < 3) await Bun.sleep(5)
      app.feedback.stop()
      expect((await Promise.all(waiting)).map(({ items }) => items)).toEqual([[], [], []])
    })

    it('tells who waits nothing more once the key is revoked, also on another node', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const request = {
        page_id: talk.id,
        people: ['ann@example.com'],
        question: { kind: 'approval' },
      }
      const { id: askId } = await owner.ask<{ id: string }>('POST', '/asks', request)
      const { id, key } = await app.accounts.createKey(owner.email, 'agent')
      const rest = (path: string) =>
        app.open(`/api/v1${path}wait_s=20`, { authorization: `Bearer ${key}` })
      const waiting = [rest('/feedback?'), rest(`/pages/${talk.id}/feedback?`)]
      const asking = rest(`/asks/${askId}?`)
      const agent = agentWith(app, key).call('wait_for_feedback', { wait_s: 20 })
      const wait = read(owner, 'wait_s=20')
      while (app.feedback.countWaits() < 5) await Bun.sleep(5)
      const node = engine === 'postgres' ? await app.node() : app
      await node.accounts.revokeKey(id)
      await talk.post('one', 'Zwieback', node)
      for (const answer of await Promise.all([...waiting, asking])) {
        const text = await answer.text()
        expect([answer.status, text]).toEqual([401, expect.stringContaining('bad_key')])
        expect(text).not.toContain('Zwieback')
      }
      expect((await agent).json).toMatchObject({ error: { code: 'bad_key' } })
      expect(JSON.stringify(await agent)).not.toContain('Zwieback')
      expect(bodies(await wait)).toEqual(['Zwieback'])
    })

    it('tells who waits nothing that was stored once the key had ended, however soon', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const account = (await app.accounts.findByEmail(owner.email))!
      const query = { page: null, cursor: undefined, types: undefined, own: false, limit: 9 }
      /** The key ends the moment after it was asked for, and something is stored. */
      const renew = () => talk.post('one', 'Zwieback')
      const reading = app.feedback.read(account, { ...query, wait_s: 20 }, { renew })
      while (app.feedback.countWaits() === 0) await Bun.sleep(5)
      await talk.post('one', 'before')
      expect(bodies(await reading)).toEqual(['before'])
    })

    it('skips and repeats nothing while many write and others read', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talks = await Promise.all(times(3, () => createThread(app, owner, {})))
      const { cursor } = await read(owner)
      let isOver = false
      async function follow(): Promise<string[]> {
        let from = cursor
        const told: string[] = []
        for (;;) {
          const wasOver = isOver
          const answer = await read(owner, `cursor=${from}&limit=7&wait_s=${wasOver ? 0 : 1}`)
          told.push(...bodies(answer))
          from = answer.cursor
          if (wasOver && !answer.more) return told
        }
      }
      const readers = times(4, follow)
      await Promise.all(
        times(60, async (at) => {
          await Bun.sleep(Math.random() * 200)
          await talks[at % 3]!.post(`d${at % 9}`, `${at}`)
        }),
      )
      isOver = true
      const [first, ...others] = await Promise.all(readers)
      expect(first!.toSorted()).toEqual(times(60, String).toSorted())
      for (const told of others) expect(told).toEqual(first!)
    }, 30_000)
  })
}

describe('requests that wait', () => {
  it('are at most a thousand of an account, and those over it are told so', async () => {
    await using app: TestApp = await testApp('sqlite')
    const owner = await app.owner()
    const account = (await app.accounts.findByEmail(owner.email))!
    const query = { ...{ own: false, limit: 50, wait_s: 50 }, page: null }
    const gone = new AbortController()
    const waiting = times(1000, () =>
      app.feedback.read(account, query, { signal: () => gone.signal }),
    )
    while (app.feedback.countWaits() < 1000) await Bun.sleep(5)
    expect(await outcomeOf(app.feedback.read(account, query))).toBe('rate_limited')
    const refused = await app.open('/api/v1/feedback?wait_s=50', {
      authorization: `Bearer ${owner.key}`,
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    gone.abort()
    expect((await Promise.all(waiting)).every(({ items }) => items.length === 0)).toBe(true)
    expect(app.feedback.countWaits()).toBe(0)
  })
})
