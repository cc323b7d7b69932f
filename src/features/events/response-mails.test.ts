import { describe, expect, it } from 'bun:test'
import { DEFAULT_PLANS } from '../../model/plan.ts'
import { BASE_URL, ENGINES, HOUR_MS, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createForm, outcomeOf, times } from '../../testing/test-form.ts'
import { composeMail } from '../mail/index.ts'
import { createResponses } from '../responses/index.ts'

for (const engine of ENGINES) {
  describe(`mails about responses on ${engine}`, () => {
    it('are sent one for each stored response, and say who responded and whether it is their first', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { notify_on_response: true })
      const secret = { a: 'my salary is 1' }
      await form.send('one', secret, { id: 'only-once', name: 'Ann' })
      await form.send('one', secret, { id: 'only-once', name: 'Ann' })
      await form.send('one', { a: 'other' })
      expect(await outcomeOf(form.send('two', 'no object'))).toBe('invalid_data')
      const { displayName: respondent } = app.viewers.viewerOf(await form.page(), { device: 'one' })
      expect(app.mails.map(({ to, subject }) => [to, subject])).toEqual([
        [owner.email, `${respondent} responded to “Plan”`],
        [owner.email, `${respondent} changed their response to “Plan”`],
      ])
      const { url } = await owner.page(form.id)
      for (const mail of app.mails) {
        expect(mail.button!.url).toMatch(/\/app\/inbox\?item=rsp_\w+$/)
        expect(mail.otherLinks).toEqual([{ label: 'Open the page', url }])
        expect(mail.replyTo).toBeUndefined()
        const { text, html, headers } = composeMail(mail)
        expect(text).toMatch(/ “Plan” on \w+ \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
        expect(text).toContain('a mail each time somebody responds to this page')
        for (const part of [text, html]) {
          for (const value of ['salary', 'other', 'Ann']) expect(part).not.toContain(value)
        }
        expect(headers['List-Unsubscribe']).toBe(`<${mail.unsubscribeUrl}>`)
      }
      expect(composeMail(app.mails[0]!).text).toContain('It is their first response.')
      expect(composeMail(app.mails[1]!).text).toContain('takes the place of their earlier one')
    })

    it('are sent only while the page asks for them, whatever it asks about views', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { notify_on_view: true })
      expect(await owner.page(form.id)).toMatchObject({ notify_on_response: false })
      await form.send('one', { a: 1 })
      expect(app.mails).toEqual([])
      expect(await form.update({ notify_on_response: true })).toMatchObject({
        notify_on_response: true,
      })
      await form.send('one', { a: 1 })
      expect(app.mails).toHaveLength(1)
      await form.update({ notify_on_response: false })
      await form.send('one', { a: 1 })
      expect(app.mails).toHaveLength(1)
      const refused = await owner.refused('PATCH', `/pages/${form.id}`, { notify_on_response: 'x' })
      expect(refused.body.error.param).toBe('notify_on_response')
    })

    it('become one digest above twenty a minute, counted apart from views', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { notify_on_response: true, notify_on_view: true })
      app.advance(MINUTE_MS - (app.clock.ms() % MINUTE_MS))
      await Promise.all(times(30, (at) => form.send(`d${at % 25}`, { a: at })))
      await app.views.count(form.id, { limited: false, notify: true })
      expect(await app.mailbox.delivered()).toBe(21)
      expect(app.mails.at(-1)!.subject).toBe('“Plan” was opened')
      app.advance(MINUTE_MS)
      expect(await app.mailbox.delivered()).toBe(1)
      const digest = app.mailbox.lastTo(owner.email)!
      expect(digest.subject).toBe('“Plan” has 10 more responses')
      expect(digest.headers['List-Unsubscribe']).toContain('/unsubscribe/')
      const counts = (await app.rows('event_counts')).map(({ kind, count }) => `${kind} ${count}`)
      expect(counts.sort()).toEqual(['response 30', 'view 1'])
      app.advance(2 * HOUR_MS)
      await app.ownerMails.sweep()
      expect(await app.rows('event_counts')).toEqual([])
    })

    it('are in the outbox if and only if their response is stored', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner(), { notify_on_response: true })
      const responses = createResponses({
        ...app,
        limitsOf: async () => DEFAULT_PLANS.pro.limits,
        formsOf: async () => ({ collecting: true, controls: [] }),
        async recordEvent(tx, event) {
          await app.ownerMails.onEvent(tx, event)
          throw new Error('the listener failed')
        },
      })
      const sending = form.send('one', { a: 1 }, { node: { responses } })
      await expect(sending).rejects.toThrow('the listener failed')
      expect(await app.rows('responses')).toEqual([])
      expect(await app.rows('outbox')).toEqual([])
      expect(await form.verifiedCounter()).toEqual({ count: 0, bytes: 0 })
    })

    it('are stopped by their own link, and those about views by theirs', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { notify_on_response: true, notify_on_view: true })
      await form.send('one', { a: 1 })
      await app.views.count(form.id, { limited: false, notify: true })
      const links = app.mails.map(({ unsubscribeUrl }) => new URL(unsubscribeUrl!).pathname)
      const [aboutResponses = '', aboutViews = ''] = links
      expect(aboutResponses).not.toBe(aboutViews)
      const ask = async (path: string, method: string) => {
        const answer = await app.fetch(new Request(`${BASE_URL}${path}`, { method }))
        return { status: answer.status, text: await answer.text() }
      }
      const mailSettings = async () => {
        const { notify_on_response, notify_on_view } = await owner.page(form.id)
        return { notify_on_response, notify_on_view }
      }
      expect((await ask(aboutResponses, 'GET')).text).toContain('Stop mails about responses')
      expect((await ask(aboutViews, 'GET')).text).toContain('Stop mails about views')
      expect((await ask(`${aboutResponses.slice(0, -2)}xx`, 'POST')).status).toBe(404)
      expect(await mailSettings()).toEqual({ notify_on_response: true, notify_on_view: true })
      expect((await ask(aboutResponses, 'POST')).text).toContain('No more mails about responses')
      expect(await mailSettings()).toEqual({ notify_on_response: false, notify_on_view: true })
      expect((await ask(aboutViews, 'POST')).status).toBe(200)
      expect(await mailSettings()).toEqual({ notify_on_response: false, notify_on_view: false })
      await form.send('one', { a: 2 })
      expect(app.mails).toHaveLength(2)
    })
  })
}
