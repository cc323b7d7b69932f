import { describe, expect, it, test } from 'bun:test'
import type { PageObject } from '../../model/page/page-object.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { dumpDatabase } from '../../testing/dump.ts'
import { type PageDeps, passwordOf } from './parts.ts'

const PASSWORD = 'Zwölf Boxkämpfer jagen'

/** Every way in which the text could be stored unsealed. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text)
  const spelled = [bytes.toString('latin1'), text, JSON.stringify(text).slice(1, -1)]
  const encoded = [bytes.toString('base64').slice(0, -4), bytes.toString('hex')]
  return [...spelled, ...encoded, encodeURIComponent(text)]
}

async function sealedOf(app: TestApp, { id }: PageObject): Promise<string> {
  return (await app.rows('pages')).find((page) => page.id === id)!.password_sealed!
}

for (const engine of ENGINES) {
  describe(`a page’s password on ${engine}`, () => {
    it('is shown to its owner on single-page answers, and in no list', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const access = { access: 'password', password: PASSWORD }
      const page = await owner.publish('<p>x', access)
      expect(page.password).toBe(PASSWORD)
      expect((await owner.page(page.id)).password).toBe(PASSWORD)
      expect((await owner.update(page.id, { accent: 'red' })).password).toBe(PASSWORD)
      expect((await owner.edit(page.id, 'x', 'y')).data.password).toBe(PASSWORD)
      const restored = await owner.ask('POST', `/pages/${page.id}/versions/1/restore`)
      expect(restored.password).toBe(PASSWORD)
      expect((await owner.ask('POST', `/pages/${page.id}/publish`)).password).toBe(PASSWORD)
      const list = await owner.call<{ data: object[] }>('GET', '/pages')
      expect(list.body.data).toHaveLength(1)
      expect(list.body.data[0]).not.toHaveProperty('password')
      expect(JSON.stringify(list.body)).not.toContain('Boxk')
    })

    it('is sealed in the database, which has its text nowhere', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const access = { access: 'password', password: PASSWORD }
      const body = { html: '<p>x', ...access }
      await owner.call('POST', '/pages', body, { 'idempotency-key': 'k' })
      const { id } = await owner.publish('<p>y', { access: 'password' })
      await owner.update(id, { password: PASSWORD })
      const everything = await dumpDatabase(app)
      for (const spelling of spellings(PASSWORD)) expect(everything).not.toContain(spelling)
      expect(JSON.stringify(app.log.lines)).not.toContain('Boxk')
      for (const { password_sealed } of await app.rows('pages')) {
        expect(password_sealed).toMatch(/^v1(\.[\w-]+){3}$/)
      }
    })

    it('is sealed for its page: where it cannot be opened, its owner can set a new one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [mine, theirs] = [
        await owner.publish('<p>x', { access: 'password', password: PASSWORD }),
        await owner.publish('<p>y', { access: 'password', password: 'another one' }),
      ]
      const passwordSealed = await sealedOf(app, mine)
      expect(passwordSealed).not.toBe(await sealedOf(app, theirs))
      await app.database.write((tx) =>
        tx
          .updateTable('pages')
          .set({ password_sealed: passwordSealed })
          .where('id', '=', theirs.id)
          .execute(),
      )
      expect(await owner.page(theirs.id)).not.toHaveProperty('password')
      expect(await owner.update(theirs.id, { title: 'New' })).not.toHaveProperty('password')
      expect((await owner.update(theirs.id, { password: 'a new one' })).password).toBe('a new one')
      expect((await owner.page(mine.id)).password).toBe(PASSWORD)
    })

    it('is four random words where the request has none', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pages = await Promise.all(
        Array.from({ length: 5 }, () => owner.publish('<p>x', { access: 'password' })),
      )
      const passwords = pages.map(({ password }) => password)
      for (const password of passwords) expect(password).toMatch(/^[a-z]{3,8}(-[a-z]{3,8}){3}$/)
      expect(new Set(passwords).size).toBe(5)
      const later = await owner.publish('<p>y')
      expect(later).not.toHaveProperty('password')
      expect((await owner.update(later.id, { access: 'password' })).password).toMatch(/^[a-z-]+$/)
    })

    it('is kept while access is something else, and used again afterwards', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x', { access: 'password', password: PASSWORD })
      expect(await owner.update(id, { access: 'link' })).not.toHaveProperty('password')
      expect(await owner.page(id)).not.toHaveProperty('password')
      expect((await owner.update(id, { access: 'password' })).password).toBe(PASSWORD)
    })

    it('has 4 to 128 characters of any kind that can be typed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const input = { html: '<p>x', access: 'password' }
      for (const password of ['', 'abc', 'x'.repeat(129), 'nul\0nul', 'half \ud83d', 1234, null]) {
        const answer = await owner.refused('POST', '/pages', { ...input, password })
        expect([answer.status, answer.body.error.param]).toEqual([400, 'password'])
      }
      expect(await app.rows('pages')).toEqual([])
      for (const password of ['abcd', 'x'.repeat(128), '    ', '😀😀😀😀', ' a\tb ', 'sm_…"\\']) {
        expect((await owner.publish({ ...input, password })).password).toBe(password)
      }
    })
  })
}

test('a password that a fault keeps from being opened is not taken for one of a lost key', async () => {
  await using app = await testApp('sqlite')
  const { id } = await (await app.owner()).publish('<p>x', {
    ...{ access: 'password', password: PASSWORD },
  })
  const page = (await app.pages.find(id))!
  const open = () => expect.unreachable('broken')
  const broken = { secrets: { ...app.secrets, openOrNull: open } } as unknown as PageDeps
  expect(() => passwordOf(broken, page)).toThrow('broken')
  const altered = { ...page, password_sealed: `${page.password_sealed}x` }
  expect(passwordOf({ secrets: app.secrets } as PageDeps, altered)).toBeNull()
})
