import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createThread, type TestThread } from '../../testing/test-comments.ts'
import { outcomeOf, times } from '../../testing/test-form.ts'

const ANN = 'ann@example.com'
/** More than the text that one answer has, in bytes. */
const LONG = 'é'.repeat(300_000)

/** The bodies of the listed threads. */
const bodies = async (thread: TestThread, query: string) =>
  (await thread.list(query)).map(({ body }) => body)

for (const engine of ENGINES) {
  describe(`the owner of comments on ${engine}`, () => {
    it('lists them with addresses and hidden ones, filtered and page by page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const { id } = await thread.post(ANN, { body: 'a', name: 'Ann' })
      await thread.post('one', { body: 'a1', parent_id: id })
      const hidden = await thread.post('one', 'b')
      const done = await thread.post('one', 'c')
      await thread.change(hidden.id, { is_hidden: true })
      await thread.change(done.id, { state: 'resolved' })
      const [first, second] = await thread.list()
      expect(first).toMatchObject({
        author: { kind: 'confirmed', name: 'Ann', email: ANN },
        is_hidden: false,
        replies: [{ body: 'a1', author: { kind: 'anonymous', email: null } }],
      })
      expect(second).toMatchObject({ body: 'b', is_hidden: true })
      expect(await bodies(thread, '?state=all')).toEqual(['a', 'b', 'c'])
      expect(await bodies(thread, '?state=open')).toEqual(['a'])
      expect(await bodies(thread, '?state=resolved')).toEqual(['c'])
      expect(await bodies(thread, '?state=hidden')).toEqual(['b'])
      const read = async (query: string) => {
        const path = `/pages/${thread.id}/comments${query}`
        return (await owner.call<{ next_offset: number | null }>('GET', path)).body.next_offset
      }
      expect(await bodies(thread, '?limit=2')).toEqual(['a', 'b'])
      expect(await read('?limit=2')).toBe(2)
      expect(await bodies(thread, '?limit=2&offset=2')).toEqual(['c'])
      expect(await read('?limit=2&offset=2')).toBeNull()
      expect(await bodies(thread, '?order=newest&limit=2')).toEqual(['c', 'b'])
      expect(await bodies(thread, '?order=newest&limit=2&offset=2')).toEqual(['a'])
    })

    it('replies to several threads at once: all or none, and a retry adds nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const [a, b] = [await thread.post(ANN, 'a'), await thread.post('one', 'b')]
      const send = (
        replies: { comment_id?: string; body: string }[],
        key: string = crypto.randomUUID(),
      ) =>
        owner.call<{ data: { id: string; comment_id: string | null }[]; error: object }>(
          'POST',
          `/pages/${thread.id}/comments/replies`,
          { reply_comments: replies },
          { 'idempotency-key': key },
        )
      const replies = [
        { comment_id: b.id, body: 'to b' },
        { comment_id: a.id, body: 'to a' },
      ]
      const answers = [
        await send([...replies, { body: 'anew' }], 'k'),
        await send([...replies, { body: 'anew' }], 'k'),
      ]
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      expect(answers[0]!.body.data.map((each) => each.comment_id)).toEqual([b.id, a.id, null])
      expect(answers[1]!.body).toEqual(answers[0]!.body)
      const withReplies = async () =>
        (await thread.list()).map(({ body, replies: each }) => [body, each.map((r) => r.body)])
      const expected = [
        ['a', ['to a']],
        ['b', ['to b']],
        ['anew', []],
      ]
      expect(await withReplies()).toEqual(expected)
      const changed = await send([...replies, { body: 'other' }], 'k')
      expect(changed.body.error).toMatchObject({ code: 'idempotency_key_reused' })
      const half = await send([
        { comment_id: a.id, body: 'x' },
        { comment_id: 'cmt_none', body: 'x' },
      ])
      expect(half.body.error).toMatchObject({
        code: 'comment_not_found',
        param: 'reply_comments.1.comment_id',
      })
      expect(await withReplies()).toEqual(expected)
    })

    it('lists as many threads as one answer can hold, and goes on after them', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      for (const body of ['a', 'b', 'c', 'd']) await thread.post('one', body)
      await app.database.write((tx) =>
        tx.updateTable('comments').set({ body: LONG }).where('body', '=', 'c').execute(),
      )
      type List = { data: { body: string }[]; next_offset: number | null }
      const read = (query: string) =>
        owner.call<List>('GET', `/pages/${thread.id}/comments${query}`)
      const parts: string[][] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const { body } = await read(`?offset=${offset}`)
        parts.push(body.data.map((comment) => comment.body))
        offset = body.next_offset
      }
      // Two-byte characters count as two.
      expect(parts).toEqual([['a', 'b'], [LONG], ['d']])
      expect((await read('?limit=2')).body.next_offset).toBe(2)
    })

    it('finds what is new by since: whole threads with a part that was written or edited', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const a = await thread.post('one', 'a')
      const b = await thread.post('one', 'b')
      const since = (at: string) => bodies(thread, `?since=${encodeURIComponent(at)}`)
      expect(await since(a.created_at)).toEqual(['b'])
      expect(await since(b.created_at)).toEqual([])
      const reply = await thread.post('two', { body: 'a1', parent_id: a.id })
      expect(await since(b.created_at)).toEqual(['a'])
      await thread.edit('one', b.id, 'b2')
      expect(await since(reply.created_at)).toEqual(['b2'])
    })

    it('hides and restores, and only replies keep the place of what is hidden', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const { id } = await thread.post(ANN, 'Something rude')
      await thread.change(id, { is_hidden: true })
      expect(await thread.threads()).toEqual([])
      expect(await outcomeOf(thread.edit(ANN, id, 'x'))).toBe('comment_not_found')
      expect(await outcomeOf(thread.post('one', { parent_id: id }))).toBe('comment_not_found')
      await thread.write('As owner', { parent_id: id })
      const answer = await thread.read()
      expect(answer.threads).toMatchObject([
        { id, placeholder: 'hidden', author: null, body: '', replies: [{ body: 'As owner' }] },
      ])
      expect(answer.count).toBe(0)
      expect(JSON.stringify(answer)).not.toContain('rude')
      await thread.change(id, { is_hidden: false })
      expect(await thread.threads()).toMatchObject([{ body: 'Something rude', placeholder: null }])
      const [, reply] = [id, (await thread.threads())[0]!.replies[0]!]
      await thread.change(reply.id, { is_hidden: true })
      expect((await thread.threads())[0]!.replies).toEqual([])
      expect((await thread.list('?state=hidden'))[0]!.replies[0]!.is_hidden).toBe(true)
    })

    it('resolves, reopens and answers threads, and changes the text of their own alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const { id } = await thread.post('one', 'Typo')
      const reply = await thread.write('Thanks', { parent_id: id })
      expect(reply).toMatchObject({ author: { kind: 'owner', email: owner.email }, replies: [] })
      expect(await thread.change(id, { state: 'resolved' })).toMatchObject({
        state: 'resolved',
        addressed_in: null,
        replies: [{ id: reply.id, state: 'resolved' }],
      })
      expect((await thread.threads())[0]).toMatchObject({ state: 'resolved' })
      expect(await thread.change(id, { state: 'open' })).toMatchObject({ state: 'open' })
      const changed = await thread.change(reply.id, { body: 'Thank you' })
      expect(changed.body).toBe('Thank you')
      expect(changed.edited_at).not.toBeNull()
      const path = `/pages/${thread.id}/comments`
      const refusals: [number, string, string, object][] = [
        [403, 'not_your_comment', id, { body: 'x' }],
        [400, 'comment_is_reply', reply.id, { state: 'resolved' }],
        [404, 'comment_not_found', 'cmt_none', { state: 'resolved' }],
        [400, 'invalid_parameter', id, { body: '' }],
        [400, 'invalid_parameter', id, { body: 'x'.repeat(5001) }],
        [400, 'unknown_parameter', id, { email: 'x' }],
      ]
      for (const [status, code, commentId, change] of refusals) {
        const refused = await owner.refused('PATCH', `${path}/${commentId}`, change)
        expect([refused.status, refused.body.error.code]).toEqual([status, code])
      }
      expect((await thread.threads())[0]).toMatchObject({ body: 'Typo', state: 'open' })
    })

    it('resolves several at once, all or none', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const ids = (await Promise.all(times(3, (at) => thread.post('one', `${at}`)))).map(
        ({ id }) => id,
      )
      const path = `/pages/${thread.id}/comments/resolve`
      const refused = await owner.refused('POST', path, { comment_ids: [...ids, 'cmt_none'] })
      expect(refused.body.error).toMatchObject({ code: 'comment_not_found', param: 'comment_ids' })
      expect(await bodies(thread, '?state=resolved')).toEqual([])
      const resolved = await owner.ask('POST', path, { comment_ids: [ids[0], ids[2], ids[0]] })
      expect(resolved).toEqual([
        { id: ids[0], state: 'resolved' },
        { id: ids[2], state: 'resolved' },
      ] as never)
      expect(await thread.list('?state=resolved')).toHaveLength(2)
      await owner.ask('POST', path, { comment_ids: ids, state: 'open' })
      expect(await thread.list('?state=open')).toHaveLength(3)
    })

    it('deletes a comment with its replies, and no comment of another page or account', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const elsewhere = await createThread(app, owner)
      const stranger = await app.owner()
      const { id } = await thread.post('one', 'a')
      await thread.post('two', { parent_id: id })
      const original = await thread.post('one', 'b')
      const reply = await thread.post('two', { body: 'b1', parent_id: original.id })
      const foreign: [typeof owner, string, string][] = [
        [owner, elsewhere.id, 'comment_not_found'],
        [stranger, thread.id, 'page_not_found'],
      ]
      for (const [caller, pageId, code] of foreign) {
        const path = `/pages/${pageId}/comments`
        for (const refused of [
          await caller.refused('DELETE', `${path}/${id}`),
          await caller.refused('PATCH', `${path}/${id}`, { is_hidden: true }),
          await caller.refused('POST', `${path}/resolve`, { comment_ids: [id] }),
        ]) {
          expect([refused.status, refused.body.error.code]).toEqual([404, code])
        }
      }
      const parent = { body: 'x', parent_id: id }
      const reply2 = await owner.refused('POST', `/pages/${elsewhere.id}/comments`, parent)
      expect(reply2.body.error).toMatchObject({ code: 'comment_not_found', param: 'parent_id' })
      expect(await outcomeOf(elsewhere.post('one', { parent_id: id }))).toBe('comment_not_found')

      await thread.remove(id)
      await thread.remove(reply.id)
      expect(await thread.threads()).toMatchObject([{ id: original.id, replies: [] }])
      expect(await thread.verifiedCount()).toBe(1)
      const again = await owner.refused('DELETE', `/pages/${thread.id}/comments/${id}`)
      expect(again.body.error.code).toBe('comment_not_found')
    })

    it('writes none while comments are off, and gets a clear word for every bad input', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const reply = await thread.write('b', { parent_id: (await thread.write('a')).id })
      const refusals: [string, string, object][] = [
        ['body', 'invalid_parameter', {}],
        ['body', 'invalid_parameter', { body: ' \u200b ' }],
        ['parent_id', 'comment_is_reply', { body: 'x', parent_id: reply.id }],
        ['parent_id', 'comment_not_found', { body: 'x', parent_id: 'cmt_none' }],
        ['path', 'bad_anchor', { body: 'x', path: 'about.html' }],
        ['anchor', 'bad_anchor', { body: 'x', anchor: { x: 0.5, y: 0.5 } }],
        ['anchor', 'bad_anchor', { body: 'x', anchor: { sheet: 1, x: 0.5, y: 0.5 } }],
        ['anchor', 'invalid_parameter', { body: 'x', anchor: { quote: 'x' } }],
        ['anchor.x', 'invalid_parameter', { body: 'x', anchor: { x: 2, y: 0.5 } }],
        ['anchor.y', 'invalid_parameter', { body: 'x', anchor: { x: 1, y: -0.1 } }],
      ]
      for (const [param, code, input] of refusals) {
        const refused = await owner.refused('POST', `/pages/${thread.id}/comments`, input)
        expect(refused.body.error).toMatchObject({ code, param })
      }
      await thread.update({ allow_comments: false })
      const off = await owner.refused('POST', `/pages/${thread.id}/comments`, { body: 'x' })
      expect([off.status, off.body.error.code]).toEqual([409, 'comments_off'])
      await thread.change(reply.id, { is_hidden: true })
      expect(await thread.verifiedCount()).toBe(2)
    })
  })
}
