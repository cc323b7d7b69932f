import { describe, expect, it } from 'bun:test'
import type { Message, Transport } from '../../platform/mail/index.ts'
import { BASE_URL, ENGINES, HOUR_MS, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createBrowser } from '../../testing/browser.ts'
import { composeMail, createOutbox } from '../mail/index.ts'
import { createViews } from '../views/index.ts'

const A_MAIL = { to: 'ann@example.com', subject: 'x', paragraphs: [], reason: 'A test.' }

function memory() {
  const sent: Message[] = []
  const transport: Transport = {
    send: async (message) => void sent.push(message),
    close: async () => {},
  }
  return { sent, transport }
}

for (const engine of ENGINES) {
  describe(`mails about views on ${engine}`, () => {
    it('are sent one for each counted view, and none for other requests', async () => {
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

    it('become one digest above twenty a minute, sent when the minute is over', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<title>Plan</title>x', { notify_on_view: true })
      // All of these views fall into one minute.
      app.advance(MINUTE_MS - (app.clock.ms() % MINUTE_MS))
      const count = () => app.views.count(id, { limited: false, notify: true })
      for (const views of [15, 10, 1, 4]) {
        await Promise.all(Array.from({ length: views }, count))
      }
      expect(await app.mailbox.delivered()).toBe(20)
      expect(app.mailbox.lastTo(owner.email)!.subject).toBe('“Plan” was opened')
      app.advance(MINUTE_MS)
      expect(await app.mailbox.delivered()).toBe(1)
      const digest = app.mailbox.lastTo(owner.email)!
      expect(digest.subject).toBe('“Plan” was opened 10 more times')
      expect(digest.text).toContain('It has 30 views in all.')
      expect(digest.headers['List-Unsubscribe']).toContain('/unsubscribe/')
      app.advance(MINUTE_MS)
      expect(await app.mailbox.delivered()).toBe(0)
      expect(app.mailbox.all()).toHaveLength(21)
    })

    it('name the page, the time, the views in all, and how to stop the mails', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<p>x')
      await app.open(`/p/${page.slug}`)
      await owner.update(page.id, { notify_on_view: true })
      await app.open(`/p/${page.slug}`)
      const composed = composeMail(app.mails[0]!)
      const { subject, text } = composed
      expect(subject).toBe('“Untitled page” was opened')
      expect(text).toMatch(/opened “Untitled page” on \w+ \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
      expect(text).toContain('It has 2 views in all.')
      expect(text).toContain(page.url)
      const { unsubscribeUrl } = app.mails[0]!
      expect(text).toContain(unsubscribeUrl!)
      expect(composed.headers['List-Unsubscribe']).toBe(`<${unsubscribeUrl}>`)
      await owner.update(page.id, { title: `A${'b'.repeat(199)}` })
      await app.open(`/p/${page.slug}`)
      expect(composeMail(app.mails[1]!).subject).toMatch(/^“Ab{98}…” was opened$/)
    })

    it('are as many as the counted views, and each gives its number', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<p>x', { notify_on_view: true, max_views: 12 })
      const opens = Array.from({ length: 30 }, () => app.open(`/p/${page.slug}`))
      const statuses = (await Promise.all(opens)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(12)
      const [first, ...others] = app.mails.map(({ paragraphs }) => String(paragraphs[0]))
      expect(first).toEndWith('It is its first view.')
      const totals = others.map((text) => /It has (\d+) views in all/.exec(text)?.[1])
      expect(totals.map(Number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    })

    it('are in the outbox if and only if their view is counted', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      const { transport } = memory()
      const outbox = createOutbox({ ...app, transport })
      let isFailing = true
      const views = createViews({
        ...app,
        async recordEvent(tx) {
          await outbox.put(tx, composeMail(A_MAIL))
          if (isFailing) throw new Error('the listener failed')
        },
      })
      const about = { limited: false, notify: true }
      await expect(views.count(id, about)).rejects.toThrow('the listener failed')
      expect(await app.rows('outbox')).toEqual([])
      expect(await app.rows('view_hours')).toEqual([])
      isFailing = false
      expect(await views.count(id, about)).toBe(true)
      expect(await app.rows('outbox')).toHaveLength(1)
      expect(await app.rows('view_hours')).toMatchObject([{ views: 1 }])
    })

    it('are sent one by one again from the next minute on', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<title>Plan</title>x', { notify_on_view: true })
      app.advance(MINUTE_MS - (app.clock.ms() % MINUTE_MS))
      const count = () => app.views.count(page.id, { limited: false, notify: true })
      for (let i = 0; i < 22; i++) await count()
      const subjects = () => app.mails.map(({ subject }) => subject)
      expect(subjects().slice(-3)).toEqual([
        '“Plan” was opened',
        '“Plan” was opened once more',
        '“Plan” was opened 2 more times',
      ])
      app.advance(MINUTE_MS)
      await count()
      expect(subjects().slice(-1)).toEqual(['“Plan” was opened'])
      expect(await app.rows('event_counts')).toHaveLength(2)
      app.advance(2 * HOUR_MS)
      await app.ownerMails.sweep()
      expect(await app.rows('event_counts')).toEqual([])
    })

    it('are stopped by a POST to their link, never by a GET, and for that page alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [page, other] = [
        await owner.publish('<p>x', { notify_on_view: true }),
        await owner.publish('<p>y', { notify_on_view: true }),
      ]
      for (const { slug } of [page, other]) await app.open(`/p/${slug}`)
      const link = new URL(app.mails[0]!.unsubscribeUrl!).pathname
      const ask = async (path: string, method: string) =>
        (await app.fetch(new Request(`${BASE_URL}${path}`, { method }))).status
      for (const method of ['GET', 'HEAD']) expect(await ask(link, method)).toBe(200)
      for (const path of [
        link.replace(page.id, other.id),
        link.slice(0, -1),
        `${link}x`,
        `/unsubscribe/${page.id}/x`,
        '/unsubscribe/pg_none/x',
      ]) {
        expect(await ask(path, 'POST')).toBe(404)
      }
      expect((await owner.page(page.id)).notify_on_view).toBe(true)
      // A mail program's own button sends no Origin and no cookie (RFC 8058).
      expect(await ask(link, 'POST')).toBe(200)
      expect((await owner.page(page.id)).notify_on_view).toBe(false)
      expect((await owner.page(other.id)).notify_on_view).toBe(true)
      await app.open(`/p/${page.slug}`)
      expect(app.mails).toHaveLength(2)
      await owner.call('DELETE', `/pages/${page.id}`)
      for (const method of ['GET', 'POST']) expect(await ask(link, method)).toBe(404)
    })

    it('are stopped by the button on the page of their link', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<title>Plan</title>x', { notify_on_view: true })
      await app.open(`/p/${page.slug}`)
      const link = new URL(app.mails[0]!.unsubscribeUrl!).pathname
      const browser = createBrowser(app)
      expect((await browser.get(link)).status).toBe(200)
      expect((await owner.page(page.id)).notify_on_view).toBe(true)
      expect((await browser.get(`${link.slice(0, -2)}xx`)).status).toBe(404)
      expect((await browser.post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
      expect((await owner.page(page.id)).notify_on_view).toBe(false)
    })
  })
}
