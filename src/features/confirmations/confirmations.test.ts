import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { createConfirmations, type StartOptions } from './index.ts'

const EMAIL = 'ann@example.com'
const BROWSER = 'browser-of-ann'

/** A room of its own, so that these tests need none of its callers. */
function roomOf(app: TestApp) {
  const room = createConfirmations(app)
  const write = app.database.write
  return {
    ...room,
    start: (more: Partial<StartOptions> = {}) =>
      write((tx) =>
        room.start(tx, { purpose: 'sign_in', email: EMAIL, browser: BROWSER, ...more }),
      ),
    redeem: (token: string) => write((tx) => room.redeem(tx, token)),
    typed: (code: string, more: object = {}) =>
      write((tx) => room.redeemCode(tx, { browser: BROWSER, purpose: 'sign_in', code, ...more })),
  }
}
const other = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

for (const engine of ENGINES) {
  describe(`one-time links on ${engine}`, () => {
    it('hand back what they are for, once', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { id, token } = await room.start({ details: { next: '/app/é', n: 2 } })
      expect(token).toMatch(/^[\w-]{43}$/)
      const known = { id, purpose: 'sign_in', email: EMAIL, page_id: null }
      expect(await room.redeem(token)).toMatchObject({
        ...known,
        details: { next: '/app/é', n: 2 },
      })
      expect(await room.redeem(token)).toBeNull()
      expect(await room.peek(token)).toBeNull()
    })

    it('are changed by no look at them', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { id, token } = await room.start()
      const before = await app.rows('confirmations')
      for (let i = 0; i < 3; i++) expect(await room.peek(token)).toMatchObject({ id, email: EMAIL })
      expect(await app.rows('confirmations')).toEqual(before)
      expect(await room.redeem(token)).toMatchObject({ id })
    })

    it('are won by one of many that use one at once', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { token, code } = await room.start()
      const all = await Promise.all([
        ...Array.from({ length: 8 }, () => room.redeem(token)),
        ...Array.from({ length: 4 }, () => room.typed(code)),
      ])
      expect(all.filter((one) => one !== null)).toHaveLength(1)
    })

    it('last 15 minutes, or as long as they are given, and a clock set back revives none', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { token, code } = await room.start()
      const long = await room.start({ purpose: 'access_request', ttlMs: 7 * DAY_MS })
      app.advance(15 * MINUTE_MS - 5_000)
      expect(await room.peek(token)).not.toBeNull()
      app.advance(5_001)
      expect(await room.peek(token)).toBeNull()
      expect(await room.redeem(token)).toBeNull()
      expect(await room.typed(code)).toBeNull()
      expect(await room.peek(long.token)).not.toBeNull()
      const used = await room.start()
      await room.redeem(used.token)
      app.advance(-10 * MINUTE_MS)
      expect(await room.redeem(used.token)).toBeNull()
    })

    it('are refused with any byte of the token flipped, and as anything else', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { token, id, code } = await room.start()
      const flipped = [...token].flatMap((_, at) =>
        [1, 2, 4, 8, 16, 32, 64].map((bit) => {
          const byte = String.fromCharCode(token.charCodeAt(at) ^ bit)
          return token.slice(0, at) + byte + token.slice(at + 1)
        }),
      )
      const odd = ['', id, code, `${token}=`, ` ${token}`, token.slice(1), `${token}\0`, "' OR 1=1"]
      for (const wrong of [...flipped, ...odd]) {
        if (wrong !== token) expect(await room.redeem(wrong)).toBeNull()
      }
      expect(await room.redeem(token)).toMatchObject({ id })
    })

    it('are stored as hashes: no token, code or browser is in the database', async () => {
      await using app = await testApp(engine)
      const { token, code } = await roomOf(app).start()
      const everything = await dumpDatabase(app)
      expect(everything).toContain(EMAIL)
      for (const secret of [token, BROWSER]) expect(everything).not.toContain(secret)
      const [row] = await app.rows('confirmations')
      const { code_hash: codeHash, id } = row!
      const plain = [code, id + code, `${id}.${code}`, `${id}:${code}`]
      const hashes = plain.map((text) => new Bun.CryptoHasher('sha256').update(text).digest('hex'))
      expect([...plain, ...hashes]).not.toContain(codeHash)
    })

    it('are swept once expired, and not before', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      await room.start()
      const { token } = await room.start({ ttlMs: DAY_MS })
      expect(await room.sweep()).toBe(0)
      app.advance(16 * MINUTE_MS)
      expect(await room.sweep()).toBe(1)
      expect(await room.redeem(token)).not.toBeNull()
    })
  })

  describe(`codes on ${engine}`, () => {
    it('count once, spaces and all, only in the browser that asked and for what it asked', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { id, code, token } = await room.start()
      expect(code).toMatch(/^\d{6}$/)
      expect(await room.typed(code, { browser: 'another' })).toBeNull()
      expect(await room.typed(code, { browser: '' })).toBeNull()
      expect(await room.typed(code, { purpose: 'open_page' })).toBeNull()
      expect(await room.typed(code, { page_id: 'pg_1' })).toBeNull()
      expect((await app.rows('confirmations'))[0]!.tries).toBe(0)
      const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `
      expect(await room.typed(spaced)).toMatchObject({ id, email: EMAIL })
      expect(await room.typed(code)).toBeNull()
      expect(await room.redeem(token)).toBeNull()
    })

    it('take five tries, counted whatever is typed and however many try at once', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { code, token } = await room.start()
      const wrong = ['', 'abcdef', `${code}0`, ...[1, 2, 3, 4, 5].map((by) => other(code, by))]
      const answers = await Promise.all(wrong.map((typed) => room.typed(typed)))
      expect(answers.every((answer) => answer === null)).toBe(true)
      expect((await app.rows('confirmations'))[0]!.tries).toBe(5)
      expect(await room.typed(code)).toBeNull()
      expect(await room.redeem(token)).not.toBeNull()
    })

    it('are right at the fifth try still', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { code, id } = await room.start()
      for (let by = 1; by <= 4; by++) expect(await room.typed(other(code, by))).toBeNull()
      expect(await room.typed(code)).toMatchObject({ id })
    })

    it('are the newest one’s alone: an older one stays dead when the newest is used', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const [first, second] = [await room.start(), await room.start()]
      if (first.code !== second.code) expect(await room.typed(first.code)).toBeNull()
      expect(await room.typed(second.code)).toMatchObject({ id: second.id })
      expect(await room.typed(first.code)).toBeNull()
      expect(await room.peek(first.token)).not.toBeNull()
    })

    it('are none where nobody’s browser asked', async () => {
      await using app = await testApp(engine)
      const room = roomOf(app)
      const { code } = await room.start({ browser: null })
      for (const browser of ['', 'null', BROWSER]) {
        expect(await room.typed(code, { browser })).toBeNull()
      }
    })
  })
}
