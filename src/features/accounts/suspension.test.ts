import { describe, expect, it } from 'bun:test'
import {
  DAY_MS,
  ENGINES,
  type Engine,
  MINUTE_MS,
  type TestApp,
  testApp,
} from '../../testing/app.ts'
import { exported, zipOf } from '../../testing/archives.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { agentWith } from '../../testing/mcp.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { createThread } from '../../testing/test-comments.ts'

const OPERATOR = 'op@example.com'
const SESSION = 'handbill_session'

/** A server with its operator and an account that can be suspended. */
async function start(engine: Engine, config: Parameters<typeof testApp>[1] = {}) {
  const app = await testApp(engine, config)
  await app.accounts.addFirst({ email: OPERATOR, plan: 'team' })
  const operator = await sessionOf(app, OPERATOR)
  const owner = await app.owner()
  const { id } = await app.accounts.getByEmail(owner.email)
  const path = `/operator/accounts/${id}/suspension`
  return {
    app,
    operator,
    owner,
    id,
    path,
    suspend: () => operator.ask<{ suspended_at: string | null }>('POST', path, {}),
    end: () => operator.ask<{ suspended_at: string | null }>('DELETE', path),
  }
}

/** Asks for a sign-in mail, and redeems its link. */
async function signInByMail(app: TestApp, browser: Browser, email: string) {
  const answer = await browser.send(await browser.get('/app/sign-in'), { email })
  const text = await answer.clone().text()
  const { button, code } = app.mails.findLast(({ to }) => to === email)!
  const response = await browser.get(new URL(button!.url).pathname)
  return { asked: answer, text, code: code!, answer: await browser.send(response) }
}

/** The rows that an account's suspension must leave as they are. */
async function data(app: TestApp): Promise<string[]> {
  await app.quiet()
  const tables = ['accounts', 'api_keys', 'pages', 'versions', 'comments', 'view_counters'] as const
  const rows = await Promise.all(tables.map((table) => app.rows(table)))
  return rows
    .flat()
    .map((row) => JSON.stringify({ ...row, last_used_at: null }))
    .sort()
}

for (const engine of ENGINES) {
  describe(`suspending an account on ${engine}`, () => {
    it('refuses its keys by REST, MCP and upload links, and says whom to ask', async () => {
      const { app, owner, suspend, end } = await start(engine)
      await using _ = app
      const other = await app.owner()
      const link = await owner.ask<{ url: string }>('POST', '/uploads/links')
      const upload = () =>
        app.fetch(new Request(link.url, { method: 'PUT', body: '<p>an upload</p>' }))
      expect(await suspend()).toMatchObject({ suspended_at: expect.any(String) })
      for (const [method, path, body] of [
        ['GET', '/pages', undefined],
        ['POST', '/pages', { html: '<p>x' }],
        ['GET', '/account', undefined],
        ['GET', '/account/export', undefined],
      ] as const) {
        const refused = await owner.refused(method, path, body)
        expect([path, refused.status, refused.body.error.code]).toEqual([
          path,
          403,
          'account_suspended',
        ])
        expect(refused.body.error.message).toContain('Ask the operator')
      }
      const { status, body } = await agentWith(app, owner.key).send({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
      expect([status, JSON.stringify(body)]).toEqual([
        403,
        expect.stringContaining('account_suspended'),
      ])
      const refused = await upload()
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { error: { code: 'account_suspended' } },
      ])
      expect(await app.rows('uploads')).toEqual([])
      expect((await other.call('GET', '/pages')).status).toBe(200)
      await expect(app.accounts.createKey(owner.email, null)).rejects.toMatchObject({
        code: 'account_suspended',
      })

      expect(await end()).toMatchObject({ suspended_at: null })
      expect((await owner.call('GET', '/pages')).status).toBe(200)
      expect((await upload()).status).toBe(201)
    })

    it('ends its sessions; who proves its address is told, and a stranger is not', async () => {
      const { app, owner, suspend, end } = await start(engine)
      await using _ = app
      const session = await sessionOf(app, owner.email)
      const browser = createBrowser(app)
      await signInByMail(app, browser, owner.email)
      expect((await browser.get('/app')).status).toBe(200)
      const stranger = createBrowser(app)
      const unknown = await stranger.send(await stranger.get('/app/sign-in'), {
        email: 'nobody@example.com',
      })
      await suspend()
      expect(await session.refused('GET', '/pages')).toEqual([401, 'signed_out'])
      expect((await browser.get('/app')).headers.get('location')).toBe('/app/sign-in')
      expect(await app.rows('sessions')).toHaveLength(1)

      const { asked, text, code, answer } = await signInByMail(app, browser, owner.email)
      const masked = (page: string) => page.replace(/value="[^"]*"|\S+@example\.com/g, '')
      expect(masked(text)).toBe(masked(await unknown.text()))
      for (const refused of [answer, await browser.send(asked, { code })]) {
        const page = await refused.text()
        expect([refused.status, browser.jar.has(SESSION)]).toEqual([403, false])
        expect(page).toContain('<h1>This account is suspended</h1>')
        expect(page).toContain('Ask the operator')
      }
      await end()
      expect(await session.refused('GET', '/pages')).toEqual([401, 'signed_out'])
      expect((await browser.get('/app')).status).toBe(303)
      await signInByMail(app, browser, owner.email)
      expect((await browser.get('/app')).status).toBe(200)
    })

    it('ends the sessions of a guest, too', async () => {
      const { app, operator } = await start(engine)
      await using _ = app
      const email = 'gus@example.com'
      await app.database.write((tx) =>
        app.accounts.findOrCreate(tx, { email, plan: 'free', is_guest: true }),
      )
      const guest = await sessionOf(app, email)
      await operator.ask('POST', `/operator/accounts/${guest.account.id}/suspension`, {})
      expect(await guest.refused('GET', '/account')).toEqual([401, 'signed_out'])
      const { answer } = await signInByMail(app, createBrowser(app), email)
      expect(await answer.text()).toContain('This account is suspended')
    })

    it('lets nobody sign up by an invitation of its own', async () => {
      const { app, owner, suspend } = await start(engine, { signup: 'invite' })
      await using _ = app
      const invited = ['new@example.com', 'late@example.com']
      await owner.publish('<p>x', { access: 'people', allowed_emails: invited })
      const browser = createBrowser(app)
      await signInByMail(app, browser, invited[0]!)
      expect(browser.jar.has(SESSION)).toBe(true)
      await suspend()
      const other = createBrowser(app)
      await other.send(await other.get('/app/sign-in'), { email: invited[1]! })
      expect(app.mails.at(-1)).toMatchObject({
        to: invited[1],
        subject: 'No account at handbill.test',
      })
    })

    it('sends no mails about its pages: none of views, no digest that waits, no reminder', async () => {
      const { app, owner, suspend } = await start(engine)
      await using _ = app
      const ann = 'ann@example.com'
      const page = await owner.publish('<title>Plan</title>x', {
        ...{ notify_on_view: true, allow_comments: true },
        ...{ collect_approvals: true, approver_emails: [ann] },
      })
      const due = new Date(app.clock.ms() + 3.5 * DAY_MS).toISOString()
      await owner.ask('POST', `/pages/${page.id}/approvals/requests`, { due_at: due })
      const thread = await createThread(app, owner)
      const { id: commentId } = await thread.post(ann, 'A question')
      await thread.write('An answer', { parent_id: commentId })
      app.advance(MINUTE_MS - (app.clock.ms() % MINUTE_MS))
      const view = () => app.views.count(page.id, { limited: false, notify: true })
      await Promise.all(Array.from({ length: 25 }, view))
      await app.mailbox.delivered()
      expect((await app.rows('outbox')).filter(({ sent_at: at }) => at === null)).toHaveLength(2)

      await suspend()
      await view()
      app.advance(DAY_MS)
      expect(await app.approvals.remind()).toBe(0)
      await app.mailbox.delivered()
      expect(app.mailbox.all().slice(-1)).toMatchObject([
        { to: owner.email, subject: 'Your account at handbill.test is suspended' },
      ])
      expect(
        app.mailbox
          .all()
          .map(({ subject }) => subject)
          .join(),
      ).not.toContain('more times')
    })

    it('is undone whole: everything is stored as it was, and served again', async () => {
      const { app, owner, suspend, end } = await start(engine)
      await using _ = app
      const page = await owner.publish('<p>words', { access: 'password', slug: 'the-plan' })
      const thread = await createThread(app, owner, { indexed: true })
      await thread.post('a browser', 'A comment')
      const { slug } = await thread.page()
      expect((await app.open(`/p/${slug}`)).status).toBe(200)
      const before = await data(app)
      await suspend()
      for (const path of [`/p/${slug}`, `/p/${page.slug}`]) {
        expect((await app.open(path)).status).toBe(410)
      }
      await end()
      expect(await data(app)).toEqual(before)
      const { body } = await owner.call('GET', '/pages')
      expect(JSON.stringify(body)).toContain('the-plan')
      expect([(await app.open(`/p/${slug}`)).status, (await thread.list()).length]).toEqual([
        200, 1,
      ])
      expect(await (await app.open('/sitemap.xml')).text()).toContain(slug)
    })

    it('holds for a page that a request makes at the same time', async () => {
      const { app, owner, suspend, end } = await start(engine)
      await using _ = app
      const hold = app.holdWrite()
      const creating = owner.publish('<p>late words')
      await hold.reached
      await suspend()
      hold.release()
      const { id, slug } = await creating
      const answer = await app.open(`/p/${slug}`)
      expect([answer.status, (await answer.text()).includes('late words')]).toEqual([410, false])
      await end()
      expect(await (await app.open(`/p/${slug}`)).text()).toContain('late words')
      expect((await owner.page(id)).views).toBe(1)
    })

    it('stops an export and an import that run', async () => {
      const { app, owner, suspend } = await start(engine)
      await using _ = app
      for (const words of ['one', 'two', 'three']) {
        // It does not get smaller, so that the export is longer than what is sent ahead.
        const text = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex')
        await owner.publish(`<!doctype html><title>${words}</title>${text.repeat(8)}`)
      }
      const archive = await exported(app, owner)
      const running = await app.api('/account/export', {
        headers: { authorization: `Bearer ${owner.key}` },
      })
      const reader = running.body!.getReader()
      await reader.read()
      await suspend()
      const rest = async () => {
        while (!(await reader.read()).done);
      }
      expect(
        await rest().then(
          () => 'whole',
          () => 'broken off',
        ),
      ).toBe('broken off')

      const other = await app.owner()
      const { id } = await app.accounts.getByEmail(other.email)
      const account = (await app.accounts.find(id))!
      const zip = await zipOf(archive)
      const hold = app.holdRead('imported_pages')
      const importing = app.api('/account/import', {
        ...{ method: 'POST', headers: { authorization: `Bearer ${other.key}` } },
        body: zip as BodyInit,
      })
      await hold.reached
      await app.accountSuspension.suspend(account, null)
      hold.release()
      const answer = await importing
      expect([answer.status, await answer.json()]).toMatchObject([
        403,
        { error: { code: 'account_suspended' } },
      ])
      expect((await app.pages.idsOf(id)).length).toBeLessThan(2)
    })

    it('is refused for oneself and the last operator who can act, and logs who did what', async () => {
      const { app, operator, owner, id, path, suspend, end } = await start(engine)
      await using _ = app
      const own = `/operator/accounts/${operator.account.id}/suspension`
      expect(await operator.refused('POST', own, {})).toEqual([409, 'own_account'])
      await expect(app.accountSuspension.suspend(operator.account, null)).rejects.toMatchObject({
        code: 'last_operator',
      })
      await app.accounts.setOperator(owner.email, true)
      const second = await sessionOf(app, owner.email)
      await suspend()
      await suspend()
      expect(await second.refused('GET', '/operator/health')).toEqual([401, 'signed_out'])
      // A suspended operator is none who could act.
      await expect(app.accountSuspension.suspend(operator.account, null)).rejects.toMatchObject({
        code: 'last_operator',
      })
      await expect(app.accounts.setOperator(OPERATOR, false)).rejects.toMatchObject({
        code: 'last_operator',
      })
      await end()
      await end()
      expect(app.mails.map(({ subject }) => subject)).toEqual([
        'Your account at handbill.test is suspended',
        'Your account at handbill.test is no longer suspended',
      ])
      const lines = app.log.lines.filter(({ msg }) => msg.includes('suspen'))
      const fields = { account_id: id, by: operator.account.id }
      expect(lines).toMatchObject([
        { level: 'info', msg: 'an account was suspended', fields },
        { level: 'info', msg: 'the suspension of an account was ended', fields },
      ])
      expect(JSON.stringify(lines)).not.toContain('@')
      const nobody = '/operator/accounts/acc_x/suspension'
      for (const method of ['POST', 'DELETE']) {
        expect(await operator.refused(method, nobody, method === 'POST' ? {} : undefined)).toEqual([
          404,
          'account_not_found',
        ])
      }
      const listed = await operator.ask<{ email: string; suspended_at: string | null }[]>(
        'GET',
        '/operator/accounts',
      )
      expect(listed.map(({ suspended_at: at }) => at)).toEqual([null, null])
      expect(path).toContain(id)
    })

    it('shows its pages to the operator as those of a suspended account', async () => {
      const { app, operator, owner, suspend } = await start(engine)
      await using _ = app
      await owner.publish('<p>x', { title: 'Plan' })
      await suspend()
      expect(await operator.ask<object[]>('GET', '/operator/pages')).toMatchObject([
        { title: 'Plan', is_account_suspended: true },
      ])
    })
  })
}
