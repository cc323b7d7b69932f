import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { createSessions, type SignInBrowser } from './index.ts'

function sessionsOf(app: TestApp) {
  const sessions = createSessions({ ...app, findAccount: app.accounts.find })
  return {
    ...sessions,
    create: (accountId: string, browser: Partial<SignInBrowser> = {}) =>
      app.database.write((tx) =>
        sessions.create(tx, accountId, { user_agent: 'Test/1.0', token: null, ...browser }),
      ),
  }
}
const accountIn = (app: TestApp, email: string) => app.accounts.add({ email, plan: 'free' })

for (const engine of ENGINES) {
  describe(`sessions on ${engine}`, () => {
    it('are found by their token, with the account as it is now', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const account = await accountIn(app, 'ann@example.com')
      const token = await sessions.create(account.id)
      expect(token).toMatch(/^[\w-]{43}$/)
      const id = (await sessions.list(account.id))[0]!.id
      expect(await sessions.find(token)).toEqual({
        session_id: id,
        account,
        has_recent_sign_in: true,
      })
      await app.accounts.setPlan(account.email, 'pro')
      expect((await sessions.find(token))!.account.plan).toBe('pro')
    })

    it('are stored as hashes, and not found by a token with a changed byte', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const token = await sessions.create((await accountIn(app, 'ann@example.com')).id)
      expect(await dumpDatabase(app)).not.toContain(token)
      const flipped = [...token].flatMap((_, at) =>
        [1, 2, 16, 64].map((bit) => {
          const byte = String.fromCharCode(token.charCodeAt(at) ^ bit)
          return token.slice(0, at) + byte + token.slice(at + 1)
        }),
      )
      const [row] = await app.rows('sessions')
      for (const wrong of [...flipped, '', row!.id, row!.token_hash, `${token}=`]) {
        expect(await sessions.find(wrong)).toBeNull()
      }
    })

    it('last 30 days from when they were last seen', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const token = await sessions.create((await accountIn(app, 'ann@example.com')).id)
      for (let i = 0; i < 3; i++) {
        app.advance(29 * DAY_MS)
        expect(await sessions.find(token)).not.toBeNull()
        await app.quiet()
      }
      app.advance(30 * DAY_MS + 1_000)
      expect(await sessions.find(token)).toBeNull()
      expect(await sessions.sweep()).toBe(1)
      expect(await app.rows('sessions')).toEqual([])
    })

    it('are written at most once an hour, however often they are seen', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const token = await sessions.create((await accountIn(app, 'ann@example.com')).id)
      const [first] = await app.rows('sessions')
      app.advance(HOUR_MS - 60_000)
      for (let i = 0; i < 5; i++) await sessions.find(token)
      await app.quiet()
      expect(await app.rows('sessions')).toEqual([first!])
      app.advance(60_000)
      await sessions.find(token)
      await app.quiet()
      const [second] = await app.rows('sessions')
      expect(second!.last_seen_at > first!.last_seen_at).toBe(true)
      expect(second!.expires_at > first!.expires_at).toBe(true)
    })

    it('end at once when their own account revokes one or all of them', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      const bob = await accountIn(app, 'bob@example.com')
      const tokens = [
        await sessions.create(ann.id),
        await sessions.create(ann.id),
        await sessions.create(ann.id),
      ]
      const ofBob = await sessions.create(bob.id)
      const { session_id } = (await sessions.find(tokens[0]!))!
      expect(await sessions.revoke(bob.id, session_id)).toBe(false)
      expect(await sessions.revoke(ann.id, 'ses_none')).toBe(false)
      expect(await sessions.revoke(ann.id, session_id)).toBe(true)
      expect(await sessions.find(tokens[0]!)).toBeNull()
      const { session_id: mine } = (await sessions.find(tokens[1]!))!
      expect(await sessions.revokeAll(ann.id, mine)).toBe(1)
      expect(await sessions.find(tokens[2]!)).toBeNull()
      expect(await sessions.revokeAll(ann.id)).toBe(1)
      expect(await sessions.list(ann.id)).toEqual([])
      expect(await sessions.find(ofBob)).not.toBeNull()
    })

    it('go on under their id with a new token when their browser signs in again', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      const bob = await accountIn(app, 'bob@example.com')
      const first = await sessions.create(ann.id)
      const { session_id } = (await sessions.find(first))!
      app.advance(HOUR_MS)
      expect(await sessions.find(first)).toMatchObject({ has_recent_sign_in: false })
      const second = await sessions.create(ann.id, { token: first })
      expect(await sessions.find(first)).toBeNull()
      expect(await sessions.find(second)).toMatchObject({
        session_id,
        has_recent_sign_in: true,
      })
      const ofBob = await sessions.create(bob.id, { token: second })
      expect(await sessions.find(second)).toBeNull()
      expect((await sessions.find(ofBob))!.session_id).not.toBe(session_id)
      expect(await app.rows('sessions')).toHaveLength(1)
    })

    it('stay revoked when they are used while they are being revoked', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      const token = await sessions.create(ann.id)
      app.advance(2 * HOUR_MS)
      await Promise.all([sessions.find(token), sessions.revokeAll(ann.id), sessions.find(token)])
      await app.quiet()
      expect(await sessions.find(token)).toBeNull()
    })

    it('store the user agent, shortened to 300 characters', async () => {
      await using app = await testApp(engine)
      const sessions = sessionsOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      await sessions.create(ann.id, { user_agent: `${'x'.repeat(299)}😀` })
      await sessions.create(ann.id, { user_agent: null })
      const agents = (await sessions.list(ann.id)).map(({ user_agent }) => user_agent)
      expect(agents).toEqual(['', `${'x'.repeat(299)}\ufffd`])
    })
  })
}
