import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { DEFAULT_PLANS } from '../../model/plan.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { FORM } from '../../testing/form-page.ts'
import { sessionOf } from '../../testing/signed-in.ts'

interface Key {
  id: string
  name: string | null
  hint: string
  key?: string
  last_used_at: string | null
}
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

for (const engine of ENGINES) {
  describe(`keys, sessions and the account on ${engine}`, () => {
    it('a key is shown by the answer that makes it and by no other, and works until revoked', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const made = await browser.ask<Key>('POST', '/keys', { name: ' Laptop ' })
      expect(made).toMatchObject({ name: 'Laptop', last_used_at: null, confirmed_only: false })
      expect(made.key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
      expect(made.hint).toBe(`${made.key!.slice(0, 7)}…${made.key!.slice(-4)}`)
      const headers = { authorization: `Bearer ${made.key}` }
      expect((await app.api('/account', { headers })).status).toBe(200)
      await app.quiet()
      const listed = await browser.ask<Key[]>('GET', '/keys')
      expect(listed.map(({ name }) => name)).toEqual(['test', 'Laptop'])
      expect(listed[1]!.last_used_at).not.toBeNull()
      expect(Object.keys(listed[1]!).toSorted()).toEqual([
        ...['confirmed_only', 'created_at', 'expires_at', 'hint', 'id', 'last_used_at', 'name'],
        ...['page_ids', 'scopes'],
      ])
      const stored = await dumpDatabase(app)
      expect(stored).not.toContain(made.key!)
      const hash = createHash('sha256').update(made.key!).digest('hex')
      expect(JSON.stringify(listed)).not.toContain(hash)
      expect((await browser.call('DELETE', `/keys/${made.id}`)).status).toBe(204)
      expect((await app.api('/account', { headers })).status).toBe(401)
      expect(await browser.ask<Key[]>('GET', '/keys')).toHaveLength(1)
    })

    it('no key lists, makes or revokes keys, changes the account or ends sessions', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const [key] = await browser.ask<Key[]>('GET', '/keys')
      const state = async () => ({
        accounts: await app.rows('accounts'),
        sessions: await app.rows('sessions'),
        keys: (await app.rows('api_keys')).map((row) => ({ ...row, last_used_at: null })),
      })
      const before = await state()
      const attempts = [
        ['GET', '/keys'],
        ['POST', '/keys', { name: 'x' }],
        ['DELETE', `/keys/${key!.id}`],
        ['PATCH', '/account', { name: 'x' }],
        ['GET', '/sessions'],
        ['DELETE', '/sessions'],
        ['DELETE', '/sessions/current'],
      ] as const
      for (const [method, path, body] of attempts) {
        const { status, body: answer } = await owner.refused(method, path, body)
        expect([path, status, answer.error.code]).toEqual([path, 403, 'session_only'])
      }
      await app.quiet()
      expect(await state()).toEqual(before)
    })

    it('a key of another account cannot be revoked, and answers like an unknown one', async () => {
      await using app = await testApp(engine)
      const [ann, bob] = [await app.owner(), await app.owner()]
      const [ofAnn, ofBob] = [await sessionOf(app, ann.email), await sessionOf(app, bob.email)]
      const [key] = await ofAnn.ask<Key[]>('GET', '/keys')
      for (const id of [key!.id, 'key_none']) {
        expect(await ofBob.refused('DELETE', `/keys/${id}`)).toEqual([404, 'key_not_found'])
      }
      expect((await ann.call('GET', '/account')).status).toBe(200)
    })

    it('an account has at most 100 keys, however many are made at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const made = await Promise.all(
        Array.from({ length: 110 }, () => browser.call<{ data: Key }>('POST', '/keys', {})),
      )
      expect(made.filter(({ status }) => status === 201)).toHaveLength(99)
      expect(await browser.refused('POST', '/keys', {})).toEqual([409, 'too_many_keys'])
      const [key] = await browser.ask<Key[]>('GET', '/keys')
      await browser.call('DELETE', `/keys/${key!.id}`)
      expect((await browser.call('POST', '/keys', {})).status).toBe(201)
    })

    it('sessions are listed in words, own first, and end one by one or all others at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const one = await sessionOf(app, owner.email, LINUX)
      const two = await sessionOf(app, owner.email, 'curl/8.14.1')
      const three = await sessionOf(app, owner.email)
      type Listed = { id: string; browser: string; is_current: boolean }[]
      const listed = await one.ask<Listed>('GET', '/sessions')
      expect(listed.map(({ browser, is_current: own }) => [browser, own])).toEqual([
        ['Firefox on Linux', true],
        ['A program', false],
        ['curl', false],
      ])
      const [, , ofTwo] = listed
      expect((await one.call('DELETE', `/sessions/${ofTwo!.id}`)).status).toBe(204)
      expect(await two.refused('GET', '/sessions')).toEqual([401, 'signed_out'])
      expect(await one.refused('DELETE', `/sessions/${ofTwo!.id}`)).toEqual([
        404,
        'session_not_found',
      ])
      expect(await one.ask('DELETE', '/sessions')).toEqual({ ended: 1 })
      expect(await three.refused('GET', '/account')).toEqual([401, 'signed_out'])
      expect((await one.call('DELETE', '/sessions/current')).status).toBe(204)
      expect(await one.refused('GET', '/sessions')).toEqual([401, 'signed_out'])
    })

    it('nobody ends or sees the session of another account', async () => {
      await using app = await testApp(engine)
      const [ann, bob] = [await app.owner(), await app.owner()]
      const [ofAnn, ofBob] = [await sessionOf(app, ann.email), await sessionOf(app, bob.email)]
      const [session] = await ofAnn.ask<{ id: string }[]>('GET', '/sessions')
      expect(await ofBob.refused('DELETE', `/sessions/${session!.id}`)).toEqual([
        404,
        'session_not_found',
      ])
      await ofBob.ask('DELETE', '/sessions')
      expect(await ofAnn.ask('GET', '/sessions')).toHaveLength(1)
    })

    it('the account says its plan, its limits and what of it is used', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'pro' })
      const other = await app.owner()
      await other.publish('<p>of another account</p>')
      const html = `<!doctype html><title>x</title>${'x'.repeat(1000)}`
      const page = await owner.publish(html)
      await owner.ask('PATCH', `/pages/${page.id}`, { html: `${html}y` })
      await owner.publish('<p>draft</p>', { publish: false })
      const browser = await sessionOf(app, owner.email)
      const account = await browser.ask<Record<string, unknown>>('GET', '/account')
      expect(account).toEqual({
        id: expect.stringMatching(/^acc_/),
        email: owner.email,
        name: null,
        plan: 'pro',
        plan_name: 'Pro',
        plan_price: null,
        is_operator: false,
        is_guest: false,
        page_mails: true,
        accent: null,
        logo: null,
        saved_filters: [],
        created_at: expect.any(String),
        limits: DEFAULT_PLANS.pro.limits,
        usage: {
          pages: 2,
          published_pages: 1,
          stored_bytes: html.length * 2 + 1 + '<p>draft</p>'.length,
          uploads: 0,
          upload_bytes: 0,
          responses: 0,
          response_bytes: 0,
        },
      })
      expect(await owner.ask<unknown>('GET', '/account')).toEqual(account)
    })

    it('filters are saved by name, at most 30, and a change of some keeps the others', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const change = async (filters: object) =>
        (
          await browser.ask<{ saved_filters: { name: string; filters: object }[] }>(
            'PATCH',
            '/account',
            { saved_filters: Object.entries(filters).map(([name, of]) => ({ name, filters: of })) },
          )
        ).saved_filters
      const drafts = { state: 'draft', search: 'été', folder: 'Q3', sort: 'no such order' }
      const stored = { name: 'Drafts', filters: drafts }
      expect(await change({ Drafts: { ...drafts, x: 1 } })).toEqual([stored])
      const decks = { name: 'Decks', filters: { kind: 'bundle' } }
      expect(await change({ ' Decks ': decks.filters })).toEqual([decks, stored])
      // Renamed: the old name goes with the same request.
      const renamed = { ...stored, name: '__proto__' }
      const entries = { Drafts: null, ['__proto__']: stored.filters, Gone: null }
      expect(await change(entries)).toEqual([decks, renamed])
      // Another change of the account keeps them, and other accounts have none.
      const named = await browser.ask<object>('PATCH', '/account', { name: 'Ada' })
      expect(named).toMatchObject({ saved_filters: [decks, renamed] })
      const other = await sessionOf(app, (await app.owner()).email)
      expect(await other.ask<object>('GET', '/account')).toMatchObject({ saved_filters: [] })

      const many = Object.fromEntries([...Array(28).keys()].map((at) => [`View ${at}`, {}]))
      expect(await change(many)).toHaveLength(30)
      const one = { saved_filters: [{ name: 'One more', filters: {} }] }
      expect(await browser.refused('PATCH', '/account', one)).toEqual([
        409,
        'too_many_saved_filters',
      ])
      const swap = { 'View 0': null, 'One more': {} }
      expect((await change(swap)).map(({ name }) => name)).toContain('One more')
      for (const wrong of [
        { name: '', filters: {} },
        { name: 'x'.repeat(61), filters: {} },
        { name: 'a\nb', filters: {} },
        { name: 'Long', filters: { search: 'x'.repeat(201) } },
        { name: 'Long', filters: { kind: 'x'.repeat(21) } },
      ]) {
        expect(await browser.refused('PATCH', '/account', { saved_filters: [wrong] })).toEqual([
          400,
          'invalid_parameter',
        ])
      }
    })

    it('name and mails can be changed, each alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const named = await browser.ask<object>('PATCH', '/account', { name: 'Ada <b>' })
      expect(named).toMatchObject({ name: 'Ada <b>', page_mails: true })
      const muted = await browser.ask<object>('PATCH', '/account', { page_mails: false })
      expect(muted).toMatchObject({ name: 'Ada <b>', page_mails: false })
      expect(await browser.ask<object>('PATCH', '/account', { name: null })).toMatchObject({
        name: null,
        page_mails: false,
      })
      expect(await browser.ask<object>('PATCH', '/account', {})).toMatchObject({ name: null })
      for (const wrong of [{ name: '' }, { name: 'x'.repeat(101) }, { name: 'a\nb' }]) {
        expect(await browser.refused('PATCH', '/account', wrong)).toEqual([
          400,
          'invalid_parameter',
        ])
      }
      for (const member of ['plan', 'is_operator', 'email']) {
        expect(await browser.refused('PATCH', '/account', { [member]: 'team' })).toEqual([
          400,
          'unknown_parameter',
        ])
      }
    })

    it('with page_mails off no page mails its owner, and its own settings are kept', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const page = await owner.publish(FORM, { notify_on_view: true })
      const view = async () => {
        await (await app.open(`/p/${page.slug}`)).text()
        await app.quiet()
        return app.mails.length
      }
      await browser.ask('PATCH', '/account', { page_mails: false })
      expect(await view()).toBe(0)
      expect((await owner.page(page.id)).notify_on_view).toBe(true)
      await browser.ask('PATCH', '/account', { page_mails: true })
      expect(await view()).toBe(1)
    })

    it('a guest sees, renames and signs out its account, and has no keys', async () => {
      await using app = await testApp(engine)
      await app.database.write((tx) =>
        app.accounts.findOrCreate(tx, { email: 'gus@example.com', plan: 'free', is_guest: true }),
      )
      const guest = await sessionOf(app, 'gus@example.com')
      expect(await guest.ask<object>('GET', '/account')).toMatchObject({ is_guest: true })
      await guest.ask('PATCH', '/account', { name: 'Gus' })
      for (const [method, path] of [
        ['GET', '/keys'],
        ['GET', '/pages'],
      ] as const) {
        expect(await guest.refused(method, path)).toEqual([403, 'guest_session'])
      }
      expect(await guest.refused('POST', '/keys', {})).toEqual([403, 'guest_session'])
      expect((await guest.call('DELETE', '/sessions/current')).status).toBe(204)
    })
  })
}
