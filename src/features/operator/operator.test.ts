import { describe, expect, it } from 'bun:test'
import { ENGINES, type Engine, testApp } from '../../testing/app.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { BROWSER, framePathIn } from '../../testing/visitor.ts'
import { addressHealth, diskHealth, mailHealth } from './health.ts'

type Listed = Record<string, unknown>[]

async function withOperator(engine: Engine) {
  const app = await testApp(engine)
  await app.accounts.addFirst({ email: 'op@example.com', plan: 'team' })
  return { app, operator: await sessionOf(app, 'op@example.com') }
}

const FRAMED = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }

/** All operations of the operator. */
const OPERATIONS = [
  ['GET', '/operator/accounts'],
  ['POST', '/operator/accounts', { email: 'new@example.com' }],
  ['PATCH', '/operator/accounts/acc_x', { plan: 'pro' }],
  ['GET', '/operator/pages'],
  ['POST', '/operator/pages/pg_x/takedown', { reason: 'x' }],
  ['DELETE', '/operator/pages/pg_x/takedown'],
  ['GET', '/operator/storage'],
  ['GET', '/operator/health'],
  ['GET', '/operator/mails'],
  ['GET', '/operator/mails/mail_x'],
  ['POST', '/operator/mails/mail_x/retry', {}],
] as const

for (const engine of ENGINES) {
  describe(`the operator on ${engine}`, () => {
    it('is nobody else: other accounts and API keys are refused, the operator’s key too', async () => {
      const { app } = await withOperator(engine)
      await using _ = app
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const { key } = await app.accounts.createKey('op@example.com', null)
      for (const [method, path, body] of OPERATIONS) {
        expect([path, await browser.refused(method, path, body)]).toEqual([
          path,
          [403, 'operator_only'],
        ])
        const json = { 'content-type': 'application/json' }
        const answer = await app.api(path, {
          method,
          headers: { authorization: `Bearer ${key}`, ...json },
          ...(body && { body: JSON.stringify(body) }),
        })
        expect([path, answer.status]).toEqual([path, 403])
        expect(await answer.json()).toMatchObject({ error: { code: 'session_only' } })
      }
      expect((await app.accounts.list()).map(({ email }) => email)).not.toContain('new@example.com')
    })

    it('lists and finds accounts with what they use', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const owner = await app.owner({ email: 'ada_b@example.com', plan: 'free' })
      await app.accounts.add({ email: 'adaxb@example.com', plan: 'pro', name: 'Grace 100%' })
      await owner.publish('<p>12345</p>')
      const find = async (search: string) => {
        const path = `/operator/accounts?search=${encodeURIComponent(search)}`
        return (await operator.ask<Listed>('GET', path)).map(({ email }) => email)
      }
      const all = await operator.ask<Listed>('GET', '/operator/accounts')
      expect(all.map(({ email }) => email)).toEqual([
        'adaxb@example.com',
        'ada_b@example.com',
        'op@example.com',
      ])
      expect(all[1]).toMatchObject({ plan: 'free', pages: 1, stored_bytes: 12, responses: 0 })
      expect(JSON.stringify(all)).not.toMatch(/sm_|hash|deleted_at/)
      expect(await find('ADA_B')).toEqual(['ada_b@example.com'])
      expect(await find('grace')).toEqual(['adaxb@example.com'])
      expect(await find('100%')).toEqual(['adaxb@example.com'])
      expect(await find("' OR 1=1 --")).toEqual([])
      const first = await operator.call<{ next_offset: number }>(
        'GET',
        '/operator/accounts?limit=2',
      )
      expect(first.body.next_offset).toBe(2)
    })

    it('makes accounts, whose owners are mailed how to sign in', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const made = await operator.ask('POST', '/operator/accounts', {
        email: 'New@Example.com',
        name: 'Ned',
        plan: 'pro',
      })
      expect(made).toMatchObject({ email: 'new@example.com', name: 'Ned', plan: 'pro', pages: 0 })
      expect(app.mails).toHaveLength(1)
      expect(app.mails[0]).toMatchObject({
        to: 'new@example.com',
        button: { url: 'http://handbill.test/app/sign-in' },
      })
      await operator.ask('POST', '/operator/accounts', { email: 'q@example.com', send_mail: false })
      expect(app.mails).toHaveLength(1)
      const again = { email: 'new@example.com' }
      expect(await operator.refused('POST', '/operator/accounts', again)).toEqual([
        409,
        'account_exists',
      ])
      expect(await operator.refused('POST', '/operator/accounts', { email: 'no' })).toEqual([
        400,
        'invalid_parameter',
      ])
      expect(app.mails).toHaveLength(1)
    })

    it('sets plans and operators; the last one stays', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const owner = await app.owner({ plan: 'free' })
      const { account } = await sessionOf(app, owner.email)
      const path = `/operator/accounts/${account.id}`
      expect(await operator.ask('PATCH', path, { plan: 'pro' })).toMatchObject({ plan: 'pro' })
      await owner.publish('<p>x', { max_views: 5 })
      expect(await operator.ask('PATCH', path, { is_operator: true })).toMatchObject({
        plan: 'pro',
        is_operator: true,
      })
      const own = `/operator/accounts/${operator.account.id}`
      await operator.ask('PATCH', own, { is_operator: false })
      expect(await operator.refused('GET', '/operator/health')).toEqual([403, 'operator_only'])
      const other = await sessionOf(app, owner.email)
      expect(await other.refused('PATCH', path, { is_operator: false, plan: 'free' })).toEqual([
        409,
        'last_operator',
      ])
      expect(await other.ask<object>('GET', '/account')).toMatchObject({ plan: 'pro' })
      expect(await other.refused('PATCH', '/operator/accounts/acc_x', { plan: 'pro' })).toEqual([
        404,
        'account_not_found',
      ])
    })

    it('takes a page down: visitors meet a notice, its owner sees why and cannot reopen it', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const owner = await app.owner()
      const secret = 'the words of the page'
      const page = await owner.publish(`<p>${secret}</p>`, {
        og_title: 'Win a prize',
        title: 'Prize',
        indexed: true,
      })
      const path = `/operator/pages/${page.id}/takedown`
      const down = await operator.ask<object>('POST', path, { reason: 'Phishing <b>' })
      expect(down).toMatchObject({ owner: owner.email, state: 'closed', closed_by: 'taken_down' })
      expect(JSON.stringify(down)).not.toContain(secret)

      for (const headers of [{}, BROWSER, { 'user-agent': 'Slackbot 1.0' }]) {
        const answer = await app.open(`/p/${page.slug}`, headers)
        const text = await answer.text()
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([410, 'no-store'])
        expect(text).toContain('taken down')
        for (const hidden of [secret, 'Win a prize', 'Prize', 'Phishing']) {
          expect(text).not.toContain(hidden)
        }
      }
      expect(await (await app.open('/sitemap.xml')).text()).not.toContain(page.slug)
      expect(await owner.page(page.id)).toMatchObject({
        is_published: true,
        state: 'closed',
        closed_by: 'taken_down',
        taken_down_reason: 'Phishing <b>',
        views: 0,
      })
      expect(app.mails.at(-1)).toMatchObject({
        to: owner.email,
        paragraphs: expect.arrayContaining(['The reason: Phishing <b>']),
      })
      for (const change of [{ taken_down_at: null }, { taken_down_reason: null }]) {
        const refused = await owner.refused('PATCH', `/pages/${page.id}`, change)
        expect(refused.body.error.code).toBe('unknown_parameter')
      }
      await owner.update(page.id, { access: 'link' })
      await owner.ask('DELETE', `/pages/${page.id}/publish`)
      await owner.ask('POST', `/pages/${page.id}/publish`, {})
      expect((await app.open(`/p/${page.slug}`)).status).toBe(410)
      const listed = (state: string) => owner.ask<Listed>('GET', `/pages?state=${state}`)
      expect([await listed('closed'), await listed('live')].map((list) => list.length)).toEqual([
        1, 0,
      ])
      const copy = await owner.ask('POST', `/pages/${page.id}/duplicate`)
      expect(copy.taken_down_reason).toBe('Phishing <b>')
      await owner.ask('POST', `/pages/${copy.id}/publish`, {})
      expect((await app.open(`/p/${copy.slug}`)).status).toBe(410)
      const seen = await (await app.signedIn(owner)).open(`/p/${page.slug}`)
      expect([seen.status, (await seen.text()).includes(secret)]).toEqual([200, true])

      const mails = app.mails.length
      const back = await operator.ask<object>('DELETE', path)
      expect(back).toMatchObject({ state: 'live', taken_down_at: null, taken_down_reason: null })
      expect(await (await app.open(`/p/${page.slug}`)).text()).toContain(secret)
      expect(app.mails).toHaveLength(mails + 1)
      await operator.ask('DELETE', path)
      expect(app.mails).toHaveLength(mails + 1)
    })

    it('a page that is taken down opens by no frame address, password or form of before', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const owner = await app.owner()
      const html = '<p>framed</p><script>localStorage.a = 1</script>'
      const page = await owner.publish(html, { access: 'password', password: 'open sesame' })
      const visitor = app.visitor(BROWSER)
      await visitor.givePassword(`/p/${page.slug}`, 'open sesame')
      const shell = await visitor.open(`/p/${page.slug}`)
      const frame = await framePathIn(shell)
      expect((await visitor.open(`${frame}index.html`, FRAMED)).status).toBe(200)
      await operator.ask('POST', `/operator/pages/${page.id}/takedown`, { reason: 'x' })
      const framed = await visitor.open(`${frame}index.html`, FRAMED)
      expect(framed.status).toBeGreaterThanOrEqual(400)
      expect(await framed.text()).not.toContain('framed')
      const again = await visitor.open(`/p/${page.slug}`)
      expect([again.status, (await again.text()).includes('framed')]).toEqual([410, false])
    })

    it('finds pages of all accounts by title, slug and whether they are down', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const [ann, bob] = [await app.owner(), await app.owner()]
      const one = await ann.publish('<p>x', { title: 'Launch plan', access: 'password' })
      await bob.publish('<p>x', { title: 'Other', slug: 'launch-two' })
      const find = async (query: string) =>
        (await operator.ask<Listed>('GET', `/operator/pages?${query}`)).map(({ title }) => title)
      expect(await find('')).toEqual(['Other', 'Launch plan'])
      expect(await find('search=launch')).toEqual(['Other', 'Launch plan'])
      expect(await find('search=launch%20plan')).toEqual(['Launch plan'])
      expect(await find('taken_down=true')).toEqual([])
      await operator.ask('POST', `/operator/pages/${one.id}/takedown`, { reason: 'x' })
      expect(await find('taken_down=true')).toEqual(['Launch plan'])
      expect(await find('taken_down=false')).toEqual(['Other'])
      const text = JSON.stringify((await operator.call('GET', '/operator/pages')).body)
      expect(text).not.toContain(one.password!)
      expect(
        await operator.refused('POST', '/operator/pages/pg_none/takedown', { reason: 'x' }),
      ).toEqual([404, 'page_not_found'])
    })

    it('says how much is stored', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const owner = await app.owner()
      await owner.publish('<!doctype html><p>12345</p>')
      await owner.publish('<!doctype html><p>12345</p>', { publish: false })
      await owner.publish(`<!doctype html>${'x'.repeat(500_000)}`)
      const storage = await operator.ask<Record<string, number>>('GET', '/operator/storage')
      expect(storage).toMatchObject({ accounts: 2, guests: 0, pages: 3, published_pages: 2 })
      expect(storage.file_bytes).toBeGreaterThan(500_000)
      expect(storage.file_bytes_in_database).toBeLessThan(100_000)
      expect(storage.database_bytes).toBeGreaterThan(0)
    })

    it('reads mails that nobody gets, and sees and repeats those that failed', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const mail = { to: 'ann@example.com', subject: 'Sign in', paragraphs: ['one'], reason: 'x' }
      const button = { label: 'Sign in', url: 'https://handbill.test/app/confirm/secret-token' }
      await app.database.write((tx) => app.sendMail(tx, { ...mail, button }))
      const list = async (query = '') =>
        operator.ask<{ id: string; state: string }[]>('GET', `/operator/mails${query}`)
      const [waiting] = await list('?state=waiting')
      expect(waiting).toMatchObject({ to: 'ann@example.com', subject: 'Sign in', attempts: 0 })
      expect(JSON.stringify(await list())).not.toContain('secret-token')
      const path = `/operator/mails/${waiting!.id}`
      expect((await operator.ask<{ text: string }>('GET', path)).text).toContain('secret-token')

      await app.database.write((tx) =>
        tx
          .updateTable('outbox')
          .set({ last_error: '550 no', not_before: '9999-12-31T00:00:00.000000Z', attempts: 24 })
          .execute(),
      )
      expect(await list('?state=failed')).toMatchObject([{ state: 'failed', last_error: '550 no' }])
      expect(await list('?state=waiting')).toEqual([])
      const repeated = await operator.ask<object>('POST', `${path}/retry`, {})
      expect(repeated).toMatchObject({ state: 'retrying', attempts: 0 })
      await app.mailbox.delivered()
      expect(app.mailbox.lastTo('ann@example.com')).toBeDefined()
      expect(await operator.ask<object>('GET', path)).toMatchObject({ state: 'sent', text: null })
      expect(await operator.refused('POST', `${path}/retry`, {})).toEqual([409, 'mail_sent'])
      expect(await operator.refused('GET', '/operator/mails/mail_x')).toEqual([
        404,
        'mail_not_found',
      ])
      expect(app.log.lines.map((line) => JSON.stringify(line)).join('\n')).not.toContain(
        'secret-token',
      )
    })

    it('says how the parts are, with what to do', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const health = await operator.ask<{
        version: string
        state: string
        parts: { name: string; state: string; cure: string | null }[]
      }>('GET', '/operator/health')
      expect(health.version).toMatch(/^\d+\.\d+\.\d+/)
      const states = Object.fromEntries(health.parts.map(({ name, state }) => [name, state]))
      expect(states).toMatchObject({ database: 'ok', files: 'ok', mail: 'warning' })
      for (const { state, cure } of health.parts) expect(cure === null).toBe(state === 'ok')
      expect(health.state).not.toBe('ok')
    })
  })
}

const MB = 1024 ** 2
describe('the health of', () => {
  it('a disk warns below 1 GB, or 5 % of up to 20 GB, and fails below 100 MB', () => {
    const state = (free: number, total: number) =>
      diskHealth({ free_bytes: free * MB, total_bytes: total * MB }).state
    expect(state(20_000, 100_000)).toBe('ok')
    expect(state(4_000, 100_000)).toBe('warning')
    expect(state(900, 2_000)).toBe('warning')
    expect(state(30_000, 4_000_000)).toBe('ok')
    expect(state(20_000, 4_000_000)).toBe('warning')
    expect(state(50, 2_000)).toBe('failing')
  })
  it('mail warns without a mail server, and of mails that were given up', () => {
    expect(mailHealth(true, { waiting: 3, failed: 0 }).state).toBe('ok')
    expect(mailHealth(true, { waiting: 0, failed: 1 }).state).toBe('warning')
    expect(mailHealth(false, { waiting: 0, failed: 0 }).cure).toContain('SMTP_URL')
  })
  it('the address warns without TLS, but not on this computer', () => {
    for (const url of ['https://a.example', 'http://localhost:8787', 'http://127.0.0.1:1']) {
      expect(addressHealth(url).state).toBe('ok')
    }
    for (const url of ['http://a.example', 'http://localhost.evil.example', 'http://10.0.0.1']) {
      expect(addressHealth(url).state).toBe('warning')
    }
  })
})
