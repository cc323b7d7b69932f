import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'
import type { Confirmation } from '../confirmations/index.ts'
import type { InboxAnswer, InboxItem, Marked } from './contract.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const ASKED = { access: 'people', allow_access_requests: true }
const APPROVED = { collect_approvals: true, approver_emails: [ANN, BEN] }

const read = (owner: Owner, query = '') => owner.ask<InboxAnswer>('GET', `/inbox${query}`)

const mark = (owner: Owner, said: object) => owner.ask<Marked>('PATCH', '/inbox', said)

/** The first line of each item. */
function wordsOf(item: InboxItem): string {
  if (item.kind === 'thread') return item.thread.body
  if (item.kind === 'request') return item.request.email
  if (item.kind === 'response') return item.response.respondent
  if (item.kind === 'agreement') return `${item.agreement.name} accepted`
  if (item.kind === 'opening') return `${item.opening.link_label} opened`
  return `${item.decision.email} ${item.decision.decision}`
}
const listed = async (owner: Owner) => (await read(owner)).items.map(wordsOf)

async function askFor(app: TestApp, pageId: string, email: string): Promise<void> {
  await app.access.requestAccess((await app.pages.find(pageId))!, email)
}

/** Decides about what is published now. */
async function decide(
  app: TestApp,
  pageId: string,
  options: { email?: string; decision?: string },
) {
  const page = (await app.pages.find(pageId))!
  const { email = ANN, decision = 'approved' } = options
  const details = { decision, note: 'Fine', manifest_id: page.published_id, version_no: 1 }
  const confirmation = { email, details } as unknown as Confirmation
  await app.database.write((tx) => app.approvals.record(tx, page, confirmation))
}

for (const engine of ENGINES) {
  describe(`the inbox on ${engine}`, () => {
    it('has threads, requests and decisions of all pages, the last written first', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner, { title: 'Talk' })
      const invited = await owner.publish('x', ASKED)
      const signed = await owner.publish('x', APPROVED)
      const { id } = await talk.post(ANN, { body: 'Why nine?', name: 'Ann' })
      await askFor(app, invited.id, BEN)
      await decide(app, signed.id, {})
      expect(await listed(owner)).toEqual([`${ANN} approved`, BEN, 'Why nine?'])
      const reply = await talk.post('one', { body: 'Yes, why?', parent_id: id })
      const { items, counts, next_cursor: next } = await read(owner)
      const [thread] = await talk.list()
      const page = await owner.ask<{ url: string; slug: string }>('GET', `/pages/${talk.id}`)
      const [request] = await owner.ask<object[]>('GET', `/pages/${invited.id}/access-requests`)
      expect(counts).toEqual({ threads: 1, requests: 1, decisions: 1, responses: 0 })
      expect(next).toBeNull()
      expect(items[0]).toEqual({
        kind: 'thread',
        id,
        at: reply.created_at,
        is_read: false,
        is_done: false,
        page: {
          id: talk.id,
          title: 'Talk',
          slug: page.slug,
          url: page.url,
          allow_comments: true,
        },
        thread: thread!,
      })
      expect(items[1]).toMatchObject({
        page: { id: signed.id },
        decision: { email: ANN, note: 'Fine', version_no: 1, is_current: true },
      })
      expect(items[2]).toMatchObject({ page: { id: invited.id }, request: request! })
    })

    it('leaves out what is resolved, hidden, decided or deleted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const posted = []
      for (const body of ['resolved', 'hidden', 'deleted', 'stays']) {
        posted.push((await talk.post('one', body)).id)
      }
      const [resolved, hidden, deleted] = posted
      await talk.post('two', { body: 'a reply', parent_id: hidden! })
      await talk.change(resolved!, { state: 'resolved' })
      await talk.change(hidden!, { is_hidden: true })
      await talk.remove(deleted!)
      const { id } = await owner.publish('x', ASKED)
      for (const email of [ANN, BEN]) await askFor(app, id, email)
      const [newest] = await owner.ask<{ id: string }[]>('GET', `/pages/${id}/access-requests`)
      await owner.ask('POST', `/pages/${id}/access-requests/${newest!.id}`, { decision: 'deny' })
      expect(await listed(owner)).toEqual([ANN, 'stays'])
      expect((await read(owner)).counts).toEqual({
        threads: 1,
        requests: 1,
        decisions: 0,
        responses: 0,
      })
      await talk.change(resolved!, { state: 'open' })
      expect(await listed(owner)).toEqual([ANN, 'stays', 'resolved'])
      expect((await owner.call('DELETE', `/pages/${id}`)).status).toBe(204)
      expect((await owner.call('DELETE', `/pages/${talk.id}`)).status).toBe(204)
      const counts = { threads: 0, requests: 0, decisions: 0, responses: 0 }
      expect(await read(owner)).toEqual({ items: [], counts, unread: 0, next_cursor: null })
    })

    it('leaves out requests and decisions of pages that take none now', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      await talk.post('one', 'still to answer')
      const invited = await owner.publish('x', ASKED)
      await askFor(app, invited.id, BEN)
      const signed = await owner.publish('x', APPROVED)
      await decide(app, signed.id, {})
      await decide(app, signed.id, { email: BEN })
      await talk.update({ allow_comments: false })
      const [item] = (await read(owner)).items.filter(({ kind }) => kind === 'thread')
      expect(item!.page.allow_comments).toBe(false)
      await owner.update(signed.id, { approver_emails: [BEN] })
      expect(await listed(owner)).toEqual([`${BEN} approved`, BEN, 'still to answer'])
      await owner.update(signed.id, { collect_approvals: false })
      expect(await listed(owner)).toEqual([BEN, 'still to answer'])
      for (const closed of [{ allow_access_requests: false }, { access: 'link' }]) {
        await owner.update(invited.id, closed)
        expect(await listed(owner)).toEqual(['still to answer'])
        await owner.update(invited.id, ASKED)
        expect(await listed(owner)).toEqual([BEN, 'still to answer'])
      }
    })

    it('has the newest decision of an approver, and whether it is about what is published', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('one', APPROVED)
      await decide(app, id, { decision: 'changes_requested' })
      await decide(app, id, {})
      await decide(app, id, { email: BEN })
      expect(await listed(owner)).toEqual([`${BEN} approved`, `${ANN} approved`])
      expect((await read(owner)).counts.decisions).toBe(2)
      await owner.update(id, { html: 'two' })
      await owner.ask('POST', `/pages/${id}/publish`)
      const items = (await read(owner)).items.map((item) => item.kind === 'decision' && item)
      expect(items).toMatchObject(Array(2).fill({ decision: { is_current: false } }))
    })

    it('has acceptances and first openings only where their kind is asked for', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id } = await owner.publish('x', { agreement: { text: 'Tell nobody.' } })
      const page = (await app.pages.find(id))!
      const input = { version: 1, name: 'Ann', email: null, proof: 'mail', link_id: null } as const
      await app.agreements.accept(page, { ...input, browser: 'one' })
      const link = await owner.ask<{ id: string }>('POST', `/pages/${id}/links`, { label: 'Ben' })
      await app.links.markOpened(id, link.id)
      const none = { threads: 0, requests: 0, decisions: 0, responses: 0 }
      for (const query of ['', '?state=unread', '?state=done', '?kind=response']) {
        expect(await read(owner, query)).toMatchObject({ items: [], counts: none, unread: 0 })
      }
      const words = async (query: string) => (await read(owner, query)).items.map(wordsOf)
      expect(await words('?kind=agreement')).toEqual(['Ann accepted'])
      expect(await words(`?kind=opening&page_id=${id}`)).toEqual(['Ben opened'])
      const [opening] = (await read(owner, '?kind=opening')).items
      expect(opening).toMatchObject({ id: link.id, is_read: true, is_done: false })
      expect(await words('?kind=opening&state=unread')).toEqual([])
      expect(await words('?kind=agreement&state=done')).toEqual([])
      expect((await read(other, '?kind=opening')).items).toEqual([])
      expect((await mark(owner, { ids: [link.id], is_done: true })).ids).toEqual([])
      expect(await owner.ask<object[]>('GET', '/inbox/pages')).toEqual([])
      await owner.call('DELETE', `/pages/${id}/links/${link.id}`)
      expect(await words('?kind=opening')).toEqual([])
    })

    it('has nothing of other accounts', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const talk = await createThread(app, other, { title: 'Secret' })
      await talk.post('one', 'a secret')
      await askFor(app, (await other.publish('x', ASKED)).id, ANN)
      await decide(app, (await other.publish('x', APPROVED)).id, {})
      const own = await createThread(app, owner)
      await own.post('one', 'mine')
      expect(await listed(owner)).toEqual(['mine'])
      expect((await read(owner)).counts).toEqual({
        threads: 1,
        requests: 0,
        decisions: 0,
        responses: 0,
      })
      // A cursor of the other account reveals nothing of its items.
      const { next_cursor } = await read(other, '?limit=1')
      const { items, counts } = await read(owner, `?cursor=${next_cursor}`)
      expect(items.map(wordsOf)).toEqual(['mine'])
      expect(counts.threads).toBe(1)
    })

    it('is read part by part, without gaps or repeats while other items come and go', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const signed = await owner.publish('x', APPROVED)
      const invited = await owner.publish('x', ASKED)
      const ids: string[] = []
      for (let at = 0; at < 5; at++) {
        ids.push((await talk.post('one', `${at}`)).id)
        await askFor(app, invited.id, `asks${at}@example.com`)
      }
      await decide(app, signed.id, {})
      const all = await listed(owner)
      expect(all).toHaveLength(11)
      const first = await read(owner, '?limit=4')
      // The last item of the first part goes, and an older one moves to the front.
      const last = first.items.at(-1)!
      expect(last.kind).toBe('request')
      const path = `/pages/${invited.id}/access-requests/${last.id}`
      await owner.ask('POST', path, { decision: 'deny' })
      await talk.post('two', { body: 'again', parent_id: ids[0]! })
      const parts = [first]
      for (let next = first.next_cursor; next !== null; next = parts.at(-1)!.next_cursor) {
        parts.push(await read(owner, `?limit=4&cursor=${next}`))
      }
      const words = parts.flatMap(({ items }) => items.map(wordsOf))
      expect(words).toEqual(all.filter((each) => each !== '0'))
      expect(parts.map(({ items }) => items.length)).toEqual([4, 4, 2])
      expect((await read(owner, '?limit=1')).items.map(wordsOf)).toEqual(['0'])
    })

    it('holds as many threads as one answer can, and goes on after them', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const ids: string[] = []
      for (const body of ['a', 'b', 'c']) ids.unshift((await talk.post('one', body)).id)
      await app.database.write((tx) =>
        tx
          .updateTable('comments')
          .set({ body: 'x'.repeat(3 * 1024 * 1024) })
          .execute(),
      )
      const parts = [await read(owner)]
      for (let next = parts[0]!.next_cursor; next !== null; next = parts.at(-1)!.next_cursor) {
        parts.push(await read(owner, `?cursor=${next}`))
      }
      expect(parts.map(({ items }) => items.map(({ id }) => id))).toEqual(ids.map((id) => [id]))
      expect(parts.map(({ counts }) => counts.threads)).toEqual([3, 3, 3])
    })

    it('has only items of a kind and of a page, with counts of the page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner, { ...ASKED, ...APPROVED, title: 'Talk' })
      const quiet = await createThread(app, owner, { title: 'Quiet' })
      for (const body of ['one', 'two']) await talk.post('one', body)
      await quiet.post('one', 'elsewhere')
      await askFor(app, talk.id, 'cem@example.com')
      await decide(app, talk.id, {})
      const kinds = async (query: string) => (await read(owner, query)).items.map(wordsOf)
      expect(await kinds('?kind=thread')).toEqual(['elsewhere', 'two', 'one'])
      expect(await kinds('?kind=request')).toEqual(['cem@example.com'])
      expect(await kinds(`?kind=decision&page_id=${quiet.id}`)).toEqual([])
      expect(await kinds(`?page_id=${quiet.id}`)).toEqual(['elsewhere'])
      const first = await read(owner, `?kind=thread&page_id=${talk.id}&limit=1`)
      expect(first.items.map(wordsOf)).toEqual(['two'])
      expect(first.counts).toEqual({ threads: 2, requests: 1, decisions: 1, responses: 0 })
      const more = `?kind=thread&page_id=${talk.id}&limit=1&cursor=${first.next_cursor}`
      expect(await kinds(more)).toEqual(['one'])
      const listed = await owner.ask<object[]>('GET', '/inbox/pages')
      expect(listed).toMatchObject([
        { id: talk.id, title: 'Talk', items: 4 },
        { id: quiet.id, title: 'Quiet', items: 1 },
      ])
      const part = await owner.call('GET', '/inbox/pages?limit=1')
      expect(part.body).toMatchObject({ data: [{ id: talk.id }], next_offset: 1 })
      const rest = await owner.call('GET', '/inbox/pages?limit=1&offset=1')
      expect(rest.body).toMatchObject({ data: [{ id: quiet.id }], next_offset: null })
    })

    it('refuses kinds that are none and pages of nobody or of another account', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const { id } = await createThread(app, other, { title: 'Secret' })
      const wrong = [
        ['kind', 'threads'],
        ['kind', ''],
        ['page_id', id],
        ['page_id', 'pg_1'],
        ['page_id', ''],
        ['page_id', 'x'.repeat(200)],
      ]
      for (const [param, value] of wrong) {
        const { status, body } = await owner.call('GET', `/inbox?${param}=${value}`)
        expect(status).toBe(400)
        expect(body).toMatchObject({ error: { code: 'invalid_parameter', param } })
        expect(JSON.stringify(body)).not.toContain('Secret')
      }
      await other.ask('GET', `/inbox?page_id=${id}`)
      expect(await owner.ask<object[]>('GET', '/inbox/pages')).toEqual([])
    })

    it('orders a thread by its newest reply that is still there', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const old = await talk.post('one', 'old')
      await talk.post('one', 'new')
      const reply = await talk.post('two', { body: 'a reply', parent_id: old.id })
      const later = await talk.post('two', { body: 'another', parent_id: old.id })
      expect((await read(owner)).items[0]).toMatchObject({ id: old.id, at: later.created_at })
      await talk.remove(later.id)
      expect((await read(owner)).items[0]).toMatchObject({ id: old.id, at: reply.created_at })
      await talk.withdraw('two', reply.id)
      expect(await listed(owner)).toEqual(['new', 'old'])
      expect((await read(owner)).items[1]!.at).toBe(old.created_at)
    })

    it('leaves a thread where it is when its owner replies, who has read it then', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const old = await talk.post('one', 'old')
      await talk.post('one', 'new')
      await talk.write('mine')
      await talk.write('We will see', { parent_id: old.id })
      const { items, unread } = await read(owner)
      const marks = items.map((item) => [wordsOf(item), item.is_read])
      expect(marks).toEqual([
        ['mine', true],
        ['new', false],
        ['old', true],
      ])
      expect([items[2]!.at, unread]).toEqual([old.created_at, 1])
      const again = await talk.post('one', { body: 'When?', parent_id: old.id })
      const moved = await read(owner)
      expect(moved.items[0]).toMatchObject({ id: old.id, at: again.created_at, is_read: false })
      expect(moved.unread).toBe(2)
    })

    it('finds one item by its id, open or done, and nothing of another account', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const { id } = await talk.post('one', 'Here?')
      await talk.post('one', 'Other')
      const one = async (who: Owner) => (await read(who, `?item=${id}`)).items
      expect(await one(owner)).toMatchObject([{ id, is_done: false }])
      await mark(owner, { ids: [id], is_read: true, is_done: true })
      expect(await one(owner)).toMatchObject([{ id, is_done: true }])
      expect(await one(await app.owner())).toEqual([])
      await talk.change(id, { is_hidden: true })
      expect(await one(owner)).toEqual([])
    })

    it('has responses with their first fields, and has one again that was changed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<form><input name="a"></form>', { title: 'Form' })
      const page = (await app.pages.find(id))!
      const submit = (viewer: string, data: string) =>
        app.responses.submit(page, { key: viewer, displayName: viewer } as never, {
          ...{ id: crypto.randomUUID(), path: '', name: null, page_version: null },
          ...{ controls: [], data },
        })
      const long = 'y'.repeat(300)
      const first = await submit('ann', `{"2":"ten","1":["a","b"],"empty":"","x":"${long}"}`)
      await submit('ben', `{"a":"${long.repeat(30)}"}`)
      const { items, counts } = await read(owner)
      expect(counts.responses).toBe(2)
      expect(items).toMatchObject([
        { kind: 'response', response: { respondent: 'ben', fields: null } },
        { kind: 'response', id: first.id, is_read: false, page: { title: 'Form' } },
      ])
      expect(items[1]).toMatchObject({
        response: {
          respondent: 'ann',
          submit_count: 1,
          fields: [
            { key: '2', text: 'ten' },
            { key: '1', text: 'a; b' },
            { key: 'x', text: `${'y'.repeat(199)}…` },
          ],
        },
      })
      await mark(owner, { ids: items.map((item) => item.id), is_read: true, is_done: true })
      expect(await listed(owner)).toEqual([])
      await submit('ann', '{"a":"changed"}')
      expect((await read(owner)).items).toMatchObject([
        { id: first.id, is_read: false, response: { submit_count: 2 } },
      ])
      await owner.call('DELETE', `/pages/${id}/responses/${first.id}`)
      expect(await listed(owner)).toEqual([])
    })

    it('is marked as read and as done; what is done comes back with what is written anew', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const signed = await owner.publish('x', APPROVED)
      const { id } = await talk.post('one', 'thread')
      await decide(app, signed.id, {})
      const { items, unread } = await read(owner)
      expect(unread).toBe(2)
      const decision = items[0]!.id
      const seen = await mark(owner, { ids: [id], is_read: true })
      expect(seen).toMatchObject({ ids: [id], unread: 1, counts: { threads: 1, decisions: 1 } })
      expect((await read(owner, '?state=unread')).items.map(({ id }) => id)).toEqual([decision])
      const done = await mark(owner, { ids: [id, decision], is_done: true })
      expect(done).toMatchObject({ unread: 0, counts: { threads: 0, decisions: 0 } })
      expect(await listed(owner)).toEqual([])
      const past = (await read(owner, '?state=done')).items
      expect(past.map((item) => [item.id, item.is_done])).toEqual([
        [decision, true],
        [id, true],
      ])
      await talk.post('two', { body: 'again', parent_id: id })
      expect((await read(owner)).items).toMatchObject([{ id, is_read: false, is_done: false }])
      await mark(owner, { ids: [decision], is_done: false })
      expect(await listed(owner)).toEqual(['thread', `${ANN} approved`])
    })

    it('has what is resolved or decided among what is done, which no mark opens again', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      const invited = await owner.publish('x', ASKED)
      const { id } = await talk.post('one', 'thread')
      await askFor(app, invited.id, BEN)
      const [request] = (await read(owner, '?kind=request')).items
      const path = `/pages/${invited.id}/access-requests/${request!.id}`
      await owner.ask('POST', path, { decision: 'deny' })
      await talk.change(id, { state: 'resolved' })
      const done = async () => (await read(owner, '?state=done')).items.map(wordsOf)
      expect(await done()).toEqual([BEN, 'thread'])
      const { ids } = await mark(owner, { ids: [id, request!.id], is_done: false })
      expect([ids, await listed(owner)]).toEqual([[], []])
      await talk.change(id, { state: 'open' })
      expect([await done(), await listed(owner)]).toEqual([[BEN], ['thread']])
      await talk.change(id, { is_hidden: true })
      expect([await done(), await listed(owner)]).toEqual([[BEN], []])
    })

    it('marks nothing of another account, and nothing that came after what was seen', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const talk = await createThread(app, owner)
      const first = await talk.post('one', 'thread')
      const later = await talk.post('one', { body: 'later', parent_id: first.id })
      const said = { ids: [first.id], is_done: true }
      expect(await mark(other, said)).toMatchObject({ ids: [] })
      expect(await mark(owner, { ...said, until: first.created_at })).toMatchObject({ ids: [] })
      expect((await read(owner)).items).toMatchObject([{ is_read: false, is_done: false }])
      expect(await mark(owner, { ...said, until: later.created_at })).toMatchObject({
        ids: [first.id],
      })
      for (const wrong of [{ ids: [first.id] }, { ids: [], is_read: true }, { is_read: true }]) {
        expect((await owner.call('PATCH', '/inbox', wrong)).status).toBe(400)
      }
    })

    it('refuses a cursor that no answer had', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const wrong = ['x', '1', 'before-', 'before-0', 'before-1.5', 'before-1x', '%00']
      for (const cursor of [...wrong, `before-${'9'.repeat(16)}`]) {
        const { status, body } = await owner.call('GET', `/inbox?cursor=${cursor}`)
        expect(status).toBe(400)
        expect(body).toMatchObject({ error: { code: 'invalid_parameter', param: 'cursor' } })
      }
    })
  })
}
