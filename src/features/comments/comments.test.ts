import { describe, expect, it } from 'bun:test'
import { ENGINES, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createThread, PLAN } from '../../testing/test-comments.ts'
import { outcomeOf, times } from '../../testing/test-form.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'

for (const engine of ENGINES) {
  describe(`comments on ${engine}`, () => {
    it('are read by everybody in the order they were written, with replies one level deep', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const first = await thread.post('one', { body: 'Why May?', name: '  Ann\n Lee ' })
      const second = await thread.post(BEN, 'Why Berlin?')
      const reply = await thread.post('two', { body: 'It is central.', parent_id: second.id })
      await thread.post('one', { body: 'Thanks', parent_id: second.id })
      expect(await outcomeOf(thread.post('one', { parent_id: reply.id }))).toBe('comment_is_reply')

      const { threads, count, is_whole, own } = await thread.read('three')
      expect([count, is_whole, own]).toEqual([2, true, []])
      expect(threads.map(({ id }) => id)).toEqual([first.id, second.id])
      const [one, two] = await thread.threads()
      expect(one).toMatchObject({
        author: { kind: 'anonymous', name: 'Ann Lee' },
        body: 'Why May?',
        path: '',
        version_no: 1,
        anchor: null,
        anchor_state: null,
        state: 'open',
        addressed_in: null,
        edited_at: null,
        replies: [],
      })
      expect(two!.replies.map(({ body }) => body)).toEqual(['It is central.', 'Thanks'])
      expect(two!.author).toEqual({ kind: 'confirmed', name: expect.stringMatching(/^\w+ \w+$/) })
      expect(JSON.stringify(threads)).not.toContain('@')
      expect(await thread.verifiedCount()).toBe(4)
    })

    it('have strictly increasing times, even concurrent ones, and each is there once', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const posted = await Promise.all(times(40, (at) => thread.post(`d${at % 9}`, `No. ${at}`)))
      expect(new Set(posted.map(({ created_at: at }) => at)).size).toBe(40)
      const listed = (await thread.threads()).map(({ created_at: at }) => at)
      expect(listed).toEqual([...new Set(listed)].sort())
      expect(await thread.verifiedCount()).toBe(40)
    })

    it('with a known id are answered again and change nothing, also once an address is confirmed', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const id = 'only-once-1'
      const sent = times(6, () => thread.post('one', { id, body: 'Once' }))
      const ids = (await Promise.all(sent)).map((comment) => comment.id)
      expect(new Set(ids).size).toBe(1)
      expect((await thread.post('one', { id, body: 'Other' })).body).toBe('Once')
      // Another author's id may be the same.
      expect((await thread.post('two', { id, body: 'Twice' })).id).not.toBe(ids[0]!)
      const confirmed = { ...(await thread.participant(ANN)), deviceKey: '' }
      const { key } = await thread.participant('one')
      const request = {
        page: await thread.page(),
        participant: { ...confirmed, deviceKey: key },
        source: { pageVersion: null, manifestId: null, path: '' },
      }
      const { comment } = await app.comments.post(request, { id, body: 'Once' })
      expect(comment.id).toBe(ids[0]!)
      expect(await thread.verifiedCount()).toBe(2)
    })

    it('can be changed and deleted by their author for 15 minutes, and by nobody else', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const other = await createThread(app, owner)
      const { id, editable_until, created_at: at } = await thread.post('one', 'Helo')
      expect(Date.parse(editable_until) - Date.parse(at)).toBe(15 * MINUTE_MS)
      expect((await thread.read('one')).own).toEqual([{ id, editable_until }])
      expect((await thread.read('two')).own).toEqual([])
      const { comment } = await thread.edit('one', id, 'Hello')
      expect(comment).toMatchObject({ id, body: 'Hello', created_at: at })
      expect(comment.edited_at! > at).toBe(true)
      for (const refused of [
        () => thread.edit('two', id, 'Mine'),
        () => thread.withdraw('two', id),
        () => other.edit('one', id, 'Elsewhere'),
        () => other.withdraw('one', id),
        () => thread.edit('one', 'cmt_none', 'None'),
        () => thread.withdraw(owner.email, id),
      ]) {
        expect(await outcomeOf(refused())).toBe('comment_not_found')
      }
      expect((await thread.threads()).map(({ body }) => body)).toEqual(['Hello'])
      app.advance(15 * MINUTE_MS)
      expect((await thread.read('one')).own).toEqual([])
      expect(await outcomeOf(thread.edit('one', id, 'Late'))).toBe('edit_time_over')
      expect(await outcomeOf(thread.withdraw('one', id))).toBe('edit_time_over')
      const late = await thread.post('one', 'Gone soon')
      await thread.withdraw('one', late.id)
      expect((await thread.threads()).map(({ body }) => body)).toEqual(['Hello'])
      expect(await thread.verifiedCount()).toBe(1)
    })

    it('that their author deletes keep their place for replies alone, without a word of theirs', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const anchor = { quote: '9 May', prefix: 'We start on ', suffix: ' in Berlin', element: null }
      const { id } = await thread.post(ANN, { body: 'A secret', name: 'Ann', anchor })
      const reply = await thread.post('two', { body: 'Noted', parent_id: id })
      await thread.withdraw(ANN, id)
      const [place] = await thread.threads()
      expect(place).toMatchObject({
        placeholder: 'deleted',
        author: null,
        body: '',
        anchor: null,
        replies: [{ id: reply.id, placeholder: null }],
      })
      const rows = JSON.stringify(await app.rows('comments'))
      for (const gone of ['A secret', 'Ann"', ANN, '9 May']) expect(rows).not.toContain(gone)
      expect(await outcomeOf(thread.edit(ANN, id, 'Back'))).toBe('comment_not_found')
      expect(await outcomeOf(thread.post('two', { parent_id: id }))).toBe('comment_not_found')
      await thread.withdraw('two', reply.id)
      expect(await thread.threads()).toEqual([])
      expect(await thread.verifiedCount()).toBe(0)
    })

    it('of anonymous visitors are refused where an address is required', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { comments_require_email: true })
      expect(await outcomeOf(thread.post('one', 'Hi'))).toBe('email_required')
      expect(await thread.verifiedCount()).toBe(0)
      expect((await thread.post(ANN, 'Hi')).author!.kind).toBe('confirmed')
      const answer = await thread.post(owner.email, 'Hello')
      expect(answer.author).toEqual({ kind: 'owner', name: null })
      expect((await thread.read('one')).count).toBe(2)
    })

    it('are hidden and kept while they are switched off', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const { id } = await thread.post('one', 'Hi')
      await thread.update({ allow_comments: false })
      for (const refused of [
        () => thread.read(),
        () => thread.post('one', 'More'),
        () => thread.edit('one', id, 'Other'),
        () => thread.withdraw('one', id),
      ]) {
        expect(await outcomeOf(refused())).toBe('comments_off')
      }
      expect(await thread.list()).toMatchObject([{ id, body: 'Hi' }])
      await thread.update({ allow_comments: true })
      expect(await thread.threads()).toMatchObject([{ id, body: 'Hi' }])
    })

    it('are plain text of at most 5,000 characters, with a name of at most 80', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const refusals: [string, object][] = [
        ['comment_empty', { body: ' \u200b\n\u0000\u202e ' }],
        ['comment_too_long', { body: 'x'.repeat(5001) }],
        ['comment_too_long', { body: 'x', name: 'n'.repeat(81) }],
      ]
      for (const [code, input] of refusals) {
        expect(await outcomeOf(thread.post('one', input))).toBe(code)
      }
      expect(await thread.verifiedCount()).toBe(0)
      const smile = '\u{1f600}'
      expect((await thread.post('one', smile.repeat(5000))).body).toBe(smile.repeat(5000))
      const { body, author } = await thread.post('two', {
        body: '<b>bold</b>\u0000 \u202egpj.exe\r\n\r\n\r\n\r\nZ\u0335\u0336\u0337\u0338\u0339\u033a\u033b!',
        name: 'N\u0000a\u2066me\u202e',
      })
      expect(body).toBe('<b>bold</b> gpj.exe\n\nZ\u0335\u0336\u0337\u0338\u0339!'.normalize('NFC'))
      expect(author!.name).toBe('Name')
    })

    it('are by no name that others would trust, whether new or changed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await app.database.write((tx) =>
        tx.updateTable('accounts').set({ name: 'Zoë Lee' }).execute().then(),
      )
      const thread = await createThread(app, owner)
      const by = (who: string, name: string) => outcomeOf(thread.post(who, { name }))
      for (const name of [
        'The owner',
        'ＡＤＭＩＮ',
        'H\u200bandbill',
        'Support',
        'Zoe\u00a0 lее',
      ]) {
        expect([name, await by('one', name)]).toEqual([name, 'name_reserved'])
      }
      expect(await by('one', 'ceo@example.com')).toBe('name_reserved')
      // People with a confirmed address may be called as the owner is, and no more.
      expect(await by(BEN, 'Zoe Lee')).toBe('stored')
      expect(await by(BEN, 'The owner')).toBe('name_reserved')
      expect(await by(BEN, 'ceo@example.com')).toBe('name_reserved')
      expect(await by(owner.email, 'The owner')).toBe('stored')
      expect(await by('one', 'Zoe')).toBe('stored')
      const { id } = await thread.post('one', { name: 'Bo' })
      const page = await thread.page()
      const edited = (who: string, name: string) => async () => {
        const input = { comment_id: id, body: 'x', name }
        await app.comments.edit(page, await thread.participant(who), input)
      }
      expect(await outcomeOf(edited('one', 'Owner')())).toBe('name_reserved')
      expect(await outcomeOf(edited('one', 'Zoë Lee')())).toBe('name_reserved')
      await edited('one', 'Bea')()
      const names = (await thread.threads()).map(({ author }) => author!.name)
      expect(names).toEqual(['Zoe Lee', 'The owner', 'Zoe', 'Bea'])
    })

    it('are about the version that was open, also after a republish', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const { published_id: opened } = await thread.page()
      await owner.edit(thread.id, '9 May', '16 May', { publish: true })
      expect(await thread.post('one', { opened })).toMatchObject({ version_no: 1 })
      expect(await thread.post('one', {})).toMatchObject({ version_no: 2 })
      expect(await thread.post('one', { opened: null })).toMatchObject({ version_no: 2 })
      expect(await thread.write('As owner')).toMatchObject({ version_no: 2 })
    })

    it('of a deck are one thread, and each knows its file', async () => {
      await using app = await testApp(engine)
      const files = ['index.html', 'about.html'].map((path) => ({ path, html: PLAN }))
      const thread = await createThread(app, await app.owner(), { content: { files } })
      await thread.post('one', { path: 'about.html' })
      await thread.post('one', { path: 'index.html' })
      expect(await outcomeOf(thread.post('one', { path: 'gone.html' }))).toBe('bad_anchor')
      expect((await thread.threads()).map(({ path }) => path)).toEqual(['about.html', 'index.html'])
      const absent = { parent_id: null, path: null, anchor: null }
      for (const more of [{}, absent]) {
        expect((await thread.write('x', more)).path).toBe('index.html')
      }
      expect((await thread.write('x', { path: 'about.html' })).path).toBe('about.html')
      const named = await thread.post('one', { path: 'index.html', about: 'about.html' })
      expect(named.path).toBe('about.html')
      const refused = thread.post('one', { path: 'index.html', about: 'gone.html' })
      expect(await refused.catch((err) => err)).toMatchObject({
        ...{ kind: 'invalid', code: 'bad_anchor', details: { param: 'path' } },
      })
    })

    it('are deleted with their page, and one that comes then is refused', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const { id } = await thread.post('one', 'Hi')
      await thread.post('one', { parent_id: id })
      const [page, participant] = [await thread.page(), await thread.participant('one')]
      await owner.call('DELETE', `/pages/${thread.id}`)
      for (const table of ['comments', 'comment_counters'] as const) {
        expect(await app.rows(table)).toEqual([])
      }
      const source = { pageVersion: null, manifestId: null, path: '' }
      const late = app.comments.post(
        { page, participant, source },
        { id: 'too-late-1', body: 'Late' },
      )
      expect(await outcomeOf(late)).toBe('gone')
      expect(await app.rows('comments')).toEqual([])
    })
  })
}
