import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { BROWSER } from '../../testing/visitor.ts'
import type { PageViews, Report } from './contract.ts'

const PHONE = {
  ...BROWSER,
  'user-agent':
    'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Mobile Safari/537.36',
}
const DECK = { files: ['index.html', 'b.html'].map((path) => ({ path, html: `<p>${path}` })) }

/** As it is parsed. */
type Parsed = Omit<Report, 'pages'> & { pages?: PageViews[] }
type Full = { [Name in keyof Parsed]-?: NonNullable<Parsed[Name]> }
function reportOf(owner: Owner, id: string, query = ''): Promise<Full> {
  return owner.ask<Full>('GET', `/pages/${id}/analytics${query}`)
}
function sumOf({ series }: Parsed): number {
  return series.reduce((sum, { views }) => sum + views, 0)
}
function times<T>(count: number, act: (at: number) => T): Promise<Awaited<T>[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => act(at)))
}
const visits = (app: TestApp, slug: string, count: number, headers: Record<string, string> = {}) =>
  times(count, () => app.open(`/p/${slug}`, headers))

for (const engine of ENGINES) {
  describe(`analytics on ${engine}`, () => {
    it('have a series that adds up to the views, with the hours and days without one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      await visits(app, slug, 3)
      app.advance(3 * DAY_MS)
      await visits(app, slug, 40)
      const report = await reportOf(owner, id)
      expect(report.series.map(({ views }) => views)).toEqual([3, 0, 0, 40])
      expect(report.views).toBe(43)
      expect((await owner.page(id)).views).toBe(43)
      const hours = await reportOf(owner, id, '?interval=hour')
      expect(hours.series).toHaveLength(7 * 24)
      expect(sumOf(hours)).toBe(43)
    })

    it('add up to the views exactly when many arrive at once, and at a view limit', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x', { max_views: 50 })
      const answers = await visits(app, slug, 120, BROWSER)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
      const report = await reportOf(owner, id)
      expect([report.views, sumOf(report), (await owner.page(id)).views]).toEqual([50, 50, 50])
      expect(report.browsers).toEqual([{ value: 'Firefox', views: 50 }])
      expect(report.refusals).toEqual([{ reason: 'view_limit', count: 70 }])
    })

    it('count a viewer once a day, and again on the next, of whom nothing is left', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [page, other] = [await owner.publish('<p>x'), await owner.publish('<p>y')]
      await visits(app, page.slug, 5, BROWSER)
      await visits(app, page.slug, 5, PHONE)
      await visits(app, other.slug, 1, PHONE)
      expect(await reportOf(owner, page.id)).toMatchObject({ views: 10, viewers: 2 })
      expect(await reportOf(owner, other.id)).toMatchObject({ views: 1, viewers: 1 })
      const today = await app.rows('daily_viewers')
      const [salt] = await app.rows('view_salts')
      expect(new Set(today.map(({ viewer }) => viewer)).size).toBe(3)
      expect(JSON.stringify(today)).not.toMatch(/Mozilla|unknown/)

      app.advance(DAY_MS)
      await visits(app, page.slug, 2, BROWSER)
      expect((await reportOf(owner, page.id)).viewers).toBe(3)
      await app.analytics.sweep()
      const rows = await app.rows('daily_viewers')
      expect(rows).toHaveLength(1)
      expect(today.map(({ viewer }) => viewer)).not.toContain(rows[0]!.viewer)
      expect(await app.rows('view_salts')).toHaveLength(1)
      expect((await app.rows('view_salts'))[0]!.salt).not.toBe(salt!.salt)
    })

    it('count referrers by host, devices and browsers, and what is not known of as null', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      const referer = 'https://www.News.example/thread?secret=1#x'
      await visits(app, slug, 2, { ...BROWSER, referer })
      await visits(app, slug, 1, { ...PHONE, referer: 'http://handbill.test/p/other' })
      await visits(app, slug, 1, { 'user-agent': 'curl/8.5.0', referer: 'javascript:alert(1)' })
      await visits(app, slug, 1)
      const report = await reportOf(owner, id)
      expect(report.referrers).toEqual([
        { value: 'news.example', views: 2 },
        { value: null, views: 3 },
      ])
      expect(report.devices).toEqual([
        { value: 'desktop', views: 2 },
        { value: 'phone', views: 1 },
        { value: 'program', views: 1 },
        { value: null, views: 1 },
      ])
      expect(report.browsers.slice(0, 2)).toEqual([
        { value: 'Firefox', views: 2 },
        { value: 'Chrome', views: 1 },
      ])
      const stored = JSON.stringify(await app.rows('view_facets'))
      expect(stored).not.toMatch(/secret|thread|javascript|Mozilla/)
    })

    it('believe a country from a proxy alone', async () => {
      const sent = [
        { 'cf-ipcountry': 'de' },
        { 'x-vercel-ip-country': 'XX' },
        { 'x-country-code': '<b>' },
      ]
      for (const [trustProxy, known] of [
        [0, []],
        [1, [{ value: 'DE', views: 1 }]],
      ] as const) {
        await using app = await testApp(engine, { trustProxy })
        const owner = await app.owner()
        const { id, slug } = await owner.publish('<p>x')
        for (const headers of sent) await app.open(`/p/${slug}`, headers as never)
        const { countries } = await reportOf(owner, id)
        expect(countries.filter(({ value }) => value !== null)).toEqual([...known])
      }
    })

    it('keep a hundred referrers a day, and the rest together', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      await times(130, (at) => app.open(`/p/${slug}`, { referer: `https://n${at}.example/` }))
      await visits(app, slug, 1, { referer: 'https://late.example/' })
      const { referrers } = await reportOf(owner, id)
      expect(referrers.reduce((sum, { views }) => sum + views, 0)).toBe(131)
      const rows = (await app.rows('view_facets')).filter(({ facet }) => facet === 'referrer')
      expect(rows.length).toBeLessThanOrEqual(110)
      expect(rows.find(({ value }) => value === 'other')!.count).toBeGreaterThan(20)
    })

    it('count the files of a deck that are opened in one visit', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(DECK)
      const visitor = app.visitor(BROWSER)
      for (const path of ['index.html', 'b.html', 'b.html'])
        await visitor.open(`/p/${slug}/${path}`)
      const report = await reportOf(owner, id)
      expect(report.views).toBe(1)
      expect(report.files).toEqual([
        { path: 'b.html', views: 2, seconds: 0 },
        { path: 'index.html', views: 1, seconds: 0 },
      ])
    })

    it('leave out the owner, preview agents, HEAD and prefetches', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(DECK, { access: 'password', password: 'four words' })
      await (await app.signedIn(owner)).open(`/p/${slug}/index.html`, BROWSER)
      await app.open(`/p/${slug}/index.html`, { 'user-agent': 'Slackbot 1.0' })
      await app.open(`/p/${slug}/index.html`, {}, 'HEAD')
      await app.open(`/p/${slug}/index.html`, { 'sec-purpose': 'prefetch' })
      const report = await reportOf(owner, id)
      expect(report).toMatchObject({ views: 0, viewers: 0, files: [], refusals: [], referrers: [] })
    })

    it('count refusals by their reason', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x', {
        access: 'password',
        password: 'right one',
      })
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${slug}`, 'wrong one')
      await owner.update(id, { access: 'private' })
      await app.open(`/p/${slug}`)
      await owner.update(id, { access: 'link', expires_at: '2020-01-01T00:00Z' })
      await app.open(`/p/${slug}`)
      const { refusals, views } = await reportOf(owner, id)
      expect(views).toBe(0)
      expect(new Map(refusals.map(({ reason, count }) => [reason, count]))).toEqual(
        new Map([
          ['password', 1],
          ['wrong_password', 1],
          ['private', 1],
          ['expired', 1],
        ] as const) as never,
      )
    })

    it('of an account add up all of its pages, and no other’s', async () => {
      await using app = await testApp(engine)
      const [owner, other] = [await app.owner(), await app.owner()]
      const [one, two, foreign] = [
        await owner.publish('<p>1'),
        await owner.publish('<p>2'),
        await other.publish('<p>3'),
      ]
      await visits(app, one.slug, 2, BROWSER)
      app.advance(DAY_MS)
      await visits(app, one.slug, 1, BROWSER)
      await visits(app, two.slug, 4, PHONE)
      await visits(app, foreign.slug, 9)
      const report = await owner.ask<Full>('GET', '/analytics?group=page&days=14')
      expect(report).toMatchObject({ views: 7, viewers: 3 })
      expect(report.series).toHaveLength(14)
      expect(report.pages).toEqual([
        { page_id: two.id, views: 4, series: [...new Array(13).fill(0), 4] },
        { page_id: one.id, views: 3, series: [...new Array(12).fill(0), 2, 1] },
      ])
      expect(report.devices).toEqual([
        { value: 'phone', views: 4 },
        { value: 'desktop', views: 3 },
      ])
      expect((await other.refused('GET', `/pages/${one.id}/analytics`)).status).toBe(404)
    })

    it('are part of Pro, and views alone of every plan', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'free' })
      const { id, slug } = await owner.publish('<p>x')
      await visits(app, slug, 2, BROWSER)
      for (const path of [`/pages/${id}/analytics`, '/analytics', '/analytics?group=page']) {
        const { status, body } = await owner.refused('GET', path)
        expect([status, body.error.code, body.error.param]).toEqual([402, 'plan_required', 'only'])
      }
      const report = await reportOf(owner, id, '?only=views')
      expect(Object.keys(report).sort()).toEqual([
        'from',
        'interval',
        'series',
        'to',
        'tz',
        'views',
      ])
      expect(report.views).toBe(2)
      const lines = await owner.ask<Full>('GET', '/analytics?only=views&group=page&days=14')
      expect(lines.pages).toMatchObject([{ page_id: id, views: 2 }])
    })

    it('know viewers by name where a gate confirmed them, with how often and which version', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'free' })
      const page = await owner.publish('<p>x')
      const viewer = (email: string) => ({
        address: '192.0.2.1',
        program: email,
        confirmed: { email, manifestId },
      })
      const manifestId = (await app.rows('versions'))[0]!.manifest_id
      const seen = { limited: false, notify: false }
      for (const email of ['ann@example.com', 'bob@example.com', 'ann@example.com']) {
        await app.views.count(page.id, { ...seen, viewer: viewer(email) })
      }
      const { body } = await owner.call<{ data: object[]; next_offset: number | null }>(
        ...(['GET', `/pages/${page.id}/viewers`] as const),
      )
      expect(body).toMatchObject({
        data: [
          { email: 'ann@example.com', views: 2, version_no: 1, seconds: 0, last_sheet: null },
          { email: 'bob@example.com', views: 1, version_no: 1 },
        ],
        next_offset: null,
      })
      const first = await owner.call('GET', `/pages/${page.id}/viewers?limit=1`)
      expect(first.body).toMatchObject({ data: [{ email: 'ann@example.com' }], next_offset: 1 })
    })

    it('go with their page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<p>x')
      await visits(app, slug, 2, BROWSER)
      app.views.countFacts(id, [['browser', 'Late']])
      await owner.call('DELETE', `/pages/${id}`)
      await app.views.flush()
      for (const table of ['view_hours', 'view_facets', 'daily_viewers'] as const) {
        expect(await app.rows(table), table).toEqual([])
      }
    })

    it('refuse a range that is none, with the parameter', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      for (const [query, param] of [
        ['tz=Mars/Olympus', 'tz'],
        ['from=2026-02-30', 'from'],
        ['from=yesterday', 'from'],
        ['to=0001-01-01', 'to'],
        ['from=2026-03-02&to=2026-03-01', 'from'],
        ['from=2999-01-01', 'from'],
        ['from=1971-01-01', 'from'],
        ['from=2020-01-01&interval=hour', 'from'],
        ['interval=week', 'interval'],
        ['only=all', 'only'],
      ]) {
        const { status, body } = await owner.refused('GET', `/pages/${id}/analytics?${query}`)
        expect([query, status, body.error.code, body.error.param]).toEqual([
          ...[query!, 400, 'invalid_parameter', param!],
        ])
      }
      for (const [query, param] of [
        ['days=0', 'days'],
        ['days=3&from=2026-01-01', 'days'],
        ['group=page&from=2026-01-01&to=2026-06-01', 'from'],
      ]) {
        const { status, body } = await owner.refused('GET', `/analytics?${query}`)
        expect([query, status, body.error.param]).toEqual([query!, 400, param!])
      }
    })
  })
}

describe('analytics of two nodes of one PostgreSQL', () => {
  it('add up, and neither counts a viewer of the other again', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const owner = await app.owner()
    const { id, slug } = await owner.publish('<p>x')
    await times(100, (at) => (at % 2 ? app : node).open(`/p/${slug}`, at % 4 < 2 ? BROWSER : PHONE))
    await node.views.flush()
    const report = await reportOf(owner, id)
    expect([report.views, sumOf(report), report.viewers]).toEqual([100, 100, 2])
    expect(report.devices).toEqual([
      { value: 'desktop', views: 50 },
      { value: 'phone', views: 50 },
    ])
    expect(Date.parse(report.to) - Date.parse(report.from)).toBeLessThanOrEqual(2 * HOUR_MS)
  })
})
