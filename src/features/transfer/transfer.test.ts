import { describe, expect, it } from 'bun:test'
import { ZipFile } from 'yazl'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { rowCounts } from '../../testing/dump.ts'
import { base64, fileOf } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { createForm } from '../../testing/test-form.ts'

interface Imported {
  imported: number
  skipped: number
  failed: number
  pages: { from_slug: string; slug: string | null; id: string; status: string; reason: string }[]
}

async function exported(app: TestApp, { key }: Owner): Promise<Uint8Array> {
  const answer = await app.api('/account/export', { headers: { authorization: `Bearer ${key}` } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?handbill-/)
  return answer.bytes()
}

interface Refused {
  error?: { code: string; retry_after_s?: number }
}

async function send(app: TestApp, { key }: Owner, zip: Uint8Array) {
  const answer = await app.api('/account/import', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: zip as BodyInit,
  })
  return { status: answer.status, body: (await answer.json()) as Refused }
}

async function imported(app: TestApp, owner: Owner, zip: Uint8Array): Promise<Imported> {
  const { status, body } = await send(app, owner, zip)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as unknown as { data: Imported }).data
}

/** An archive with these entries. */
async function zipOf(entries: Record<string, string | Uint8Array>): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const ABOUT = JSON.stringify({ format: 'handbill-archive-1' })

for (const engine of ENGINES) {
  describe(`an export on ${engine}`, () => {
    it('is imported by another server as it was: content, versions, settings, password', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const owner = await one.owner()
      const single = await owner.publish('<!doctype html><title>One</title><p>earlier words</p>', {
        access: 'password',
        password: 'open sesame',
        accent: 'red',
        slug: 'the-single',
      })
      await owner.update(single.id, { html: '<!doctype html><p>second</p>' })
      await owner.ask('PATCH', `/pages/${single.id}/versions/1`, { label: 'first one' })
      await owner.publish(
        {
          files: [
            { path: 'index.html', html: '<!doctype html><a href="a.html">a</a>' },
            { path: 'a.html', html: '<!doctype html><p>a</p>' },
          ],
          assets: [{ path: 'data/x.json', data_base64: base64('[1]') }],
        },
        { title: 'Deck', access: 'people', allowed_emails: ['ada@example.com'] },
      )
      await owner.publish(
        { file_base64: base64(fileOf('pdf')), filename: 'report.pdf' },
        { title: 'Report', max_views: 5 },
      )
      await owner.publish('<!doctype html><p>draft</p>', { title: 'Draft', publish: false })
      const offline = await owner.publish('<!doctype html><p>offline</p>', { title: 'Offline' })
      await owner.ask('DELETE', `/pages/${offline.id}/publish`)
      expect((await owner.page(offline.id)).published_at).not.toBeNull()
      const [deck] = await owner.ask<{ slug: string }[]>('GET', '/pages?search=deck')

      const zip = await exported(one, owner)
      const target = await two.owner()
      const done = await imported(two, target, zip)
      expect(done).toMatchObject({ imported: 5, skipped: 0, failed: 0 })
      for (const { id } of await owner.ask<{ id: string }[]>('GET', '/pages')) {
        const before = await owner.page(id)
        const there = done.pages.find((page) => page.from_slug === before.slug)!
        const after = await target.page(there.id)
        const moved = { id: after.id, url: after.url, updated_at: after.updated_at }
        expect(after).toEqual({ ...before, ...moved })
        const versions = (await owner.versions(id)).map((version) => ({ ...version }))
        expect(await target.versions(there.id)).toEqual(versions)
      }
      const again = done.pages.find((page) => page.from_slug === 'the-single')!
      expect(await target.html(again.id)).toContain('second')
      const gate = await two.open('/p/the-single')
      expect([gate.status, (await gate.text()).includes('earlier words')]).toEqual([403, false])
      expect((await two.open(`/p/${deck!.slug}/a.html`)).status).toBe(403)
    })

    it('has responses and views, which the other server counts', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const owner = await one.owner()
      const form = await createForm(one, owner, { title: 'form' })
      await form.send('ann', { name: 'Ann', n: 1 })
      await form.send('bob', { name: 'Bob', n: 2 })
      const [listed] = await owner.ask<{ id: string; views: number }[]>('GET', '/pages')
      const zip = await exported(one, owner)
      const target = await two.owner()
      const { pages } = await imported(two, target, zip)
      interface Report {
        status: { count: number; bytes: number }
        responses: { values: object; submitted_at: string; respondent: string }[]
      }
      const reportOf = async (by: Owner, id: string) => {
        const { status, responses } = await by.ask<Report>('GET', `/pages/${id}/responses`)
        const rows = responses.map(({ values, submitted_at: at, respondent }) => ({
          ...{ values, at, respondent },
        }))
        return { count: status.count, rows }
      }
      const before = await reportOf(owner, listed!.id)
      expect(before.count).toBe(2)
      expect(await reportOf(target, pages[0]!.id)).toEqual(before)
      expect((await target.page(pages[0]!.id)).views).toBe(listed!.views)
    })

    it('has nothing of another account, and keeps secrets of the server', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      await owner.publish('<!doctype html><p>mine</p>')
      await other.publish('<!doctype html><p>theirs</p>', { title: 'Theirs', slug: 'theirs-slug' })
      const zip = Buffer.from(await exported(app, owner)).toString('latin1')
      expect(zip).not.toContain('theirs-slug')
      expect(zip).not.toContain(owner.key)
    })

    it('imported where its pages are is skipped; where only the slug is taken, it gets another', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<!doctype html><p>x</p>', { slug: 'my-page', title: 'T' })
      const zip = await exported(app, owner)
      const before = await rowCounts(app)
      expect(await imported(app, owner, zip)).toMatchObject({ imported: 0, skipped: 1, failed: 0 })
      expect(await rowCounts(app)).toEqual(before)
      const other = await app.owner()
      const { pages } = await imported(app, other, zip)
      expect(pages[0]).toMatchObject({ status: 'imported', from_slug: 'my-page' })
      expect(pages[0]!.slug).not.toBe('my-page')
      expect((await app.open(`/p/${pages[0]!.slug}`)).status).toBe(200)
    })

    it('beyond the plan fails page by page, and leaves nothing of those pages', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'pro' })
      await owner.publish('<!doctype html><p>x</p>', { slug: 'limited', max_views: 3 })
      await owner.publish(`<!doctype html>${'x'.repeat(6 * 1024 * 1024)}`.slice(0, 3_900_000))
      const zip = await exported(app, owner)
      const free = await app.owner({ plan: 'free' })
      const done = await imported(app, free, zip)
      expect(done).toMatchObject({ imported: 1, failed: 1 })
      expect(done.pages.find(({ status }) => status === 'failed')!.reason).toContain('Free plan')
      expect(await free.ask<unknown[]>('GET', '/pages')).toHaveLength(1)
    })
  })

  describe(`an import on ${engine}`, () => {
    it('refuses what is no export, and what was cut off, and stores nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await owner.publish('<!doctype html><p>x</p>', { slug: 'cut-off' })
      const whole = await exported(app, owner)
      const target = await app.owner()
      await target.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      const bodies: (Uint8Array | Promise<Uint8Array>)[] = [
        Buffer.from(''),
        Buffer.from('no zip'),
        whole.slice(0, whole.length - 30),
        whole.slice(0, whole.length / 2),
        zipOf({}),
        zipOf({ 'handbill.json': '{}' }),
        zipOf({ 'handbill.json': 'nonsense' }),
        zipOf({ 'handbill.json': ABOUT, 'other.txt': 'x' }),
        zipOf({ 'handbill.json': ABOUT, 'pages/a/b/page.json': '{}' }),
      ]
      for (const body of bodies) {
        const { status, body: answer } = await send(app, target, await body)
        expect([status, answer.error?.code]).toEqual([400, 'not_an_archive'])
      }
      await app.quiet()
      expect(await rowCounts(app)).toEqual(before)
    })

    it('fails pages that are not valid, one by one, with what is wrong', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const hash = 'a'.repeat(64)
      const time = '2026-01-01T00:00:00.000000Z'
      const page = {
        ...{ id: 'pg_x', slug: 'a-page', title: '<b>', settings: {}, password: null },
        ...{ source: 'api', created_at: time, updated_at: time, published_at: null },
        ...{ views: 0, max_views: null, draft: hash, published: null },
        versions: [
          {
            ...{ version_no: 1, source: 'edit', label: null, manifest_id: hash },
            ...{ size_bytes: 1, created_at: time },
          },
        ],
        manifests: {
          [hash]: {
            ...{ kind: 'single', entry: 'index.html', file_name: null },
            files: [{ path: 'index.html', hash, size_bytes: 1, mime: 'text/html' }],
          },
        },
      }
      const wrong: [string, object | string, string][] = [
        ['no-json', '{', 'no JSON'],
        ['bad-slug', { ...page, slug: '../etc' }, 'not valid at slug'],
        ['bad-time', { ...page, created_at: 'now' }, 'not valid at created_at'],
        ['bad-setting', { ...page, settings: { access: 'all' } }, 'not valid at settings.access'],
        ['no-file', { ...page, slug: 'no-file' }, 'lacks files/'],
        [
          'no-manifest',
          { ...page, slug: 'no-manifest', manifests: {} },
          'content that is not there',
        ],
        ['contradiction', { ...page, slug: 'poll', settings: { collect_votes: true } }, 'poll'],
      ]
      const entries = wrong.map(([name, given]) => [
        `pages/${name}/page.json`,
        typeof given === 'string' ? given : JSON.stringify(given),
      ])
      await owner.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      const zip = await zipOf({ 'handbill.json': ABOUT, ...Object.fromEntries(entries) })
      const done = await imported(app, owner, zip)
      expect(done).toMatchObject({ imported: 0, failed: wrong.length })
      for (const [name, , reason] of wrong) {
        const results = done.pages.filter((one) => one.reason.includes(reason))
        expect([name, results.length > 0]).toEqual([name, true])
      }
      await app.quiet()
      expect(await rowCounts(app)).toEqual(before)
    })

    it('of an account waits for no other: the third is refused while two arrive', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      await owner.publish('<!doctype html><p>x</p>')
      const archive = await exported(app, owner)
      const rest = Promise.withResolvers<void>()
      /** Sends an archive whose first byte waits. Resolves once the import has begun. */
      async function begin() {
        const reading = Promise.withResolvers<void>()
        // It is not read ahead: its first byte is asked for when the import has begun.
        const body = new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              reading.resolve()
              await rest.promise
              controller.enqueue(archive)
              controller.close()
            },
          },
          { highWaterMark: 0 },
        )
        const headers = { authorization: `Bearer ${owner.key}` }
        const answer = app.api('/account/import', { method: 'POST', headers, body })
        await reading.promise
        return { answer }
      }
      const begun = [await begin(), await begin()]
      const third = await send(app, owner, archive)
      expect([third.status, third.body.error?.code]).toEqual([409, 'import_running'])
      expect(third.body.error?.retry_after_s).toBe(60)
      expect((await send(app, other, archive)).status).toBe(200)
      rest.resolve()
      for (const { answer } of begun) expect((await answer).status).toBe(200)
      expect((await send(app, owner, archive)).status).toBe(200)
      expect(await owner.ask<unknown[]>('GET', '/pages')).toHaveLength(1)
    })

    it('needs a key or a session', async () => {
      await using app = await testApp(engine)
      for (const [method, path] of [
        ['GET', 'export'],
        ['POST', 'import'],
      ] as const) {
        expect((await app.api(`/account/${path}`, { method })).status).toBe(401)
      }
    })
  })
}
