import { describe, expect, it } from 'bun:test'
import { ENGINES, MINUTE_MS, testApp } from '../../testing/app.ts'
import { rowCounts, storedKeys } from '../../testing/dump.ts'
import { FORM } from '../../testing/form-page.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { sweepAll } from '../../testing/sweeping.ts'

for (const engine of ENGINES) {
  describe(`deleting an account on ${engine}`, () => {
    it('needs its address typed: anything else deletes nothing', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const browser = await sessionOf(app, owner.email)
      const page = await owner.publish('<p>stays</p>')
      for (const email of ['', 'x', other.email, `${owner.email}.evil.example`]) {
        expect(await browser.refused('POST', '/account/deletion', { email })).toEqual([
          400,
          'email_mismatch',
        ])
      }
      expect(await browser.refused('POST', '/account/deletion', {})).toEqual([
        400,
        'invalid_parameter',
      ])
      expect((await app.open(`/p/${page.slug}`)).status).toBe(200)
    })

    it('sends no digest about its pages any more', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const { slug } = await owner.publish('<p>x', { notify_on_view: true })
      for (let view = 0; view < 22; view++) await (await app.open(`/p/${slug}`)).text()
      await app.quiet()
      await app.views.flush()
      await app.mailbox.delivered()
      await browser.call('POST', '/account/deletion', { email: owner.email })
      app.advance(2 * MINUTE_MS)
      const before = app.mailbox.all().length
      await app.mailbox.delivered()
      const sent = app.mailbox.all().slice(before)
      expect(sent.map(({ subject }) => subject)).toEqual([
        'Your account at handbill.test was deleted',
      ])
    })

    it('takes no API key, not even with the address', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { status, body } = await owner.refused('POST', '/account/deletion', {
        email: owner.email,
      })
      expect([status, body.error.code]).toEqual([403, 'session_only'])
      expect((await owner.call('GET', '/account')).status).toBe(200)
    })

    it('ends sessions and keys and closes pages at once, and leaves nothing', async () => {
      await using app = await testApp(engine)
      const other = await app.owner()
      const survivor = await other.publish('<p>of another account</p>')
      await other.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      const owner = await app.owner()
      const [one, two] = [await sessionOf(app, owner.email), await sessionOf(app, owner.email)]
      const pages = [
        await owner.publish(FORM, { allow_comments: true }),
        await owner.publish(`<p>${'large '.repeat(100_000)}</p>`),
        await owner.publish('<p>draft</p>', { publish: false }),
      ]
      await owner.ask('POST', `/pages/${pages[0]!.id}/comments`, { body: 'a comment' })
      await owner.upload('<p>an upload</p>')
      for (const { slug } of pages) await (await app.open(`/p/${slug}`)).text()

      const email = ` ${owner.email.toUpperCase()} `
      const answer = await one.call('POST', '/account/deletion', { email })
      expect([answer.status, answer.body]).toEqual([204, undefined])
      for (const { slug } of pages) expect((await app.open(`/p/${slug}`)).status).toBe(404)
      expect((await owner.call('GET', '/account')).status).toBe(401)
      for (const session of [one, two]) {
        expect(await session.refused('GET', '/account')).toEqual([401, 'signed_out'])
      }
      expect((await app.open(`/p/${survivor.slug}`)).status).toBe(200)
      expect(app.mails.at(-1)).toMatchObject({ to: owner.email })

      await app.accountDeletion.sweep()
      await app.quiet()
      await sweepAll(app)
      const after = await rowCounts(app)
      expect(after.accounts).toBe(before.accounts!)
      for (const table of ['api_keys', 'sessions', 'pages', 'versions', 'comments', 'uploads']) {
        expect([table, Reflect.get(after, table)]).toEqual([table, Reflect.get(before, table)])
      }
      for (const table of ['blobs', 'manifests', 'view_counters', 'response_counters']) {
        expect([table, Reflect.get(after, table)]).toEqual([table, Reflect.get(before, table)])
      }
      expect(await storedKeys(app)).toEqual([])
      expect((await app.rows('accounts')).map(({ email }) => email)).toEqual([other.email])
      expect((await other.page(survivor.id)).is_published).toBe(true)
    })

    it('refuses a page that is created meanwhile, and one that is published', async () => {
      await using app = await testApp(engine)
      for (const path of ['/pages', 'html']) {
        const owner = await app.owner()
        const account = await app.accounts.getByEmail(owner.email)
        const page = await owner.publish('<p>x', { publish: false })
        const hold = app.holdWrite()
        const edit = { edits: [{ find: 'x', replace: 'y' }], publish: true }
        const sent =
          path === '/pages'
            ? owner.call('POST', path, { html: '<p>new' })
            : owner.call('PATCH', `/pages/${page.id}/html`, edit)
        await hold.reached
        const deleting = app.accountDeletion.delete(account, owner.email)
        await deleting
        hold.release()
        expect([401, 404]).toContain((await sent).status)
        await app.quiet()
        await app.accountDeletion.sweep()
        expect(await app.rows('pages')).toEqual([])
      }
      expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
    })

    it('closes everything even where the rest fails, and the sweeper ends what was begun', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { account } = await sessionOf(app, owner.email)
      const page = await owner.publish('<p>x</p>')
      await app.database.write(async (tx) => {
        await app.pages.announceAll(tx, account.id)
        const closed = { email: `${account.id}@deleted.invalid`, deleted_at: app.clock.now() }
        await tx.updateTable('accounts').set(closed).where('id', '=', account.id).execute()
        await tx.deleteFrom('api_keys').execute()
        await tx.deleteFrom('sessions').execute()
      })
      expect((await app.open(`/p/${page.slug}`)).status).toBe(404)
      expect(await app.accounts.list()).toEqual([])
      await app.accountDeletion.sweep()
      expect(await app.rows('accounts')).toEqual([])
      expect(await app.rows('pages')).toEqual([])
    })

    it('closes all pages by one row: a statement for each would hold up every visitor', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { account } = await sessionOf(app, owner.email)
      const [page, old] = [
        await owner.publish('<p>x</p>', { indexed: true }),
        await owner.publish('<p>y</p>'),
      ]
      await owner.call('POST', `/pages/${old.id}/trash`)
      const before = await app.rows('pages')
      await app.database.write(async (tx) => {
        await tx.updateTable('accounts').set('deleted_at', app.clock.now()).execute()
        await app.pages.announceAll(tx, account.id)
      })
      expect(await app.rows('pages')).toEqual(before)
      for (const { slug } of [page, old]) {
        expect((await app.open(`/p/${slug}`)).status).toBe(404)
      }
      expect(await (await app.open('/sitemap.xml')).text()).not.toContain(page.slug)
      expect(await app.pages.find(page.id)).toMatchObject({
        published_id: null,
        suspended_at: null,
      })
    })

    it('frees the address: a new account has nothing of the old one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<p>old</p>', { title: 'Old' })
      const browser = await sessionOf(app, owner.email)
      await browser.call('POST', '/account/deletion', { email: owner.email })
      const again = await app.owner({ email: owner.email })
      expect(await again.ask<unknown[]>('GET', '/pages')).toEqual([])
    })

    it('is refused to the last operator, of two at once to one of them', async () => {
      await using app = await testApp(engine)
      const emails = ['op1@example.com', 'op2@example.com']
      for (const email of emails) {
        await app.accounts.add({ email, plan: 'free' })
        await app.accounts.setOperator(email, true)
      }
      const browsers = await Promise.all(emails.map((email) => sessionOf(app, email)))
      const answers = await Promise.all(
        browsers.map((browser, at) =>
          browser.call('POST', '/account/deletion', { email: emails[at] }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
      const operators = (await app.accounts.list()).filter((account) => account.is_operator)
      expect(operators).toHaveLength(1)
    })

    it('works for a guest', async () => {
      await using app = await testApp(engine)
      const email = 'gus@example.com'
      await app.database.write((tx) =>
        app.accounts.findOrCreate(tx, { email, plan: 'free', is_guest: true }),
      )
      const guest = await sessionOf(app, email)
      expect((await guest.call('POST', '/account/deletion', { email })).status).toBe(204)
      expect(await guest.refused('GET', '/account')).toEqual([401, 'signed_out'])
    })
  })
}
