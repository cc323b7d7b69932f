import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { exported, imported, nameOf, type Row, rowsIn } from '../../testing/archives.ts'
import { rowCounts } from '../../testing/dump.ts'
import type { Owner } from '../../testing/people.ts'
import type { ConfirmedViewer, Report } from '../analytics/contract.ts'

const ANN = 'ann@example.com'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Version/17.0 Mobile/15E Safari/604.1'
const DECK = {
  files: [
    { path: 'index.html', html: '<title>Deck</title><a href="b.html">b</a>' },
    { path: 'b.html', html: '<p>b' },
  ],
}

/** A deck that people from elsewhere opened, one of them confirmed, with time measured. */
async function viewed(app: TestApp, owner: Owner) {
  const { id, slug } = await owner.publish(DECK, { slug: 'viewed', title: 'Viewed' })
  const headers = {
    referer: 'https://news.example.org/secret/path?q=1',
    'user-agent': PHONE,
    'x-forwarded-for': '203.0.113.77',
  }
  for (const path of ['index.html', 'b.html']) {
    expect((await app.open(`/p/${slug}/${path}`, headers)).status).toBe(200)
  }
  app.analytics.countRefusal(id, 'wrong_password')
  const confirmed = { email: ANN, manifestId: (await app.pages.find(id))!.published_id }
  const viewer = { address: '203.0.113.78', program: 'x', confirmed }
  await app.views.count(id, { limited: false, notify: false, viewer })
  // While the view waits to be stored, with an earlier time.
  await app.database.write((tx) => app.views.addParticipant(tx, [id, ANN, app.clock.now()]))
  await app.analytics.recordTime(
    { pageId: id, view: 'v1', startedMs: app.clock.ms() - 20_000, email: ANN },
    { seconds: 12, parts: [{ facet: 'file', value: 'b.html', seconds: 7 }] },
  )
  await app.views.flush()
  return id
}

const report = (by: Owner, id: string) => by.ask<Report>('GET', `/pages/${id}/analytics`)
const viewersOf = (by: Owner, id: string) =>
  by.ask<ConfirmedViewer[]>('GET', `/pages/${id}/viewers`)

for (const [index, engine] of ENGINES.entries()) {
  const other = ENGINES.at(index - 1)!
  describe(`views, exported from ${engine} and imported into ${other}`, () => {
    it('that were counted while the page was exported are counted there as well', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target] = [await one.owner(), await two.owner()]
      await viewed(one, owner)
      const archive = await exported(one, owner)
      const [hour] = rowsIn(archive, 'view_hours')
      const later = { ...hour, views: (hour!.views as number) + 4 }
      archive.set(nameOf(archive, 'view_hours.ndjson'), JSON.stringify(later))
      const [page] = await imported(two, target, archive)
      expect(page).toMatchObject({ status: 'imported' })
      expect((await target.page(page!.id!)).views).toBe(later.views)
      expect((await report(target, page!.id!)).views).toBe(later.views)
    })

    it('are reported there as here: referrers, devices, files, time, refusals, people', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target] = [await one.owner(), await two.owner()]
      const id = await viewed(one, owner)
      const archive = await exported(one, owner)
      const [page] = await imported(two, target, archive)
      expect(page).toMatchObject({ status: 'imported' })
      const before = await report(owner, id)
      expect(before).toMatchObject({
        referrers: expect.arrayContaining([{ value: 'news.example.org', views: 2 }]),
        devices: expect.arrayContaining([expect.objectContaining({ value: 'phone' })]),
        files: expect.arrayContaining([expect.objectContaining({ path: 'b.html', seconds: 7 })]),
        refusals: [{ reason: 'wrong_password', count: 1 }],
        measured: { opens: 1, seconds: 12, seconds_median: 12 },
      })
      const after = await report(target, page!.id)
      const { referrers, devices, browsers, files, sections, refusals, measured, views } = before
      expect(after).toMatchObject({
        ...{ referrers, devices, browsers, files, sections, refusals, measured, views },
      })
      const [people, there] = [await viewersOf(owner, id), await viewersOf(target, page!.id)]
      expect(people).toMatchObject([{ email: ANN, views: 1, seconds: 12, imported_at: null }])
      expect(there).toEqual([{ ...people[0]!, imported_at: expect.any(String) }])
      const again = await exported(two, target)
      for (const file of ['view_facets', 'confirmed_viewers']) {
        const rows = (all: Map<string, string>) =>
          rowsIn(all, file).map((row) => ({ ...row, imported_at: null }))
        expect(rowsIn(archive, file).length).toBeGreaterThan(0)
        expect([file, rows(again)]).toEqual([file, rows(archive)])
      }
    })

    it('have no address, path or hash of a visitor, nor a salt', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      await viewed(app, owner)
      const salts = (await app.rows('view_salts')).map(({ salt }) => String(salt))
      const hashes = (await app.rows('daily_viewers')).map(({ viewer }) => String(viewer))
      expect([salts.length, hashes.length > 0]).toEqual([1, true])
      const text = [...(await exported(app, owner)).values()].join('\n')
      for (const secret of [...salts, ...hashes, '203.0.113', 'secret/path', PHONE]) {
        expect(text).not.toContain(secret)
      }
    })

    it('mark whom another server confirmed, until this one does', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target] = [await one.owner(), await two.owner()]
      await viewed(one, owner)
      const [page] = await imported(two, target, await exported(one, owner))
      const confirmed = { email: ANN, manifestId: null }
      const viewer = { address: '203.0.113.78', program: 'x', confirmed }
      await two.views.count(page!.id, { limited: false, notify: false, viewer })
      const [ann] = await viewersOf(target, page!.id)
      expect(ann).toMatchObject({ email: ANN, views: 2, imported_at: null })
    })

    it('fail the page where no server would have counted them', async () => {
      await using app = await testApp(engine)
      const [owner, target] = [await app.owner(), await app.owner()]
      await viewed(app, owner)
      const archive = await exported(app, owner)
      const facet = { day: 20_000, facet: 'referrer', value: 'a.example', count: 1, seconds: 0 }
      const [viewer] = rowsIn(archive, 'confirmed_viewers')
      const many = (facet: string, length: number) =>
        Array.from({ length }, (_, at) => ({ ...facetOf(facet), value: `${at + 1}` }))
      const facetOf = (name: string) => ({ ...facet, facet: name })
      const wrong: [string, Row[], string][] = [
        ['view_facets', [{ ...facet, value: 'https://a.example/secret' }], 'not as they must'],
        ['view_facets', [{ ...facet, value: 'ann@a.example' }], 'not as they must'],
        ['view_facets', [{ ...facet, facet: 'country', value: 'Germany' }], 'not as they must'],
        ['view_facets', [{ ...facet, facet: 'sheet', value: '0' }], 'not as they must'],
        ['view_facets', [{ ...facet, facet: 'device', value: '<b>' }], 'not as they must'],
        ['view_facets', [{ ...facet, day: 2_000_000 }], 'not as they must'],
        ['view_facets', [{ ...facet, facet: 'address', value: '203.0.113.1' }], 'not valid'],
        ['view_facets', [{ ...facet, count: -1 }], 'not valid'],
        ['view_facets', [facet, facet], 'counted twice'],
        ['view_facets', [facet, { ...facet, day: 19_999 }], 'not in their order'],
        ['view_facets', many('browser', 102), 'more values'],
        ['view_facets', many('sheet', 502), 'more values'],
        ['confirmed_viewers', [viewer!, viewer!], 'one address'],
        ['confirmed_viewers', [{ ...viewer, email: 'ann' }], 'not valid'],
        ['confirmed_viewers', [{ ...viewer, views: 0 }], 'not valid'],
        ['confirmed_viewers', [{ ...viewer, last_at: '2000-01-01T00:00:00.000000Z' }], 'not valid'],
        ['confirmed_viewers', [{ ...viewer, last_at: '9999-01-01T00:00:00.000000Z' }], 'future'],
      ]
      await target.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      for (const [file, rows, reason] of wrong) {
        const lines = rows.map((row) => JSON.stringify(row)).join('\n')
        const input = new Map(archive).set(nameOf(archive, `${file}.ndjson`), lines)
        const [page] = await imported(app, target, input)
        expect([file, rows.at(-1), page!.status, page!.reason]).toEqual([
          ...[file, rows.at(-1), 'failed'],
          expect.stringContaining(reason),
        ])
      }
      await app.quiet()
      app.advance(2 * HOUR_MS)
      await app.sweeper.sweep()
      expect(await rowCounts(app)).toEqual(before)
    })
  })
}
