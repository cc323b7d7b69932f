import { describe, expect, it } from 'bun:test'
import type { Message, Transport } from '../../platform/mail/index.ts'
import { ENGINES, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createBrowser } from '../../testing/browser.ts'
import { composeMail, createOutbox } from '../mail/index.ts'
import { createNotifications } from './index.ts'

for (const engine of ENGINES) {
  describe(`mails about views on ${engine}`, () => {
    it('come one for each opening, and none for what is not counted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<title>Plan</title>x', { notify_on_view: true })
      await app.open(`/p/${page.slug}`)
      await app.open(`/p/${page.slug}`, {}, 'HEAD')
      await app.open(`/p/${page.slug}`)
      expect(app.mails.map(({ to }) => to)).toEqual([owner.email, owner.email])
      expect(app.mails[0]).toMatchObject({ subject: '“Plan” was opened' })
      expect(app.mails[0]!.button!.url).toBe(page.url)
      const silent = await owner.publish('<title>Other</title>x')
      await app.open(`/p/${silent.slug}`)
      expect(app.mails).toHaveLength(2)
    })

    it('become one beyond twenty a minute', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<title>Plan</title>x')
      const sent: Message[] = []
      const transport: Transport = {
        send: async (message) => void sent.push(message),
        close: async () => {},
      }
      const outbox = createOutbox({ ...app, transport })
      const { noteViews } = createNotifications({
        ...app,
        base_url: 'http://handbill.test',
        sendMail: (tx, words, options) => outbox.put(tx, composeMail(words), options),
        pageOf: async (_tx, page_id) => ({
          page_id,
          title: 'Plan',
          url: 'http://handbill.test/p/plan',
          owner_email: owner.email,
        }),
      })
      // To the beginning of a minute: all of these belong to one.
      app.advance(MINUTE_MS - (app.clock.ms() % MINUTE_MS))
      for (const views of [15, 10, 1, 4]) {
        await app.database.write((tx) => noteViews(tx, id, views))
      }
      await outbox.flush()
      expect(sent).toHaveLength(20)
      app.advance(MINUTE_MS)
      await outbox.flush()
      expect(sent).toHaveLength(21)
      expect(sent.at(-1)!.subject).toBe('“Plan” was opened 10 more times')
    })

    it('stop by the link under them, once its button is pressed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<title>Plan</title>x', { notify_on_view: true })
      await app.open(`/p/${page.slug}`)
      const link = new URL(app.mails[0]!.unsubscribe_url!).pathname
      const browser = createBrowser(app)
      expect((await browser.get(link)).status).toBe(200)
      expect((await owner.page(page.id)).notify_on_view).toBe(true)
      expect((await browser.get(`${link.slice(0, -2)}xx`)).status).toBe(404)
      expect((await browser.post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
      expect((await owner.page(page.id)).notify_on_view).toBe(false)
    })
  })
}
