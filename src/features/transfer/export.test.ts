import { describe, expect, it } from 'bun:test'
import { Readable } from 'node:stream'
import type { Account } from '../../model/account.ts'
import type { Refusal } from '../../model/errors.ts'
import { createClock } from '../../platform/clock.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { sendArchive } from '../../testing/archives.ts'
import type { Owner } from '../../testing/people.ts'
import { createExport } from './export.ts'

/** Asks for an export, and reads nothing of it. */
async function begin(app: TestApp, { key }: Owner) {
  const answer = await app.api('/account/export', { headers: { authorization: `Bearer ${key}` } })
  return answer
}

async function refusal(answer: Response) {
  const { error } = (await answer.json()) as { error: { code: string } }
  return [answer.status, error.code, answer.headers.get('retry-after')]
}

const RUNNING = [409, 'export_running', '60']
const TOO_MANY = [429, 'too_many_exports', '60']

for (const engine of ENGINES) {
  describe(`exports at once on ${engine}`, () => {
    it('are two of an account, and eight of all: one that ends makes way for another', async () => {
      await using app = await testApp(engine)
      const owners = await Promise.all(Array.from({ length: 5 }, () => app.owner()))
      for (const owner of owners) await owner.publish('<p>x')
      const begun: Response[] = []
      for (const owner of owners.slice(0, 4)) {
        for (const answer of [await begin(app, owner), await begin(app, owner)]) {
          expect(answer.status).toBe(200)
          begun.push(answer)
        }
        expect(await refusal(await begin(app, owner))).toEqual(RUNNING)
      }
      const last = owners[4]!
      expect(await refusal(await begin(app, last))).toEqual(TOO_MANY)
      // One is read whole, and the reader of another goes away.
      expect((await begun[0]!.bytes()).byteLength).toBeGreaterThan(100)
      await begun[1]!.body!.cancel()
      const own = [await begin(app, last), await begin(app, last)]
      expect(own.map(({ status }) => status)).toEqual([200, 200])
      for (const answer of [...begun.slice(2), ...own]) await answer.body!.cancel()
    })

    it('are two for the app and the keys of an account together', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const visitor = await app.signedIn(owner)
      const begun = [await begin(app, owner), await visitor.open('/app/account/export')]
      expect(begun.map(({ status }) => status)).toEqual([200, 200])
      const refused = await visitor.open('/app/account/export')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '60'])
      expect(await refused.text()).toContain('exporting twice already')
      for (const answer of begun) await answer.body!.cancel()
    })
  })
}

for (const engine of ENGINES) {
  describe(`on ${engine}, while it lasts`, () => {
    it('an export ends with the key that asked for it, and others go on', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const part of ['one', 'two']) await owner.publish(`<p>${part}${'x'.repeat(100_000)}`)
      const { id, key } = await app.accounts.createKey(owner.email, 'other')
      const [ended, whole] = [await begin(app, { ...owner, key }), await begin(app, owner)]
      await app.accounts.revokeKey(id)
      await expect(ended.bytes()).rejects.toMatchObject({ code: 'bad_key' })
      expect((await whole.bytes()).byteLength).toBeGreaterThan(500)
    })

    it('an archive is imported no further once the key is revoked', async () => {
      await using app = await testApp(engine)
      const [owner, target] = [await app.owner(), await app.owner()]
      for (const part of ['one', 'two', 'three']) await owner.publish(`<p>${part}`)
      const archive = await (await begin(app, owner)).bytes()
      const { id, key } = await app.accounts.createKey(target.email, 'other')
      await app.api('/pages', { headers: { authorization: `Bearer ${key}` } })
      await app.quiet()
      const hold = app.holdWrite()
      const importing = sendArchive(app, { ...target, key }, archive)
      await hold.reached
      await app.accounts.revokeKey(id)
      hold.release()
      expect(await refusal(await importing)).toEqual([401, 'bad_key', null])
      expect((await target.ask<unknown[]>('GET', '/pages')).length).toBeLessThan(2)
    })
  })
}

describe('an export', () => {
  it('of which nothing is read makes way for another', async () => {
    const exportAccount = createExport({
      clock: createClock(),
      baseUrl: 'http://one.example',
      idleTimeoutMs: 200,
      assertActive: async () => {},
      brandOf: async () => ({ accent: null, logo_base64: null }),
      pages: {
        idsOf: async () => [],
        find: async () => undefined,
        passwordOf: () => null,
        originOf: async () => null,
      },
      countersOf: async () => new Map(),
      versionsOf: async () => [],
      getManifest: () => Promise.reject(new Error('no manifest')),
      readFile: () => Readable.from([]),
      rowsOf: () => ({}),
      approvalRecord: async () => null,
    })
    const account = { id: 'acc_1', email: 'ann@example.com', name: null, plan: 'pro' } as Account
    const codeOf = () => {
      try {
        return exportAccount(account).filename.slice(0, 9)
      } catch (err) {
        return (err as Refusal).code
      }
    }
    const [first, second] = [exportAccount(account), exportAccount(account)]
    const reading = first.chunks[Symbol.asyncIterator]()
    expect((await reading.next()).done).toBe(false)
    expect(codeOf()).toBe('export_running')
    await Bun.sleep(250)
    expect([codeOf(), codeOf(), codeOf()]).toEqual(['handbill-', 'handbill-', 'export_running'])
    await expect(reading.next()).rejects.toThrow('too slowly')
    await expect(second.chunks[Symbol.asyncIterator]().next()).rejects.toThrow('too slowly')
  })
})
