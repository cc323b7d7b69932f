import { describe, expect, it } from 'bun:test'
import type { Link } from '../../features/links/contract.ts'
import { ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { BROWSER, createVisitor, framePathIn, type Visitor } from '../../testing/visitor.ts'

const HTML = '<!doctype html><title>Own title</title><p>the content'
const RAW = { ...BROWSER, 'sec-fetch-dest': 'empty' }
const REFUSAL = 'This link does not work any more'

const pathOf = ({ url }: Link) => new URL(url).pathname
const linksOf = (owner: Owner, id: string) => owner.ask<Link[]>('GET', `/pages/${id}/links`)

async function linked(
  app: TestApp,
  { settings = {}, link = {}, content = HTML as string | object },
) {
  const owner = await app.owner()
  const page = await owner.publish(content, settings)
  const made = (more: object = link) =>
    owner.ask<Link>('POST', `/pages/${page.id}/links`, { label: 'Ann (Acme)', ...more })
  return { owner, page, path: `/p/${page.slug}`, link: await made(), made }
}
/** Opens a link as a browser does: the page's document, and what that asks for. */
async function open(app: TestApp, link: Link, headers = BROWSER): Promise<[Visitor, Response]> {
  const visitor = createVisitor(app, headers)
  const sent = await visitor.open(pathOf(link))
  const location = sent.headers.get('location')
  return [visitor, location === null ? sent : await visitor.open(location)]
}

for (const engine of ENGINES) {
  describe(`a named link on ${engine}`, () => {
    it('leads to the page, and counts its views exactly beside those without one', async () => {
      await using app = await testApp(engine)
      const { owner, page, path, link, made } = await linked(app, {})
      expect(link).toMatchObject({ state: 'active', opens: 0, first_opened_at: null, email: null })
      expect(pathOf(link)).toMatch(/^\/l\/[2-9a-km-z]{14}$/)
      const other = await made({ label: 'Ben' })
      const sent = await app.open(pathOf(link))
      expect([sent.status, sent.headers.get('location')]).toEqual([303, path])
      expect(sent.headers.get('cache-control')).toBe('no-store')
      expect(sent.headers.get('referrer-policy')).toBe('no-referrer')
      expect(sent.headers.get('x-robots-tag')).toBe('noindex')
      await Promise.all([
        ...Array.from({ length: 7 }, () => open(app, link)),
        ...Array.from({ length: 4 }, () => open(app, other, RAW)),
        ...Array.from({ length: 5 }, () => app.open(path)),
      ])
      const [ben, ann] = await linksOf(owner, page.id)
      expect([ann!.opens, ben!.opens]).toEqual([7, 4])
      expect((await owner.page(page.id)).views).toBe(16)
    })

    it('is opened once a browser asks for more than the document, not by a scanner', async () => {
      await using app = await testApp(engine)
      const { owner, page, link } = await linked(app, {})
      const read = async () => (await linksOf(owner, page.id))[0]!
      await open(app, link, { accept: '*/*' })
      await open(app, link, RAW)
      expect(await read()).toMatchObject({ opens: 2, first_opened_at: null, last_opened_at: null })
      const [visitor, shell] = await open(app, link)
      const frame = `${await framePathIn(shell)}index.html`
      expect(await read()).toMatchObject({ opens: 3, first_opened_at: null })
      const answer = await visitor.open(frame, { 'sec-fetch-dest': 'iframe' })
      expect(await answer.text()).toContain('the content')
      const first = await read()
      expect(first.first_opened_at).not.toBeNull()
      expect(first.last_opened_at).toBe(first.first_opened_at!)
      const feedback = () => owner.ask<{ items: object[] }>('GET', '/feedback?cursor=start')
      const event = { type: 'opened', page_id: page.id, link_id: link.id, link_label: link.label }
      expect((await feedback()).items).toMatchObject([event])
      app.advance(2 * MINUTE_MS)
      await visitor.open(frame, { 'sec-fetch-dest': 'iframe' })
      const later = await read()
      expect(later.first_opened_at).toBe(first.first_opened_at)
      expect(later.last_opened_at! > first.last_opened_at!).toBe(true)
      expect(later.opens).toBe(3)
      expect((await feedback()).items).toHaveLength(1)
    })

    it('that is switched off shows no words of the owner of a page that the operator closed', async () => {
      await using app = await testApp(engine)
      const title = 'You have won'
      const { owner, page, link } = await linked(app, { settings: { og_title: title } })
      await owner.ask('PATCH', `/pages/${page.id}/links/${link.id}`, { state: 'off' })
      const ask = async () => {
        const answer = await app.open(pathOf(link))
        const text = await answer.text()
        return [answer.status, /<h1[^>]*>([^<]+)/.exec(text)?.[1], text.includes(title)]
      }
      expect(await ask()).toEqual([410, REFUSAL, true])
      const stored = (await app.pages.find(page.id))!
      await app.database.write((tx) => app.pages.setTakedown(tx, stored, 'phishing'))
      expect(await ask()).toEqual([410, 'This page was taken down', false])
      const account = (await app.accounts.findByEmail(owner.email))!
      await app.accountSuspension.suspend(account, null)
      expect(await ask()).toEqual([410, 'This page is not available', false])
    })

    it('that is switched off closes its visits at once, and no others', async () => {
      await using app = await testApp(engine)
      const { owner, page, path, link, made } = await linked(app, {})
      const other = await made({ label: 'Ben' })
      const [visitor, shell] = await open(app, link)
      const frame = `${await framePathIn(shell)}index.html`
      const [ben] = await open(app, other)
      const node = engine === 'postgres' ? await app.node() : app
      await owner.ask('PATCH', `/pages/${page.id}/links/${link.id}`, { state: 'off' })
      const elsewhere = createVisitor(node, BROWSER)
      elsewhere.keep('/', visitor.cookieFor(path).split('; ')[0]!)
      for (const closed of [
        await visitor.open(path),
        await visitor.open(frame, { 'sec-fetch-dest': 'iframe' }),
        await visitor.open(path, { 'sec-fetch-dest': 'empty' }),
        await elsewhere.open(path),
        await app.open(pathOf(link)),
      ]) {
        expect(closed.status).toBe(410)
        const text = await closed.text()
        expect(text).toContain(REFUSAL)
        expect(text).not.toMatch(/the content|Own title|Ann/)
        expect(closed.headers.get('cache-control')).toBe('no-store')
      }
      expect((await ben.open(path)).status).toBe(200)
      expect((await app.open(path)).status).toBe(200)
      const [, shown] = await linksOf(owner, page.id)
      expect([shown!.id, shown!.state, shown!.opens]).toEqual([link.id, 'off', 1])
      await owner.ask('PATCH', `/pages/${page.id}/links/${link.id}`, { state: 'active' })
      expect((await visitor.open(path)).status).toBe(200)
      const gone = await owner.call('DELETE', `/pages/${page.id}/links/${link.id}`)
      expect(gone.status).toBe(204)
      expect((await visitor.open(path)).status).toBe(410)
      expect((await app.open(pathOf(link))).status).toBe(404)
    })

    it('with a limit opens exactly as often, however many ask at once', async () => {
      await using app = await testApp(engine)
      const { owner, page, link, path } = await linked(app, { link: { max_views: 5 } })
      const opened = await Promise.all(Array.from({ length: 30 }, () => open(app, link)))
      const statuses = opened.map(([, { status }]) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(5)
      expect(statuses.filter((status) => status === 410)).toHaveLength(25)
      expect((await linksOf(owner, page.id))[0]).toMatchObject({ opens: 5, state: 'used_up' })
      expect((await owner.page(page.id)).views).toBe(5)
      expect((await app.open(pathOf(link))).status).toBe(410)
      expect((await app.open(path)).status).toBe(200)
      // What the last view shows is still loaded.
      const [visitor, shell] = opened.find(([, { status }]) => status === 200)!
      const frame = `${await framePathIn(shell)}index.html`
      expect((await visitor.open(frame, { 'sec-fetch-dest': 'iframe' })).status).toBe(200)
    })

    it('counts no view that the page has none left for', async () => {
      await using app = await testApp(engine)
      const { owner, page, link, path } = await linked(app, { settings: { max_views: 6 } })
      const all = await Promise.all([
        ...Array.from({ length: 10 }, async () => (await open(app, link))[1]),
        ...Array.from({ length: 10 }, () => app.open(path)),
      ])
      expect(all.filter(({ status }) => status === 200)).toHaveLength(6)
      const byLink = all.slice(0, 10).filter(({ status }) => status === 200).length
      expect((await linksOf(owner, page.id))[0]!.opens).toBe(byLink)
      expect((await owner.page(page.id)).views).toBe(6)
      const refused = await open(app, link)
      expect(await refused[1].text()).toContain('no longer available')
    })

    it('opens nothing that a gate shuts', async () => {
      await using app = await testApp(engine)
      for (const settings of [
        { access: 'password', password: 'abcd' },
        { access: 'people', allowed_emails: ['ann@example.com'] },
        { access: 'email_gate' },
        { access: 'private' },
      ]) {
        const { owner, page, link, path } = await linked(app, {
          settings,
          link: { email: 'ann@example.com' },
        })
        const [visitor, gate] = await open(app, link)
        expect(gate.status).toBe(403)
        expect(await gate.text()).not.toMatch(/the content|Own title|Ann|ann@/)
        expect((await linksOf(owner, page.id))[0]!.opens).toBe(0)
        if (settings.access !== 'password') continue
        await visitor.givePassword(path, 'abcd')
        expect((await visitor.open(path)).status).toBe(200)
        expect((await linksOf(owner, page.id))[0]!.opens).toBe(1)
        await owner.ask('PATCH', `/pages/${page.id}/links/${link.id}`, { state: 'off' })
        expect((await visitor.open(path)).status).toBe(410)
      }
    })
  })
}

describe('a named link', () => {
  it('keeps its name in a deck, whose views are one', async () => {
    await using app = await testApp('sqlite')
    const files = { 'index.html': '<p>one', 'two.html': '<p>two' }
    const content = { files: Object.entries(files).map(([path, html]) => ({ path, html })) }
    const { owner, page, link, path } = await linked(app, { content })
    const [visitor, root] = await open(app, link)
    expect(root.status).toBe(307)
    await visitor.open(root.headers.get('location')!)
    await visitor.open(`${path}/two.html`)
    expect((await linksOf(owner, page.id))[0]!.opens).toBe(1)
    expect((await owner.page(page.id)).views).toBe(1)
  })

  it('ends at its time', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, link, path } = await linked(app, { link: { expires_at: '30m' } })
    const [visitor] = await open(app, link)
    app.advance(31 * MINUTE_MS)
    expect((await visitor.open(path)).status).toBe(410)
    expect((await app.open(pathOf(link))).status).toBe(410)
    expect((await linksOf(owner, page.id))[0]).toMatchObject({ state: 'expired', opens: 1 })
  })

  it('is nothing on another page, and of no other account', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, link } = await linked(app, {})
    const other = await owner.publish('<p>other')
    const [visitor] = await open(app, link)
    const pair = visitor.cookieFor(`/p/${page.slug}`).split('; ')[0]!
    visitor.keep(`/p/${other.slug}`, pair)
    expect((await visitor.open(`/p/${other.slug}`)).status).toBe(200)
    expect((await linksOf(owner, page.id))[0]!.opens).toBe(1)
    const stranger = await app.owner({ email: 'other@example.com' })
    for (const [method, path, who] of [
      ['GET', `/pages/${page.id}/links`, stranger],
      ['PATCH', `/pages/${page.id}/links/${link.id}`, stranger],
      ['PATCH', `/pages/${other.id}/links/${link.id}`, owner],
      ['DELETE', `/pages/${other.id}/links/${link.id}`, owner],
    ] as const) {
      expect((await who.refused(method, path, method === 'PATCH' ? {} : undefined)).status).toBe(
        404,
      )
    }
  })

  it('cannot be guessed: an unknown one is like a missing page, and tries are limited', async () => {
    await using app = await testApp('sqlite', { rateLimits: true })
    const { link } = await linked(app, {})
    const unknown = async (path: string) => {
      const answer = await app.open(path)
      answer.headers.delete('x-request-id')
      return [answer.status, await answer.text(), [...answer.headers]]
    }
    const missing = await unknown('/p/abcdefgh2345')
    expect(missing[0]).toBe(404)
    for (const token of ['abcdefgh234567', 'x', '__proto__', '%00', 'a'.repeat(3000)]) {
      expect(await unknown(`/l/${token}`)).toEqual(missing)
    }
    for (let n = 0; n < 20; n++) await app.open(pathOf(link))
    const tries = Array.from({ length: 8 }, (_, at) => app.open(`/l/abcdefgh23456${at + 2}`))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    const refused = await app.open(pathOf(link))
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
  })

  it('is not opened by what fetches ahead, and takes no forms', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, link } = await linked(app, {})
    const path = pathOf(link)
    const ahead = await app.open(path, { 'sec-purpose': 'prefetch' })
    expect([ahead.status, ahead.headers.getSetCookie()]).toEqual([503, []])
    const visitor = createVisitor(app, {})
    for (const method of ['POST', 'PUT']) {
      expect((await visitor.open(path, {}, method)).status).toBe(404)
    }
    expect((await visitor.open(path, {}, 'HEAD')).status).toBe(303)
    expect((await linksOf(owner, page.id))[0]).toMatchObject({ opens: 0 })
  })

  it('takes its opening along where it is deleted, and nothing of another page', async () => {
    await using app = await testApp('sqlite')
    const { page, link } = await linked(app, {})
    const [visitor, shell] = await open(app, link)
    await visitor.open(`${await framePathIn(shell)}index.html`, { 'sec-fetch-dest': 'iframe' })
    const stranger = await app.owner()
    const other = await stranger.publish(HTML)
    await stranger.refused('DELETE', `/pages/${other.id}/links/${link.id}`)
    const events = async () => (await app.rows('feedback_events')).map(({ type }) => type)
    expect(await events()).toEqual(['opened'])
    await app.links.remove((await app.pages.find(page.id))!, link.id)
    expect(await events()).toEqual([])
  })

  it('is limited in number, and takes nothing that is unknown', async () => {
    await using app = await testApp('sqlite')
    const { owner, page } = await linked(app, {})
    const path = `/pages/${page.id}/links`
    const wrong = await owner.refused('POST', path, { label: '' })
    expect(wrong.body.error.param).toBe('label')
    const stored = await app.pages.find(page.id)
    await Promise.all(
      Array.from({ length: 999 }, (_, at) => app.links.create(stored!, [{ label: `N ${at}` }])),
    )
    const refused = await owner.refused('POST', path, { label: 'one more' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'too_many_links'])
  })
})
