import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { createCodeGuard } from '../throttles/index.ts'
import { createConfirmations, type StartOptions } from './index.ts'

const EMAIL = 'ann@example.com'
const BROWSER = 'browser-of-ann'

/** The feature under test, with each call in a transaction of its own. */
function confirmationsOf(app: TestApp) {
  const confirmations = createConfirmations({ ...app, wrongCodes: createCodeGuard(app.throttles) })
  const write = app.database.write
  return {
    ...confirmations,
    start: (more: Partial<StartOptions> = {}) =>
      write((tx) =>
        confirmations.start(tx, { purpose: 'sign_in', email: EMAIL, browser: BROWSER, ...more }),
      ),
    redeem: (token: string) => write((tx) => confirmations.redeem(tx, token)),
    async redeemCode(code: string, more: object = {}) {
      const typed = { browser: BROWSER, address: '192.0.2.7', purpose: 'sign_in', code, ...more }
      const tried = await confirmations.redeemCode(typed, async (_tx, confirmation) => confirmation)
      return tried.outcome === 'right' ? tried.result : null
    },
  }
}
const other = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

for (const engine of ENGINES) {
  describe(`one-time links on ${engine}`, () => {
    it('return what they confirm, once', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { id, token } = await confirmations.start({ details: { next: '/app/é', n: 2 } })
      expect(token).toMatch(/^[\w-]{43}$/)
      const fields = { id, purpose: 'sign_in', email: EMAIL, page_id: null }
      expect(await confirmations.redeem(token)).toMatchObject({
        ...fields,
        details: { next: '/app/é', n: 2 },
      })
      expect(await confirmations.redeem(token)).toBeNull()
      expect(await confirmations.peek(token)).toBeNull()
    })

    it('are not changed when they are peeked at', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { id, token } = await confirmations.start()
      const before = await app.rows('confirmations')
      for (let i = 0; i < 3; i++)
        expect(await confirmations.peek(token)).toMatchObject({ id, email: EMAIL })
      expect(await app.rows('confirmations')).toEqual(before)
      expect(await confirmations.redeem(token)).toMatchObject({ id })
    })

    it('are redeemed once when many redeem one at the same time', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { token, code } = await confirmations.start()
      const all = await Promise.all([
        ...Array.from({ length: 8 }, () => confirmations.redeem(token)),
        ...Array.from({ length: 4 }, () => confirmations.redeemCode(code)),
      ])
      expect(all.filter((one) => one !== null)).toHaveLength(1)
    })

    it('expire after 15 minutes or their own time, and stay used when the clock is set back', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { token, code } = await confirmations.start()
      const long = await confirmations.start({ purpose: 'access_request', ttlMs: 7 * DAY_MS })
      app.advance(15 * MINUTE_MS - 5_000)
      expect(await confirmations.peek(token)).not.toBeNull()
      app.advance(5_001)
      expect(await confirmations.peek(token)).toBeNull()
      expect(await confirmations.redeem(token)).toBeNull()
      expect(await confirmations.redeemCode(code)).toBeNull()
      expect(await confirmations.peek(long.token)).not.toBeNull()
      const used = await confirmations.start()
      await confirmations.redeem(used.token)
      app.advance(-10 * MINUTE_MS)
      expect(await confirmations.redeem(used.token)).toBeNull()
    })

    it('are refused with any bit of the token flipped, and for malformed tokens', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { token, id, code } = await confirmations.start()
      const flipped = [...token].flatMap((_, at) =>
        [1, 2, 4, 8, 16, 32, 64].map((bit) => {
          const byte = String.fromCharCode(token.charCodeAt(at) ^ bit)
          return token.slice(0, at) + byte + token.slice(at + 1)
        }),
      )
      const odd = ['', id, code, `${token}=`, ` ${token}`, token.slice(1), `${token}\0`, "' OR 1=1"]
      for (const wrong of [...flipped, ...odd]) {
        if (wrong !== token) expect(await confirmations.redeem(wrong)).toBeNull()
      }
      expect(await confirmations.redeem(token)).toMatchObject({ id })
    })

    it('are stored as hashes: no token, code or browser id is in the database', async () => {
      await using app = await testApp(engine)
      const { token, code } = await confirmationsOf(app).start()
      const everything = await dumpDatabase(app)
      expect(everything).toContain(EMAIL)
      for (const secret of [token, BROWSER]) expect(everything).not.toContain(secret)
      const [row] = await app.rows('confirmations')
      const { code_hash, id } = row!
      const plain = [code, id + code, `${id}.${code}`, `${id}:${code}`]
      const hashes = plain.map((text) => new Bun.CryptoHasher('sha256').update(text).digest('hex'))
      expect([...plain, ...hashes]).not.toContain(code_hash)
    })

    it('are deleted by the sweep once they have expired, and not before', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      await confirmations.start()
      const { token } = await confirmations.start({ ttlMs: DAY_MS })
      expect(await confirmations.sweep()).toBe(0)
      app.advance(16 * MINUTE_MS)
      expect(await confirmations.sweep()).toBe(1)
      expect(await confirmations.redeem(token)).not.toBeNull()
    })
  })

  describe(`codes on ${engine}`, () => {
    it('are accepted once, spaces included, only in their browser and for their purpose and page', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { id, code, token } = await confirmations.start()
      expect(code).toMatch(/^\d{6}$/)
      expect(await confirmations.redeemCode(code, { browser: 'another' })).toBeNull()
      expect(await confirmations.redeemCode(code, { browser: '' })).toBeNull()
      expect(await confirmations.redeemCode(code, { purpose: 'open_page' })).toBeNull()
      expect(await confirmations.redeemCode(code, { page_id: 'pg_1' })).toBeNull()
      expect((await app.rows('confirmations'))[0]!.tries).toBe(0)
      const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `
      expect(await confirmations.redeemCode(spaced)).toMatchObject({ id, email: EMAIL })
      expect(await confirmations.redeemCode(code)).toBeNull()
      expect(await confirmations.redeem(token)).toBeNull()
    })

    it('allow five tries, counted whatever is typed and however many arrive at once', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { code, token } = await confirmations.start()
      const wrong = ['', 'abcdef', `${code}0`, ...[1, 2, 3, 4, 5].map((by) => other(code, by))]
      const answers = await Promise.all(wrong.map((typed) => confirmations.redeemCode(typed)))
      expect(answers.every((answer) => answer === null)).toBe(true)
      expect((await app.rows('confirmations'))[0]!.tries).toBe(5)
      expect(await confirmations.redeemCode(code)).toBeNull()
      expect(await confirmations.redeem(token)).not.toBeNull()
    })

    it('are accepted at the fifth try', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { code, id } = await confirmations.start()
      for (let by = 1; by <= 4; by++)
        expect(await confirmations.redeemCode(other(code, by))).toBeNull()
      expect(await confirmations.redeemCode(code)).toMatchObject({ id })
    })

    it('are valid for the newest confirmation alone, even after the newest was used', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const [first, second] = [await confirmations.start(), await confirmations.start()]
      if (first.code !== second.code) expect(await confirmations.redeemCode(first.code)).toBeNull()
      expect(await confirmations.redeemCode(second.code)).toMatchObject({ id: second.id })
      expect(await confirmations.redeemCode(first.code)).toBeNull()
      expect(await confirmations.peek(first.token)).not.toBeNull()
    })

    it('are never accepted where no browser asked', async () => {
      await using app = await testApp(engine)
      const confirmations = confirmationsOf(app)
      const { code } = await confirmations.start({ browser: null })
      for (const browser of ['', 'null', BROWSER]) {
        expect(await confirmations.redeemCode(code, { browser })).toBeNull()
      }
    })
  })
}
