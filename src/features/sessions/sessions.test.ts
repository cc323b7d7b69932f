import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { createSessions } from './index.ts'

function roomOf(app: TestApp) {
  const room = createSessions({ ...app, findAccount: app.accounts.find })
  return {
    ...room,
    create: (accountId: string, userAgent: string | null = 'Test/1.0') =>
      app.database.write((tx) => room.create(tx, accountId, userAgent)),
  }
}
const accountIn = (app: TestApp, email: string) => app.accounts.add({ email, plan: 'free' })

for (const engine of ENGINES) {
  describe(`sessions on ${engine}`, () => {
    it('are found by their token, and hand back the account as it is now', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const account = await accountIn(app, 'ann@example.com')
      const token = await room.create(account.id)
      expect(token).toMatch(/^[\w-]{43}$/)
      const id = (await room.list(account.id))[0]!.id
      expect(await room.find(token)).toEqual({ session_id: id, account })
      await app.accounts.setPlan(account.email, 'pro')
      expect((await room.find(token))!.account.plan).toBe('pro')
    })

    it('are stored as hashes, and found with no byte of the token changed', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const token = await room.create((await accountIn(app, 'ann@example.com')).id)
      expect(await dumpDatabase(app)).not.toContain(token)
      const flipped = [...token].flatMap((_, at) =>
        [1, 2, 16, 64].map((bit) => {
          const byte = String.fromCharCode(token.charCodeAt(at) ^ bit)
          return token.slice(0, at) + byte + token.slice(at + 1)
        }),
      )
      const [row] = await app.rows('sessions')
      for (const wrong of [...flipped, '', row!.id, row!.token_hash, `${token}=`]) {
        expect(await room.find(wrong)).toBeNull()
      }
    })

    it('last 30 days from when they were last seen', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const token = await room.create((await accountIn(app, 'ann@example.com')).id)
      for (let i = 0; i < 3; i++) {
        app.advance(29 * DAY_MS)
        expect(await room.find(token)).not.toBeNull()
        await app.quiet()
      }
      app.advance(30 * DAY_MS + 1_000)
      expect(await room.find(token)).toBeNull()
      expect(await room.sweep()).toBe(1)
      expect(await app.rows('sessions')).toEqual([])
    })

    it('are written at most once an hour, however often they are seen', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const token = await room.create((await accountIn(app, 'ann@example.com')).id)
      const [first] = await app.rows('sessions')
      app.advance(HOUR_MS - 60_000)
      for (let i = 0; i < 5; i++) await room.find(token)
      await app.quiet()
      expect(await app.rows('sessions')).toEqual([first!])
      app.advance(60_000)
      await room.find(token)
      await app.quiet()
      const [second] = await app.rows('sessions')
      expect(second!.last_seen_at > first!.last_seen_at).toBe(true)
      expect(second!.expires_at > first!.expires_at).toBe(true)
    })

    it('end at once when they are revoked, one or all, and only one’s own', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      const bob = await accountIn(app, 'bob@example.com')
      const tokens = [
        await room.create(ann.id),
        await room.create(ann.id),
        await room.create(ann.id),
      ]
      const ofBob = await room.create(bob.id)
      const { session_id: sessionId } = (await room.find(tokens[0]!))!
      expect(await room.revoke(bob.id, sessionId)).toBe(false)
      expect(await room.revoke(ann.id, 'ses_none')).toBe(false)
      expect(await room.revoke(ann.id, sessionId)).toBe(true)
      expect(await room.find(tokens[0]!)).toBeNull()
      const { session_id: mine } = (await room.find(tokens[1]!))!
      expect(await room.revokeAll(ann.id, mine)).toBe(1)
      expect(await room.find(tokens[2]!)).toBeNull()
      expect(await room.revokeAll(ann.id)).toBe(1)
      expect(await room.list(ann.id)).toEqual([])
      expect(await room.find(ofBob)).not.toBeNull()
    })

    it('that are revoked while they are seen stay revoked', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      const token = await room.create(ann.id)
      app.advance(2 * HOUR_MS)
      await Promise.all([room.find(token), room.revokeAll(ann.id), room.find(token)])
      await app.quiet()
      expect(await room.find(token)).toBeNull()
    })

    it('keep what the browser says of itself, within bounds', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const ann = await accountIn(app, 'ann@example.com')
      await room.create(ann.id, `${'x'.repeat(299)}😀`)
      await room.create(ann.id, null)
      const agents = (await room.list(ann.id)).map(({ user_agent: userAgent }) => userAgent)
      expect(agents).toEqual(['', `${'x'.repeat(299)}\ufffd`])
    })
  })
}
