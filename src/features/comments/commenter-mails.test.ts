import { describe, expect, it } from 'bun:test'
import { BASE_URL, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'
import { times } from '../../testing/test-form.ts'
import { composeMail } from '../mail/index.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'

const to = (app: TestApp, email: string) => app.mails.filter((mail) => mail.to === email)
const status = async (app: TestApp, path: string, method: string) =>
  (await app.fetch(new Request(`${BASE_URL}${path}`, { method }))).status

for (const engine of ENGINES) {
  describe(`mails about comments on ${engine}`, () => {
    it('say to the owner who commented, and are never about the owner’s own comments', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const anchor = { quote: 'in <b>May', prefix: '', suffix: '', element: null }
      const { id } = await thread.post(ANN, { body: 'Why <b>May</b>?', name: 'Ann', anchor })
      await thread.post('one', { body: 'x'.repeat(900), name: 'Bo', parent_id: id })
      await thread.post(owner.email, { body: 'Because', parent_id: id })
      await thread.write('I say')
      await thread.edit(ANN, id, 'Why June?')
      const mails = to(app, owner.email)
      expect(mails.map(({ subject }) => subject)).toEqual([
        'ann@example.com (“Ann”) commented on “Plan”',
        'Somebody who gave the name “Bo” replied to a comment on “Plan”',
      ])
      const { text, html, headers } = composeMail(mails[0]!)
      expect(text).toMatch(/^ann@example\.com \(“Ann”\) commented on “Plan” on .* UTC:$/m)
      expect(text).toContain('\n> Why <b>May</b>?\n')
      expect(text).toContain('\nIt is about this passage:\n\n> in <b>May\n')
      expect(text).not.toContain('leaves out')
      expect(html).not.toContain('<b>May')
      expect(text).toContain(`Open it in your inbox:\n${BASE_URL}/app/inbox?item=${id}\n`)
      expect(headers['Reply-To']).toBe(ANN)
      expect(composeMail(mails[1]!).headers).not.toHaveProperty('Reply-To')
      expect(mails[1]!.button!.url).toEndWith(`item=${id}`)
      expect(mails[1]!.paragraphs[3]).toEqual({ quote: 'in <b>May' })
      expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
      expect(mails[1]!.paragraphs[1]).toEqual({ quote: `${'x'.repeat(499)}…` })
    })

    it('to the owner become a digest above twenty a minute, and stop by their link', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      app.advance(MINUTE_MS - (app.clock.ms() % MINUTE_MS))
      const { id } = await thread.post('d', 'a')
      const more = times(24, (at) =>
        thread.post(`d${at}`, at % 2 === 0 ? 'b' : { body: 'c', parent_id: id }),
      )
      await Promise.all(more)
      expect(await app.mailbox.delivered()).toBe(20)
      app.advance(MINUTE_MS)
      expect(await app.mailbox.delivered()).toBe(1)
      expect(app.mailbox.lastTo(owner.email)!.subject).toBe('“Plan” has 5 more comments')
      const link = new URL(app.mails[0]!.unsubscribeUrl!).pathname
      expect(await status(app, link, 'GET')).toBe(200)
      expect((await owner.page(thread.id)).notify_on_comment).toBe(true)
      expect(await status(app, link, 'POST')).toBe(200)
      expect((await owner.page(thread.id)).notify_on_comment).toBe(false)
      const before = app.mails.length
      await thread.post('d', 'b')
      expect(app.mails).toHaveLength(before)
    })

    it('reach confirmed commenters about replies of others, in one mail a minute', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { notify_on_comment: false })
      await app.accounts.update((await thread.page()).account_id, { name: 'Olive' }, async () => {})
      const anchor = { quote: 'in Berlin', prefix: '', suffix: '', element: null }
      const { id } = await thread.post(ANN, { body: 'a', anchor })
      await thread.post('anonymous', 'b')
      await thread.post(ANN, { body: 'Me again', parent_id: id })
      expect(to(app, ANN)).toEqual([])
      await thread.post(BEN, { body: 'First', name: 'Ben', parent_id: id })
      await thread.write('Second', { parent_id: id })
      app.advance(MINUTE_MS)
      expect(await app.mailbox.delivered()).toBe(2)
      const mail = app.mailbox.lastTo(ANN)!
      expect(mail.subject).toBe('The owner (“Olive”) and one more replied to you on “Plan”')
      expect(mail.text).toContain('\n> Second\n')
      expect(mail.text).toMatch(/“Plan” on \w+ \d+ \w+ \d{4} at \d\d:\d\d UTC:\n/)
      expect(mail.text).toContain('\nIt is about this passage:\n\n> in Berlin\n')
      const url = `${BASE_URL}/p/${(await thread.page()).slug}#~comments/${id}`
      expect(mail.text).toContain(`Open the conversation:\n${url}\n`)
      for (const address of [BEN, owner.email]) expect(mail.text).not.toContain(address)
      expect(mail.headers).not.toHaveProperty('Reply-To')
      expect(mail.text).toContain('The owner (“Olive”) shares this page on ')
      expect(app.mailbox.lastTo(BEN)!.subject).toBe('The owner (“Olive”) replied to you on “Plan”')
      expect(to(app, owner.email)).toEqual([])
    })

    it('to a commenter stop by their own link, for that page alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [thread, other] = [await createThread(app, owner), await createThread(app, owner)]
      const replies = async () => {
        for (const each of [thread, other]) {
          const { id } = await each.post(ANN, 'a')
          await each.post(BEN, { body: 'b', parent_id: id })
        }
      }
      await replies()
      const link = new URL(to(app, ANN)[0]!.unsubscribeUrl!).pathname
      expect(link).not.toContain('ann')
      for (const wrong of [
        link.replace(thread.id, other.id),
        link.slice(0, -2),
        link.replace(/\/[^./]+\./, '/x.'),
        `${link}.x`,
      ]) {
        expect(await status(app, wrong, 'POST')).toBe(404)
      }
      expect(await status(app, link, 'GET')).toBe(200)
      await replies()
      expect(to(app, ANN)).toHaveLength(4)
      expect(await status(app, link, 'POST')).toBe(200)
      await replies()
      expect(to(app, ANN)).toHaveLength(5)
      expect((await owner.page(thread.id)).notify_on_comment).toBe(true)
    })

    it('quote no passage of a comment that its owner has hidden', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner)
      const anchor = { quote: 'in Berlin', prefix: '', suffix: '', element: null }
      const { id } = await thread.post('one', { body: 'a', anchor })
      await thread.post(ANN, { body: 'b', parent_id: id })
      await thread.change(id, { is_hidden: true })
      await thread.write('Hidden', { parent_id: id })
      const [mail] = to(app, ANN)
      expect(mail!.subject).toBe('The owner replied to you on “Plan”')
      expect(composeMail(mail!).text).not.toContain('Berlin')
    })

    it('go to nobody who may no longer open the page, and say nothing of a gated page’s words', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const people = { access: 'people', allowed_emails: [ANN, BEN] }
      const thread = await createThread(app, owner, people)
      const { id } = await thread.post(ANN, { body: 'secret', name: 'Ann' })
      await thread.post(BEN, { body: 'secret', name: 'Ben', parent_id: id })
      expect(to(app, ANN)).toHaveLength(1)
      expect(to(app, owner.email)).toHaveLength(2)
      for (const mail of app.mails) expect(composeMail(mail).text).not.toContain('secret')
      for (const { paragraphs } of to(app, owner.email)) {
        expect(paragraphs[1]).toMatch(/^The page is not open to everybody, so this mail/)
      }
      await thread.update({ allowed_emails: [BEN] })
      await thread.post(BEN, { parent_id: id })
      expect(to(app, ANN)).toHaveLength(1)
      await thread.update({ allowed_emails: [ANN, BEN] })
      await owner.call('DELETE', `/pages/${thread.id}/publish`)
      await thread.write('Back soon', { parent_id: id })
      expect(to(app, ANN)).toHaveLength(1)
    })

    it('are not sent where the reply was deleted or hidden within the minute, or the page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const deeds: ((path: string, reply: string) => unknown)[] = [
        (path, reply) => owner.call('DELETE', `${path}/comments/${reply}`),
        (path, reply) => owner.call('PATCH', `${path}/comments/${reply}`, { is_hidden: true }),
        (path) => owner.call('DELETE', path),
        () => null,
      ]
      for (const [at, deed] of deeds.entries()) {
        const thread = await createThread(app, owner, { title: `Plan ${at}` })
        const path = `/pages/${thread.id}`
        const { id: parent_id } = await thread.post(ANN, 'Why May?')
        const reply = { body: 'A slip', parent_id }
        const { id } = await owner.ask<{ id: string }>('POST', `${path}/comments`, reply)
        await deed(path, id)
      }
      app.advance(2 * MINUTE_MS)
      await app.mailbox.delivered()
      const sent = app.mailbox.all().filter((mail) => mail.to === ANN)
      expect(sent.map(({ subject }) => subject)).toEqual(['The owner replied to you on “Plan 3”'])
    })

    it('are in the outbox if and only if their comment is stored', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner())
      const { id } = await thread.post(ANN, 'a')
      const before = await app.rows('outbox')
      const retry = { id: 'once-only-1', parent_id: id }
      await thread.post(BEN, retry)
      const after = await app.rows('outbox')
      expect(after.length).toBe(before.length + 2)
      await thread.post(BEN, retry)
      await thread.post('one', { parent_id: 'cmt_none' }).catch(() => null)
      expect(await app.rows('outbox')).toHaveLength(after.length)
    })
  })
}
