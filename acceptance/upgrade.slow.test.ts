/** Data of version 0.1 opens whole, and works on. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataOf, type PageList, send } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { outboxOf } from './gates/mail.ts'
import { person } from './gates/person.ts'
import { html, sha256 } from './material.ts'
import { command, handbill, runProgram, server } from './server.ts'
import { cleanUp } from './start.ts'
import { type Earlier, ENGINES, openEarlier, pathIn } from './upgrade.ts'

const READ = { 'sec-fetch-dest': 'empty' }
const PLANS = ['pro', 'free', 'team'] as const

afterAll(cleanUp)

for (const engine of ENGINES) {
  describe.skipIf(!server.own)(`data of version 0.1 in ${engine}`, () => {
    let it: Earlier
    beforeAll(async () => {
      it = await openEarlier(engine)
    }, 240_000)
    afterAll(() => it?.close())

    const read = (path: string) => send(it.base + path, { headers: READ })

    test('mails that could not be sent go out, and no other mail does', async () => {
      const outbox = outboxOf(it.dataDir)
      const waiting = Map.groupBy(it.facts.mails.waiting, ({ to }) => to)
      for (const [to, expected] of waiting) {
        const sent = await outbox.all(to, expected.length)
        const subjects = sent.map(({ subject }) => subject)
        expect(subjects.sort()).toEqual(expected.map(({ subject }) => subject).sort())
      }
      for (const email of Object.values(it.facts.people)) {
        expect(outbox.sentTo(email), 'sent before').toEqual([])
      }
      const signIn = outbox.sentTo(it.facts.emails.free)[0]!
      const who = person(it.base)
      const done = await who.submit(await who.open(pathIn(signIn.links[0]!)))
      expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
      expect((await who.open('/app')).text).toContain(it.facts.emails.free)
      for (const [to, expected] of waiting) {
        expect(outbox.sentTo(to), 'still').toHaveLength(expected.length)
      }
    })

    test('a copy of SQLite from before the upgrade is kept, which the version before can open', () => {
      const copies = readdirSync(it.dataDir).filter((name) => /^handbill-.*\.db$/.test(name))
      if (engine === 'postgres') return expect(copies).toEqual([])
      expect(copies).toHaveLength(1)
      const copy = new Database(join(it.dataDir, copies[0]!), { readonly: true })
      const done = copy.query('SELECT name FROM migrations ORDER BY name').all() as {
        name: string
      }[]
      expect(`handbill-${done.at(-1)!.name}.db`).toBe(copies[0]!)
      expect(copy.query('SELECT count(*) AS pages FROM pages').get()).not.toEqual({ pages: 0 })
      copy.close()
    })

    test('every answer of the interface is what it was', async () => {
      const { answers } = it.facts
      expect(answers.length).toBeGreaterThan(50)
      await everyCase(
        answers.map((answer) => [`${answer.by} ${answer.path}`, answer] as const),
        async ({ by, path, data, text }) => {
          const answer = await it.call(by, 'GET', path)
          expect(answer.status).toBe(200)
          if (text !== undefined) return expect(answer.text).toBe(text)
          expect(withoutEmptyRows(dataOf<object>(answer))).toMatchObject(withoutEmptyRows(data!))
        },
      )
    })

    test('accounts list the same pages in the same order', async () => {
      for (const by of PLANS) {
        const { data } = (await it.call(by, 'GET', '/pages?limit=200')).json as PageList
        expect(data.map(({ id }) => id)).toEqual(it.facts.lists[by])
      }
    })

    test('accounts and keys are listed by the commands', async () => {
      const { accounts, keyList, emails } = it.facts
      const listed = await command(it.env, 'account', 'list', '--json')
      expect(JSON.parse(listed.stdout)).toMatchObject(accounts)
      const keys = await command(it.env, 'key', 'list', emails.pro, '--json')
      expect(JSON.parse(keys.stdout)).toMatchObject(keyList)
      const again = await command(it.env, 'account', 'add', emails.pro)
      expect(again.code, 'its address is taken').toBe(1)
    })

    test('a revoked key stays revoked', async () => {
      const headers = { authorization: `Bearer ${it.facts.keys.revoked}` }
      expectRefusal(await send(`${it.base}/api/v1/pages`, { headers }), 401)
    })

    test('visitors are sent what they were sent, and meet the same gates and notices', async () => {
      const { served } = it.facts
      expect(served.length).toBeGreaterThan(25)
      await everyCase(
        served.map((one) => [one.path, one] as const),
        async ({ path, status, type, sha256: hash, has }) => {
          const answer = await read(path)
          expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type])
          if (hash !== undefined) expect(sha256(answer.bytes)).toBe(hash)
          if (has !== undefined) expect(answer.text).toContain(has)
          if (status !== 200) expect(answer.text).not.toContain('Content of')
        },
      )
    })

    test('a view limit goes on from the views there were', async () => {
      expect((await it.pageOf('limited')).views).toBe(2)
      const opens = [await read(it.pathOf('limited')), await read(it.pathOf('limited'))]
      expect(opens.map(({ status }) => status)).toEqual([200, 200])
      expect((await read(it.pathOf('limited'))).status).toBe(410)
      expect((await it.pageOf('limited')).views).toBe(4)
    })

    test('a password opens its page', async () => {
      const who = person(it.base)
      const password = it.facts.passwords.password
      await who.submit(await who.open(it.pathOf('password')), { password })
      expect((await who.read(it.pathOf('password'))).text).toContain('Content of the password')
      expect((await it.pageOf('password')).password).toBe(password)
    })

    test('titles and slugs are taken', async () => {
      const title = await it.call('pro', 'POST', '/pages', {
        html: html('x'),
        title: 'Menu of the week',
      })
      expectRefusal(title, 409, 'duplicate_title')
      const slug = await it.call('free', 'POST', '/pages', { html: html('x'), slug: 'a-deck' })
      expectRefusal(slug, 409, 'slug_taken')
    })

    test('a create that is retried with its key is answered as it was, and makes nothing', async () => {
      const { key, body, answer } = it.facts.idempotent
      const again = await it.call('pro', 'POST', '/pages', body, { 'idempotency-key': key })
      expect(again.status).toBe(201)
      const { data: repeated, ...more } = JSON.parse(it.toNow(again.text))
      const { data: first, ...others } = answer as { data: object }
      expect(repeated).toMatchObject(first)
      expect(more).toEqual({ warnings: [], ...others })
      const { data } = (await it.call('pro', 'GET', '/pages?limit=200')).json as PageList
      expect(data).toHaveLength(it.facts.lists.pro.length)
      const other = { ...body, html: html('other') }
      const reused = await it.call('pro', 'POST', '/pages', other, { 'idempotency-key': key })
      expectRefusal(reused, 409, 'idempotency_key_reused')
    })

    test('an upload that was not used yet becomes a page', async () => {
      const { id, has } = it.facts.upload
      const made = await it.call('pro', 'POST', '/pages', { html_upload: id })
      const { slug } = dataOf<{ slug: string }>(made, 201)
      expect((await read(`/p/${slug}`)).text).toContain(has)
    })

    test('a draft is edited and published, and its first version restored', async () => {
      const path = `/pages/${it.facts.pages.menu!.id}`
      const edits = [{ find: 'Unpublished content', replace: 'Later content' }]
      dataOf(await it.call('pro', 'PATCH', `${path}/html`, { edits, publish: true }))
      expect((await read(it.pathOf('menu'))).text).toContain('Later content of the menu page')
      dataOf(await it.call('pro', 'POST', `${path}/versions/1/restore`, { publish: true }))
      expect((await read(it.pathOf('menu'))).text).toContain('<p>Content of the menu page')
      const versions = dataOf<{ version_no: number; label: string | null }[]>(
        await it.call('pro', 'GET', `${path}/versions`),
      )
      expect(versions.at(-1)).toMatchObject({ version_no: 1, label: 'As it began' })
    })

    test('a file of a deck is edited, and the others stay', async () => {
      const edits = [{ find: 'Second, edited', replace: 'Second, newer' }]
      const body = { edits, file: 'parts/two.html', publish: true }
      dataOf(await it.call('pro', 'PATCH', `/pages/${it.facts.pages.deck!.id}/html`, body))
      const second = await read(`${it.pathOf('deck')}/parts/two.html`)
      expect(second.text).toContain('Second, newer part')
      const entry = await read(`${it.pathOf('deck')}/index.html`)
      expect(entry.text).toContain('Content of the deck')
      expect((await read(`${it.pathOf('deck')}/css/deck.css`)).text).toContain('#123456')
    })

    test('what was not published is published', async () => {
      for (const name of ['draft', 'unpublished']) {
        dataOf(await it.call('pro', 'POST', `/pages/${it.facts.pages[name]!.id}/publish`))
        expect((await read(it.pathOf(name))).text).toContain(`Content of the ${name} page`)
      }
    })

    test('a page is deleted with all that belongs to it', async () => {
      const path = `/pages/${it.facts.pages.closedSurvey!.id}`
      expect((await it.call('pro', 'DELETE', path)).status).toBe(204)
      expectRefusal(await it.call('pro', 'GET', `${path}/responses`), 404)
      expect((await read(it.pathOf('closedSurvey'))).status).toBe(404)
    })

    test('the command line updates the link that it published a file at', async () => {
      const { file, memory, login, page } = it.facts.cli
      const [home, site] = [join(it.dataDir, '..', 'home'), join(it.dataDir, '..', 'site')]
      const config = join(home, '.config', 'handbill')
      for (const folder of [site, config]) mkdirSync(folder, { recursive: true })
      writeFileSync(join(site, '.handbill.json'), memory)
      writeFileSync(join(config, 'config.json'), login)
      writeFileSync(join(site, file), html('Published again', 'The cli page'))
      const env = { PATH: it.env.PATH!, HOME: home }
      const done = await runProgram([handbill, 'publish', file], env, site)
      expect([done.code, done.stdout.trim()]).toEqual([0, it.base + it.pathOf(page)])
      expect((await read(it.pathOf(page))).text).toContain('Published again')
    })

    test('what was there and what was changed is there after the next start', async () => {
      await it.restart({})
      expect((await read(it.pathOf('draft'))).text).toContain('Content of the draft page')
      expect((await it.pageOf('limited')).views).toBe(4)
      for (const by of PLANS) {
        const { data } = (await it.call(by, 'GET', '/pages?limit=200')).json as PageList
        expect(data.length).toBeGreaterThan(0)
      }
    })
  })
}

/** Since version 0.1 a response without items has a row of its own, which moves the later ones. */
function withoutEmptyRows(data: { rows?: unknown; next_offset?: unknown }): object {
  if (data.rows === undefined) return data
  const { rows: _, next_offset: __, ...others } = data
  return others
}
