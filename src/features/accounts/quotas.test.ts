import { describe, expect, it } from 'bun:test'
import { DEFAULT_PLANS, type Limits, maxPendingUploads, type Plans } from '../../model/plan.ts'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { rowCounts, storedKeys } from '../../testing/dump.ts'
import { htmlOf } from '../../testing/material.ts'
import { type Owner, ownerWith } from '../../testing/people.ts'
import { createForm } from '../../testing/test-form.ts'

const KB = 1024

/** The plans with other limits of Free. */
function freeWith(limits: Partial<Limits>): { plans: Plans } {
  const { free } = DEFAULT_PLANS
  return { plans: { ...DEFAULT_PLANS, free: { ...free, limits: { ...free.limits, ...limits } } } }
}

interface Usage {
  stored_bytes: number
  uploads: number
  upload_bytes: number
}

async function usageOf(owner: Owner): Promise<Usage> {
  return (await owner.ask<{ usage: Usage }>('GET', '/account')).usage
}

/** What the versions of an account have, counted one by one. */
async function versionBytes(app: TestApp): Promise<number> {
  return (await app.rows('versions')).reduce((sum, { size_bytes }) => sum + size_bytes, 0)
}

const times = <T>(length: number, of: (n: number) => T) => Array.from({ length }, (_, n) => of(n))

describe('a plan with another name and a price', () => {
  it('is called so in the app and in what is refused', async () => {
    const { free } = DEFAULT_PLANS
    const limits = { ...free.limits, file_bytes: 10 * KB }
    const starter = { name: 'Starter', price: '3 € a month', limits }
    const studio = { ...DEFAULT_PLANS.pro, name: 'Studio' }
    const plans = { ...DEFAULT_PLANS, free: starter, pro: studio }
    await using app = await testApp('sqlite', { plans })
    const owner = await app.owner({ plan: 'free' })
    expect(await owner.ask<object>('GET', '/account')).toMatchObject({
      ...{ plan: 'free', plan_name: 'Starter', plan_price: '3 € a month' },
      limits: { file_bytes: 10 * KB, link_controls: false },
    })
    const large = await owner.refused('POST', '/pages', { html: htmlOf(11 * KB) })
    expect(large.body.error).toMatchObject({ code: 'content_too_large', plan: 'free' })
    expect(large.body.error.message).toContain('the Starter plan allows')
    const limited = await owner.refused('POST', '/pages', { html: 'x', max_views: 1 })
    expect([limited.status, limited.body.error.message]).toEqual([
      402,
      expect.stringContaining('max_views is not part of the Starter plan.'),
    ])
    const dashboard = await (await (await app.signedIn(owner)).open('/app/account')).text()
    expect(dashboard).toContain('"plan_names":{"free":"Starter","pro":"Studio","team":"Team"}')
  })
})

for (const engine of ENGINES) {
  describe(`the quota of stored bytes on ${engine}`, () => {
    it('lets as many of many creates at once succeed as fit, and leaves nothing of the others', async () => {
      await using app = await testApp(engine, freeWith({ stored_bytes: 100 * KB }))
      const owner = await app.owner({ plan: 'free' })
      const other = engine === 'postgres' ? await app.node() : app
      const nodes = [owner, ownerWith(other, owner.key, owner.email)]
      const answers = await Promise.all(
        times(40, (n) => nodes[n % 2]!.call('POST', '/pages', { html: htmlOf(9 * KB) })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(11)
      expect(answers.filter(({ status }) => status === 413)).toHaveLength(29)
      expect((await usageOf(owner)).stored_bytes).toBe(99 * KB)
      expect(await app.rows('pages')).toHaveLength(11)
      expect(await app.rows('manifests')).toHaveLength(11)
      expect((await owner.call('POST', '/pages', { html: htmlOf(KB) })).status).toBe(201)
      expect((await owner.call('POST', '/pages', { html: 'x' })).status).toBe(413)
    })

    it('does not count what others store, also where their pages share a transaction', async () => {
      await using app = await testApp(engine, freeWith({ stored_bytes: 20 * KB }))
      const [full, other] = [await app.owner({ plan: 'free' }), await app.owner({ plan: 'free' })]
      await full.publish(htmlOf(20 * KB))
      const answers = await Promise.all(
        times(20, (n) => [full, other][n % 2]!.call('POST', '/pages', { html: htmlOf(KB) })),
      )
      expect(answers.map(({ status }) => status)).toEqual(times(20, (n) => [413, 201][n % 2]!))
      expect((await usageOf(other)).stored_bytes).toBe(10 * KB)
    })

    it('names figures and cure, and refuses before anything of it is stored', async () => {
      await using app = await testApp(engine, freeWith({ stored_bytes: 300 * KB }))
      const owner = await app.owner({ plan: 'free' })
      const page = await owner.publish(htmlOf(100 * KB))
      await owner.edit(page.id, '<p>', '<p >')
      await app.quiet()
      const before = [await rowCounts(app), await storedKeys(app)]
      const html = htmlOf(150 * KB)
      for (const [method, path, body] of [
        ['POST', '/pages', { html }],
        ['PATCH', `/pages/${page.id}`, { html }],
        ['PATCH', `/pages/${page.id}/html`, { edits: [{ find: '<p ', replace: html }] }],
      ] as const) {
        const { status, body: answer } = await owner.refused(method, path, body)
        expect([path, status, answer.error.code]).toEqual([path, 413, 'quota_reached'])
        const { quota, used, limit, needed, plan, message } = answer.error
        expect([quota, used, limit, plan]).toEqual(['stored_bytes', 200 * KB + 1, 300 * KB, 'free'])
        expect(needed).toBeGreaterThanOrEqual(150 * KB)
        expect(message).toContain('store 200 KB of the 300 KB of the Free plan')
        expect(message).toContain('Delete pages that you no longer need')
      }
      await app.quiet()
      expect([await rowCounts(app), await storedKeys(app)]).toEqual(before)
    })

    it('counts every kept version, and shrinks with what is deleted or pruned', async () => {
      await using app = await testApp(engine, freeWith({ stored_bytes: 200 * KB }))
      const owner = await app.owner({ plan: 'free' })
      const [page, other] = [await owner.publish(htmlOf(2 * KB)), await owner.publish(htmlOf(KB))]
      await owner.update(page.id, { html: htmlOf(3 * KB) })
      await owner.ask('POST', `/pages/${page.id}/publish`)
      expect((await usageOf(owner)).stored_bytes).toBe(6 * KB)
      await owner.ask('POST', `/pages/${page.id}/versions/1/restore`)
      expect((await usageOf(owner)).stored_bytes).toBe(8 * KB)
      for (let n = 0; n < 60; n += 1) await owner.update(other.id, { html: htmlOf(2 * KB) })
      expect(await owner.versions(other.id)).toHaveLength(51)
      expect((await usageOf(owner)).stored_bytes).toBe(await versionBytes(app))
      expect((await usageOf(owner)).stored_bytes).toBe(8 * KB + 50 * 2 * KB)
      await owner.call('DELETE', `/pages/${other.id}`)
      expect((await usageOf(owner)).stored_bytes).toBe(7 * KB)
      await owner.call('DELETE', `/pages/${page.id}`)
      expect((await usageOf(owner)).stored_bytes).toBe(0)
    })

    it('leaves an account that is over it everything but what stores more', async () => {
      await using app = await testApp(engine, freeWith({ stored_bytes: 10 * KB }))
      const owner = await app.owner({ plan: 'pro' })
      const page = await owner.publish(htmlOf(20 * KB))
      const form = await createForm(app, owner)
      await app.accounts.setPlan(owner.email, 'free')
      expect((await owner.refused('PATCH', `/pages/${page.id}`, { html: 'x' })).status).toBe(413)
      const restore = `/pages/${page.id}/versions/1/restore`
      expect((await owner.refused('POST', restore, {})).body.error.code).toBe('quota_reached')
      expect((await form.send('a', { a: 1 })).submit_count).toBe(1)
      expect((await app.open(`/p/${page.slug}`)).status).toBe(200)
      expect((await owner.update(page.id, { access: 'private' })).access).toBe('private')
      expect((await owner.call('POST', `/pages/${page.id}/publish`)).status).toBe(200)
      expect((await owner.call('DELETE', `/pages/${page.id}/publish`)).status).toBe(200)
      expect((await owner.call('DELETE', `/pages/${page.id}`)).status).toBe(204)
      expect((await owner.call('POST', '/pages', { html: 'x' })).status).toBe(201)
    })

    it('is kept by imports, page by page', async () => {
      await using app = await testApp(engine, freeWith({ stored_bytes: 10 * KB }))
      const owner = await app.owner({ plan: 'pro' })
      for (const size of [8 * KB, 8 * KB]) await owner.publish(htmlOf(size))
      const exported = await app.api('/account/export', {
        headers: { authorization: `Bearer ${owner.key}` },
      })
      const free = await app.owner({ plan: 'free' })
      const answer = await app.api('/account/import', {
        method: 'POST',
        headers: { authorization: `Bearer ${free.key}` },
        body: await exported.bytes(),
      })
      const { data } = (await answer.json()) as {
        data: { imported: number; failed: number; pages: { reason: string | null }[] }
      }
      expect(data).toMatchObject({ imported: 1, failed: 1 })
      const reasons = data.pages.map(({ reason }) => reason ?? '').join('')
      expect(reasons).toContain('Your pages with their versions store')
      expect((await usageOf(free)).stored_bytes).toBe(8 * KB)
      expect(await free.ask<unknown[]>('GET', '/pages')).toHaveLength(1)
    })
  })

  describe(`uploads that wait for a page on ${engine}`, () => {
    it('have a quota of their own: as many of many at once succeed as fit', async () => {
      const limits = { file_bytes: 100 * KB, upload_bytes: 300 * KB }
      await using app = await testApp(engine, freeWith(limits))
      const owner = await app.owner({ plan: 'free' })
      const other = engine === 'postgres' ? await app.node() : app
      const send = (n: number) =>
        [app, other][n % 2]!.api('/uploads', {
          method: 'POST',
          headers: { authorization: `Bearer ${owner.key}`, 'content-length': String(90 * KB) },
          body: htmlOf(90 * KB),
        })
      const answers = await Promise.all(times(12, send))
      const codes = answers.map(({ status }) => status).sort()
      expect(codes).toEqual([...times(3, () => 201), ...times(9, () => 413)])
      expect(await usageOf(owner)).toMatchObject({ uploads: 3, upload_bytes: 270 * KB })
      const refused = answers.find(({ status }) => status === 413)!
      const { error } = (await refused.json()) as { error: Record<string, unknown> }
      expect(error).toMatchObject({
        ...{ code: 'quota_reached', quota: 'upload_bytes', limit: 300 * KB, plan: 'free' },
        needed: 90 * KB,
      })
      expect(error.message).toContain('Publish what you uploaded, or wait')
      app.advance(DAY_MS)
      expect((await usageOf(owner)).uploads).toBe(0)
      expect((await send(0)).status).toBe(201)
    })

    it('wait no longer once a page has them', async () => {
      const limits = { file_bytes: 100 * KB, upload_bytes: 150 * KB }
      await using app = await testApp(engine, freeWith(limits))
      const owner = await app.owner({ plan: 'free' })
      for (let n = 0; n < 5; n += 1) {
        const { id } = await owner.upload(htmlOf(100 * KB))
        expect((await usageOf(owner)).upload_bytes).toBe(100 * KB)
        await owner.publish({ html_upload: id })
        expect(await usageOf(owner)).toMatchObject({ uploads: 0, upload_bytes: 0 })
      }
      expect((await usageOf(owner)).stored_bytes).toBe(500 * KB)
    })

    it('are counted while they arrive, so that what is refused is not on the disk before', async () => {
      await using app = await testApp(engine, freeWith({ upload_bytes: 5 * KB * KB }))
      const owner = await app.owner({ plan: 'free' })
      const [reading, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            reading.resolve()
            await rest.promise
            controller.enqueue(Buffer.from('<p>late'))
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const headers = { authorization: `Bearer ${owner.key}` }
      // Without a declared length it may become as large as the plan allows.
      const first = app.api('/uploads', { method: 'POST', headers, body })
      await reading.promise
      const second = await app.api('/uploads', { method: 'POST', headers, body: htmlOf(100 * KB) })
      expect(second.status).toBe(413)
      expect(await storedKeys(app)).toEqual([])
      rest.resolve()
      expect((await first).status).toBe(201)
      const declared = { ...headers, 'content-length': String(100 * KB) }
      const third = { method: 'POST', headers: declared, body: htmlOf(100 * KB) }
      expect((await app.api('/uploads', third)).status).toBe(201)
    })

    it('are so many at most', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'team' })
      const { id } = (await app.accounts.list()).find(({ email }) => email === owner.email)!
      const most = maxPendingUploads(DEFAULT_PLANS.team.limits)
      const row = (n: number) => ({
        ...{ id: `up_${n}`, account_id: id, hash: 'none', size_bytes: 1 },
        ...{ created_at: app.clock.now(), expires_at: app.clock.after(DAY_MS) },
      })
      const rows = times(most - 1, row)
      await app.database.write((tx) => tx.insertInto('uploads').values(rows).execute())
      await owner.upload('one more')
      const answer = await app.api('/uploads', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.key}` },
        body: 'two more',
      })
      const { error } = (await answer.json()) as { error: Record<string, unknown> }
      expect([answer.status, error.quota, error.limit]).toEqual([413, 'uploads', most])
    })
  })
}
