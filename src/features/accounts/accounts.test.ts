import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { DAY_MS, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import type { Owner, Refused } from '../../testing/people.ts'

const EMAIL = 'ada@example.com'

async function statusWith(app: TestApp, authorization: string | null): Promise<number> {
  const headers = authorization === null ? {} : { authorization }
  return (await app.api('/pages', { headers })).status
}
async function keyOf(app: TestApp, { email }: Owner) {
  await app.quiet()
  return (await app.accounts.listKeys(email))[0]!
}

for (const engine of ENGINES) {
  describe(`API keys on ${engine}`, () => {
    it('start with sm_, then 34 random characters and 6 of their CRC-32, in base 62', async () => {
      await using app = await testApp(engine)
      const { key } = await app.owner()
      expect(key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
      const checksum = [...key.slice(-6)].reduce((sum, one) => sum * 62 + digitOf(one), 0)
      expect(checksum).toBe(Bun.hash.crc32(key.slice(3, 37)))
      const { key: other } = await app.owner()
      expect(other.slice(3, 37)).not.toBe(key.slice(3, 37))
    })

    it('are shown once: the database holds their SHA-256 and a hint, never the key', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<p>x')
      const [row] = await app.rows('api_keys')
      expect(row).toMatchObject({
        hash: createHash('sha256').update(owner.key).digest('hex'),
        hint: `${owner.key.slice(0, 7)}…${owner.key.slice(-4)}`,
      })
      const everything = await dumpDatabase(app)
      expect(everything).toContain(row!.hash)
      expect(everything).not.toContain(owner.key)
      expect(everything).not.toContain(owner.key.slice(7, -4))
      const [listed] = await app.accounts.listKeys(owner.email)
      expect(JSON.stringify(listed)).not.toContain(row!.hash)
    })

    it('with a wrong checksum are refused, even where their hash is stored', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [row] = await app.rows('api_keys')
      const last = owner.key.endsWith('0') ? '1' : '0'
      const typo = owner.key.slice(0, -1) + last
      const hash = createHash('sha256').update(typo).digest('hex')
      await app.database.write((tx) =>
        tx
          .insertInto('api_keys')
          .values({ ...row!, id: 'key_typo', hash })
          .execute(),
      )
      expect(await statusWith(app, `Bearer ${typo}`)).toBe(401)
      expect(await statusWith(app, `Bearer ${owner.key}`)).toBe(200)
    })

    it('that are missing, malformed, unknown or revoked are 401, and name no account', async () => {
      await using app = await testApp(engine)
      const { key, email } = await app.owner()
      const [{ id } = { id: '' }] = await app.accounts.listKeys(email)
      const other = await app.accounts.createKey(email, null)
      await app.accounts.revokeKey(id)
      const wrong = [null, '', 'Bearer', 'Bearer ', key, `Basic ${key}`, 'Bearer sm_short']
      const gone = [`Bearer ${key}`, `Bearer ${key.toLowerCase()}`, `Bearer ${key} ${key}`]
      for (const authorization of [...wrong, ...gone]) {
        const headers = authorization === null ? {} : { authorization }
        const answer = await app.api('/pages', { headers })
        const text = await answer.text()
        const challenge = expect.stringMatching(/^Bearer .*resource_metadata=/)
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge])
        expect((JSON.parse(text) as Refused).error.code).toMatch(/^(missing|bad)_key$/)
        expect(text).not.toContain(email)
      }
      expect(await statusWith(app, `Bearer ${other.key}`)).toBe(200)
      expect(await statusWith(app, `bearer   ${other.key} `)).toBe(200)
    })

    it('keep the time of their first revocation, and an unknown key cannot be revoked', async () => {
      await using app = await testApp(engine)
      const { email } = await app.owner()
      const [{ id } = { id: '' }] = await app.accounts.listKeys(email)
      await app.accounts.revokeKey(id)
      const [first] = await app.accounts.listKeys(email)
      await app.accounts.revokeKey(id)
      expect(await app.accounts.listKeys(email)).toEqual([first!])
      await expect(app.accounts.revokeKey('key_none')).rejects.toThrow('There is no key key_none.')
    })

    it('record their last use at most once a minute', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      expect((await keyOf(app, owner)).last_used_at).toBeNull()
      await owner.ask('GET', '/pages')
      const first = (await keyOf(app, owner)).last_used_at
      expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/)
      app.advance(MINUTE_MS - 10_000)
      await owner.ask('GET', '/pages')
      expect((await keyOf(app, owner)).last_used_at).toBe(first)
      app.advance(10_000)
      await owner.ask('GET', '/pages')
      expect((await keyOf(app, owner)).last_used_at! > first!).toBe(true)
    })

    it('record no use when they are refused', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await app.accounts.revokeKey((await keyOf(app, owner)).id)
      await owner.refused('GET', '/pages')
      expect((await keyOf(app, owner)).last_used_at).toBeNull()
    })
  })

  describe(`accounts on ${engine}`, () => {
    it('have one address each, however it is spelled and however many are added at once', async () => {
      await using app = await testApp(engine)
      const spellings = [EMAIL, 'Ada@Example.com', ` ${EMAIL} `, 'ADA@EXAMPLE.COM']
      const tries = spellings.map((email) => app.accounts.add({ email, plan: 'free' }))
      const results = await Promise.allSettled(tries)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const one of results) {
        if (one.status === 'rejected') expect(one.reason.code).toBe('account_exists')
      }
      expect((await app.accounts.list()).map(({ email }) => email)).toEqual([EMAIL])
    })

    it('have a plan, whose change takes effect with the next request', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'free' })
      const limited = { html: '<p>x', max_views: 1 }
      expect((await owner.refused('POST', '/pages', limited)).status).toBe(402)
      await app.accounts.setPlan(owner.email, 'pro')
      expect((await owner.publish(limited)).max_views).toBe(1)
    })
  })

  describe(`the set-up link on ${engine}`, () => {
    const input = { email: EMAIL, name: null, plan: 'free' as const }

    it('creates the first account, an operator, and its first key, once', async () => {
      await using app = await testApp(engine)
      const token = await app.accounts.createSetupLink()
      expect(await app.accounts.isSetupLink(token)).toBe(true)
      const { account, key } = await app.accounts.setUp(token, input)
      expect(account).toMatchObject({ email: EMAIL, plan: 'free', is_operator: true })
      const added = await app.accounts.add({ email: 'bob@example.com', plan: 'pro' })
      expect(added.is_operator).toBe(false)
      const listed = await app.accounts.list()
      expect(listed.map((each) => [each.email, each.is_operator])).toEqual([
        [EMAIL, true],
        ['bob@example.com', false],
      ])
      expect(await statusWith(app, `Bearer ${key.key}`)).toBe(200)
      expect(await app.accounts.isSetupLink(token)).toBe(false)
      const again = app.accounts.setUp(token, { ...input, email: 'eve@example.com' })
      await expect(again).rejects.toThrow('This set-up link has been used or has expired.')
      expect(await app.accounts.list()).toHaveLength(2)
    })

    it('is stored as its hash, never as the token', async () => {
      await using app = await testApp(engine)
      const token = await app.accounts.createSetupLink()
      const everything = await dumpDatabase(app)
      expect(everything).toContain(createHash('sha256').update(token).digest('hex'))
      expect(everything).not.toContain(token)
    })

    it('creates one account when it is used several times at once, or two links are', async () => {
      await using app = await testApp(engine)
      const one = await app.accounts.createSetupLink()
      const two = await app.accounts.createSetupLink()
      const tries = [one, one, two, one, two].map((token, at) =>
        app.accounts.setUp(token, { ...input, email: `founder-${at}@example.com` }),
      )
      const results = await Promise.allSettled(tries)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await app.rows('accounts')).toHaveLength(1)
      expect(await app.rows('api_keys')).toHaveLength(1)
      expect(await app.rows('setup_links')).toHaveLength(0)
    })

    it('expires after a day, and then creates nothing', async () => {
      await using app = await testApp(engine)
      const token = await app.accounts.createSetupLink()
      app.advance(DAY_MS - MINUTE_MS)
      expect(await app.accounts.isSetupLink(token)).toBe(true)
      app.advance(MINUTE_MS)
      expect(await app.accounts.isSetupLink(token)).toBe(false)
      await expect(app.accounts.setUp(token, input)).rejects.toThrow('used or has expired')
      expect(await app.rows('accounts')).toEqual([])
    })

    it('is invalid once there is an account', async () => {
      await using app = await testApp(engine)
      const token = await app.accounts.createSetupLink()
      const owner = await app.owner()
      await expect(app.accounts.setUp(token, input)).rejects.toThrow('used or has expired')
      expect((await app.accounts.list()).map(({ email }) => email)).toEqual([owner.email])
    })

    it('stays valid when the typed address is refused', async () => {
      await using app = await testApp(engine)
      const token = await app.accounts.createSetupLink()
      const bad = app.accounts.setUp(token, { ...input, email: 'not an address' })
      await expect(bad).rejects.toThrow('not an address is not an email address.')
      expect(await app.accounts.isSetupLink(token)).toBe(true)
      expect((await app.accounts.setUp(token, input)).account.email).toBe(EMAIL)
    })
  })
}

for (const engine of ENGINES) {
  describe(`operators on ${engine}`, () => {
    it('are made of the first account alone', async () => {
      await using app = await testApp(engine)
      const first = await app.accounts.addFirst({ email: 'ann@example.com', plan: 'team' })
      expect(first).toMatchObject({ email: 'ann@example.com', plan: 'team', is_operator: true })
      const second = { email: 'bob@example.com', plan: 'team' } as const
      expect(await app.accounts.addFirst(second)).toBeNull()
      expect(await app.accounts.add(second)).toMatchObject({ is_operator: false })
    })

    it('are ended at once by several commands, and one of them stays', async () => {
      await using app = await testApp(engine)
      const emails = ['ann@example.com', 'bob@example.com', 'cat@example.com']
      for (const email of emails) {
        await app.accounts.add({ email, plan: 'free' })
        await app.accounts.setOperator(email, true)
      }
      const ends = emails.map((email) => app.accounts.setOperator(email, false))
      const results = await Promise.allSettled(ends)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      const operators = (await app.accounts.list()).filter((account) => account.is_operator)
      expect(operators).toHaveLength(1)
      const last = app.accounts.setOperator(operators[0]!.email, false)
      await expect(last).rejects.toThrow('is the only operator of this server')
    })
  })
}

function digitOf(base62: string): number {
  return '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(base62)
}
