import { describe, expect, it } from 'bun:test'
import { ENGINES, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'

const ANN = 'ann@example.com'

for (const engine of ENGINES) {
  describe(`comments that a change answers on ${engine}`, () => {
    it('are resolved with the number of its version once that is live', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const ids: string[] = []
      for (const at of [0, 1, 2, 3, 4]) ids.push((await thread.post(ANN, `${at}`)).id)
      const states = async () =>
        (await thread.list()).map(({ state, addressed_in: no }) => `${state} ${no}`)
      await owner.edit(thread.id, '9 May', '16 May', { addresses: [ids[0]] })
      await owner.update(thread.id, { html: '<p>We start on 16 May', addresses: [ids[1]] })
      expect(await states()).toEqual(Array(5).fill('open null'))
      await owner.ask('POST', `/pages/${thread.id}/publish`, { addresses: [ids[2]] })
      const live = (await owner.versions(thread.id))[0]!.version_no
      expect(await states()).toEqual([
        ...Array(3).fill(`resolved ${live}`),
        'open null',
        'open null',
      ])
      const edited = await owner.edit(thread.id, '16', '17', { publish: true, addresses: [ids[3]] })
      expect((await states())[3]).toBe(`resolved ${edited.edits.version}`)
      // Without content: what is live already answers it.
      await owner.update(thread.id, { addresses: [ids[4]] })
      expect((await states())[4]).toBe(`resolved ${edited.edits.version}`)
      await thread.change(ids[4]!, { state: 'open' })
      expect((await states())[4]).toBe('open null')
      expect((await thread.threads())[0]).toMatchObject({ state: 'resolved', addressed_in: live })
    })

    it('stay open where an earlier version is restored instead', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const { id } = await thread.post(ANN, 'a')
      await owner.edit(thread.id, '9 May', '16 May', { addresses: [id] })
      const restored = `/pages/${thread.id}/versions/1/restore`
      await owner.ask('POST', restored, { publish: true })
      expect(await thread.list()).toMatchObject([{ state: 'open', addressed_in: null }])
      expect(app.mails.filter(({ to }) => to === ANN)).toEqual([])
    })

    it('that are unknown, replies or of another page refuse the whole change', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const foreign = await (await createThread(app, owner)).post(ANN, 'x')
      const { id } = await thread.post(ANN, 'a')
      const reply = await thread.post(ANN, { parent_id: id })
      const html = await owner.html(thread.id)
      const path = `/pages/${thread.id}`
      const edits = [{ find: '9 May', replace: '16 May' }]
      for (const [code, wrong] of [
        ['comment_not_found', 'cmt_none'],
        ['comment_not_found', foreign.id],
        ['comment_is_reply', reply.id],
      ]) {
        const addresses = [id, wrong]
        for (const refused of [
          await owner.refused('PATCH', `${path}/html`, { edits, addresses, publish: true }),
          await owner.refused('PATCH', path, { html: '<p>x', addresses }),
          await owner.refused('PATCH', path, { title: 'Other', addresses }),
          await owner.refused('POST', `${path}/publish`, { addresses }),
        ]) {
          expect(refused.body.error).toMatchObject({ code, param: 'addresses' })
        }
      }
      expect(await owner.html(thread.id)).toBe(html)
      expect(await owner.versions(thread.id)).toHaveLength(1)
      expect((await owner.page(thread.id)).title).toBe('Plan')
      expect(await thread.list()).toMatchObject([{ state: 'open' }])
    })

    it('mail their confirmed authors, once for a version, and nobody else', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { notify_on_comment: false })
      await app.accounts.update((await thread.page()).account_id, { name: 'Olive' }, async () => {})
      const anchor = { quote: '9 May in', prefix: '', suffix: '', element: null }
      const ids: string[] = []
      for (const who of [ANN, ANN, 'anonymous', owner.email]) {
        ids.push((await thread.post(who, { body: `Why, says ${who}?`, anchor })).id)
      }
      await owner.edit(thread.id, '9 May', '16 May', { publish: true, addresses: ids })
      app.advance(MINUTE_MS)
      expect(await app.mailbox.delivered()).toBe(1)
      const mail = app.mailbox.lastTo(ANN)!
      const by = 'The owner (“Olive”)'
      expect(mail.subject).toBe(`${by} answered 2 of your comments on “Plan” by a new version`)
      expect(mail.text).toMatch(/published version 2 of “Plan” on \w+ \d+ \w+ \d{4} at .* UTC\. /)
      expect(mail.text).toContain(
        `\nYou wrote:\n\n> Why, says ${ANN}?\n\nIt is about this passage:\n\n> 9 May in\n`,
      )
      expect(mail.text).not.toContain('anonymous')
      expect(mail.text).not.toContain(owner.email)
      expect(mail.text).toContain(`/p/${(await thread.page()).slug}#~comments/${ids[0]}\n`)
      expect(mail.headers).not.toHaveProperty('Reply-To')
      expect(mail.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    })
  })
}
