import { describe, expect, it } from 'bun:test'
import { Webhook as Verifier } from 'standardwebhooks'
import type { Message } from '../../platform/fetch/index.ts'
import { DAY_MS, ENGINES, HOUR_MS, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createForm, times } from '../../testing/test-form.ts'
import { createPoll } from '../../testing/test-poll.ts'
import { createHook, type Sent, URL_ } from '../../testing/test-webhook.ts'
import type { Webhook } from './contract.ts'

for (const engine of ENGINES) {
  describe(`webhooks on ${engine}`, () => {
    it('sign what they send, as the reference library verifies', async () => {
      await using app = await testApp(engine)
      const { owner, talk, hook, taken, path } = await createHook(app)
      expect(hook).toMatchObject({ url: URL_, format: 'standard', is_on: true, page_id: null })
      expect(hook.secret).toMatch(/^whsec_[\w+/]{43}=$/)
      const { id } = await talk.post('one', 'Why nine?')
      await app.webhooks.flush()
      const [{ headers, body }] = taken as unknown as [Message]
      const verifier = new Verifier(hook.secret)
      const read = verifier.verify(body, { ...headers }) as Sent
      const [event] = (await owner.ask<{ items: object[] }>('GET', '/feedback?cursor=start')).items
      expect(read).toEqual({ type: 'comment', timestamp: read.timestamp, data: event } as never)
      expect(read.data.comment).toMatchObject({ id, body: 'Why nine?' })
      expect(() => verifier.verify(`${body} `, { ...headers })).toThrow()
      // The secret is told once, and stored sealed.
      expect(await owner.ask('GET', path)).not.toHaveProperty('secret')
      expect(JSON.stringify(await app.rows('webhooks'))).not.toContain(hook.secret.slice(6))
      expect(JSON.stringify(app.log.lines)).not.toContain(hook.secret)
      expect(app.mails.map(({ subject }) => subject)).toContain(
        'Events of your pages are sent to receiver.example now',
      )
    })

    it('send each event once and in order, of their page and types, but not the owner’s', async () => {
      await using app = await testApp(engine)
      const { owner, talk, taken } = await createHook(app, { types: ['comment', 'response'] })
      const other = await createThread(app, owner)
      await owner.ask('POST', '/webhooks', { url: `${URL_}/2`, page_id: talk.id })
      const form = await createForm(app, owner)
      const poll = await createPoll(app, owner)
      for (const at of times(25, (index) => index)) await talk.post('one', `${at}`)
      await other.post('one', 'elsewhere')
      await talk.write('I say')
      await form.send('one', { a: 1 })
      await poll.vote('one', 'B')
      await Promise.all([app.webhooks.flush(), app.webhooks.flush(), app.webhooks.flush()])
      await app.webhooks.flush()
      const of = (url: string) =>
        taken
          .filter((each) => each.url === url)
          .map(({ body }) => JSON.parse(body) as Sent)
          .map(({ type, data }) => data.comment?.body ?? type)
      const numbers = times(25, (index) => `${index}`)
      expect(of(URL_)).toEqual([...numbers, 'elsewhere', 'response'])
      expect(of(`${URL_}/2`)).toEqual(numbers)
      expect(new Set(taken.map(({ headers }) => headers['webhook-id'])).size).toBe(27 + 25)
    })

    it('send the rest at once where a page is deleted after its events were read', async () => {
      await using app = await testApp(engine)
      const { owner, talk, bodies } = await createHook(app)
      const other = await createThread(app, owner)
      await talk.post('one', 'of the page that goes')
      await other.post('one', 'of the page that stays')
      // The first write takes the webhook, the second stores its deliveries.
      const storing = app.holdWrite(2)
      const flushed = app.webhooks.flush()
      await storing.reached
      expect((await owner.call('DELETE', `/pages/${talk.id}`)).status).toBe(204)
      storing.release()
      await flushed
      expect(bodies()).toEqual(['of the page that stays'])
    })

    it('lose nothing while the receiver is down for an hour', async () => {
      await using app = await testApp(engine)
      const { talk, taken, state, bodies, read, deliveries } = await createHook(app)
      state.status = null
      for (const at of times(12, (index) => index)) {
        await talk.post('one', `${at}`)
        await app.webhooks.flush()
        app.advance(5 * MINUTE_MS)
      }
      expect(taken).toEqual([])
      expect(await read()).toMatchObject({ waiting: 11, is_on: true })
      // The last one waits in the sequence.
      const first = (await deliveries()).at(-1)!
      expect(first).toMatchObject({ state: 'waiting', status: null, answer: null })
      // One of them is tried, and stands for all of them.
      expect(first.attempts).toBeGreaterThan(4)
      expect((await deliveries())[0]!.attempts).toBe(0)
      state.status = 200
      app.advance(HOUR_MS)
      await app.webhooks.flush()
      expect(bodies()).toEqual(times(12, (index) => `${index}`))
      expect(taken[0]!.headers['webhook-id']).toBe(first.id)
      expect(await read()).toMatchObject({ waiting: 0 })
    })

    it('wait where the key of the server does not open their secret, and say so', async () => {
      await using app = await testApp(engine)
      const { owner, talk, hook, path, bodies, read } = await createHook(app)
      const { secret } = (await app.rows('webhooks'))[0]!
      const setSecret = (text: string) =>
        app.database.write((tx) => tx.updateTable('webhooks').set({ secret: text }).execute())
      await talk.post('one', 'Why nine?')
      await setSecret(app.secrets.seal('webhook', 'another', hook.secret))
      await app.webhooks.flush()
      await app.webhooks.flush()
      const said = app.log.lines.filter(({ msg }) => msg.includes('does not open the secret'))
      expect(said).toHaveLength(1)
      expect(await read()).toMatchObject({ is_on: false, off_reason: 'secret_lost' })
      for (const [method, at] of [
        ['POST', '/test'],
        ['GET', '/deliveries'],
      ] as const) {
        const { status, body } = await owner.call(method, path + at)
        expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('_lost')])
      }
      expect(bodies()).toEqual([])
      await setSecret(secret)
      app.advance(HOUR_MS)
      await app.webhooks.flush()
      expect(bodies()).toEqual(['Why nine?'])
      expect(await read()).toMatchObject({ is_on: true, off_reason: null })
    })

    it('send the rest to another address from when it is changed', async () => {
      await using app = await testApp(engine)
      const { owner, talk, path } = await createHook(app)
      for (const at of times(5, (index) => index)) await talk.post('one', `${at}`)
      const addresses: string[] = []
      app.receiver.take = async (url) => {
        addresses.push(url)
        if (addresses.length !== 2) return { status: 204, text: '' }
        await owner.ask('PATCH', path, { url: `${URL_}/new` })
        // Of the old address: the new one is there.
        return { status: 410, text: '' }
      }
      await app.webhooks.flush()
      app.advance(HOUR_MS)
      await app.webhooks.flush()
      expect(addresses).toEqual([URL_, URL_, ...times(4, () => `${URL_}/new`)])
    })

    it('send nothing more once the key that they came with is revoked', async () => {
      await using app = await testApp(engine)
      const { owner, talk, taken } = await createHook(app)
      const [key] = await app.accounts.listKeys(owner.email)
      for (const at of times(5, (index) => index)) await talk.post('one', `${at}`)
      app.receiver.take = async (url, message) => {
        taken.push({ url, ...message })
        if (taken.length === 2) await app.accounts.revokeKey(key!.id)
        return { status: 204, text: '' }
      }
      await app.webhooks.flush()
      expect(taken).toHaveLength(2)
    })

    it('go off after three days with a mail, and go on from there once they are on again', async () => {
      await using app = await testApp(engine)
      const { owner, talk, state, bodies, read, path } = await createHook(app)
      state.status = 503
      await talk.post('one', 'first')
      await talk.post('one', 'second')
      let hours = 0
      for (; (await read()).is_on && hours < 200; hours += 1) {
        await app.webhooks.flush()
        app.advance(HOUR_MS)
      }
      expect(hours).toBeGreaterThan(60)
      expect(hours).toBeLessThan(110)
      expect(await read()).toMatchObject({ is_on: false, off_reason: 'failing', waiting: 2 })
      expect(app.mails.at(-1)!.subject).toBe('The webhook to receiver.example was switched off')
      const tries = bodies().length
      await talk.post('one', 'third')
      app.advance(DAY_MS)
      await app.webhooks.flush()
      expect(bodies()).toHaveLength(tries)
      state.status = 200
      expect(await owner.ask('PATCH', path, { is_on: true })).toMatchObject({ off_reason: null })
      await app.webhooks.flush()
      expect(bodies().slice(tries)).toEqual(['first', 'second', 'third'])
    })

    it('go off at once where the receiver is gone', async () => {
      await using app = await testApp(engine)
      const { talk, state, taken, read } = await createHook(app)
      state.status = 410
      await talk.post('one', 'first')
      await talk.post('one', 'second')
      await app.webhooks.flush()
      expect(taken).toHaveLength(1)
      expect(await read()).toMatchObject({ is_on: false, off_reason: 'gone', waiting: 2 })
      expect(app.mails.at(-1)!.paragraphs[0]).toContain('gone (410)')
    })

    it('are not held up by a message that their receiver refuses', async () => {
      await using app = await testApp(engine)
      const { talk, taken, read, deliveries } = await createHook(app)
      app.receiver.take = async (url, message) => {
        if (message.body.includes('<script>')) return { status: 400, text: 'no such words' }
        taken.push({ url, ...message })
        return { status: 200, text: '' }
      }
      await talk.post('one', '<script>')
      for (let day = 0; day < 5; day += 1) {
        await talk.post('one', `day ${day}`)
        for (let hour = 0; hour < 24; hour += 1) {
          await app.webhooks.flush()
          app.advance(HOUR_MS)
        }
      }
      expect(taken).toHaveLength(5)
      expect(await read()).toMatchObject({ is_on: true, waiting: 0 })
      const refused = (await deliveries()).filter(({ state }) => state === 'failed')
      expect(refused).toMatchObject([{ status: 400, answer: 'no such words', attempts: 24 }])
    })

    it('belong to their account, end with it and with their page, and are few', async () => {
      await using app = await testApp(engine)
      const { owner, talk, path, hook } = await createHook(app)
      const bob = await app.owner()
      for (const [method, at] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/deliveries'],
        ['POST', '/test'],
        ['POST', '/deliveries/msg_x/redeliver'],
      ] as const) {
        const body = method === 'PATCH' ? { is_on: false } : undefined
        const { body: refused } = await bob.refused(method, path + at, body)
        expect(refused.error.code).toBe('webhook_not_found')
      }
      expect(await bob.ask<Webhook[]>('GET', '/webhooks')).toEqual([])
      for (const url of ['http://receiver.example/', 'receiver', 'ftp://a.example/']) {
        const { body } = await owner.refused('POST', '/webhooks', { url })
        expect(body.error).toMatchObject({ code: 'invalid_url', param: 'url' })
      }
      const typed = { url: ` HTTPS://Receiver.example/a\r\nb\t?c=ä ` }
      const changed = await owner.ask<Webhook>('PATCH', path, typed)
      expect(changed.url).toBe('https://receiver.example/ab?c=%C3%A4')
      const foreign = await owner.refused('POST', '/webhooks', { url: URL_, page_id: 'pg_none' })
      expect(foreign.body.error.param).toBe('page_id')
      const limited = { url: URL_, page_id: talk.id }
      const adding = times(12, () => owner.call('POST', '/webhooks', limited))
      const added = (await Promise.all(adding)).filter(({ status }) => status === 201)
      expect(added).toHaveLength(9)
      const { body } = await owner.refused('POST', '/webhooks', limited)
      expect(body.error.code).toBe('too_many_webhooks')
      await owner.call('DELETE', `/pages/${talk.id}?forever=true`)
      await app.database.write((tx) => tx.deleteFrom('pages').where('id', '=', talk.id).execute())
      expect((await owner.ask<Webhook[]>('GET', '/webhooks')).map(({ id }) => id)).toEqual([
        hook.id,
      ])
      const account = (await app.accounts.list()).find(({ email }) => email === owner.email)!
      await app.accountDeletion.delete(account, owner.email)
      expect(await app.rows('webhooks')).toEqual([])
    })

    it('that came with an API key end with it, until their owner changes them', async () => {
      await using app = await testApp(engine)
      const { owner, talk, taken, hook } = await createHook(app)
      const account = (await app.accounts.list()).find(({ email }) => email === owner.email)!
      const [key] = await app.accounts.activeKeys(account.id)
      await app.accounts.revokeKey(key!.id)
      await talk.post('one', 'hello')
      await app.webhooks.flush()
      expect(taken).toEqual([])
      // As the app does it, by a session.
      const bySession = (name: string, input: object = {}) => {
        const { run } = app.operations.find(({ contract }) => contract.name === name)!
        const subject = { account, context: {} }
        return run(subject as never, { webhook_id: hook.id, ...input } as never, null as never)
      }
      const find = () => bySession('getWebhook')
      expect(await find()).toMatchObject({ is_on: false, off_reason: 'key_revoked' })
      await bySession('updateWebhook', { is_on: true })
      await app.webhooks.flush()
      expect(taken).toHaveLength(1)
      expect(await find()).toMatchObject({ is_on: true, off_reason: null })
    })

    it('send nothing for a suspended account, and go on within a minute after it', async () => {
      await using app = await testApp(engine)
      const { owner, talk, taken } = await createHook(app)
      await talk.post('one', 'hello')
      const account = (await app.accounts.list()).find(({ email }) => email === owner.email)!
      const suspend = (suspended_at: string | null) =>
        app.database.write((tx) =>
          tx.updateTable('accounts').set({ suspended_at }).where('id', '=', account.id).execute(),
        )
      await suspend(app.clock.now())
      await app.webhooks.flush()
      expect(taken).toEqual([])
      await suspend(null)
      app.advance(60_000)
      await app.webhooks.flush()
      expect(taken).toHaveLength(1)
    })
  })
}
