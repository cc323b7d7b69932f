import { describe, expect, it } from 'bun:test'
import type { PageObject } from '../../../model/page/page-object.ts'
import { ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { expectNotFoundHeaders, expectOwnHeaders } from '../../../testing/isolation.ts'
import { base64, fileOf } from '../../../testing/material.ts'
import type { Owner } from '../../../testing/people.ts'
import { BROWSER, framePathIn } from '../../../testing/visitor.ts'

const DECK = {
  files: ['index.html', 'team.html'].map((path) => ({ path, html: `<p>words of ${path}` })),
  assets: [{ path: 'a.css', data_base64: base64('/* words of a.css */') }],
}

/** The same token with one character changed, for each of its characters. */
function* flipped(token: string): Generator<string> {
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : token[at] === '1' ? '2' : 'A'
    yield token.slice(0, at) + other + token.slice(at + 1)
  }
}
function* broken(token: string): Generator<string> {
  yield* flipped(token)
  for (const length of [0, 1, 2, 3, 13, 14, token.length - 1]) yield token.slice(0, length)
  yield* [`${token}A`, `${token}.`, `A${token}`, token.toUpperCase(), ` ${token}`.trim().repeat(2)]
  const [version, expires, ...rest] = token.split('.')
  for (const later of [`0${expires}`, `${expires}0`, `+${expires}`, `${expires}e1`, 'Infinity']) {
    yield [version, later, ...rest].join('.')
  }
  yield [version, expires, '', ...rest].join('.')
}

/** The path below which an admitted browser loads this page's files. */
async function framePathOf(app: TestApp, { slug }: PageObject): Promise<string> {
  return framePathIn(await app.open(`/p/${slug}/index.html`, BROWSER))
}
async function reads(app: TestApp, url: string): Promise<number> {
  const answer = await app.open(url)
  const text = await answer.text()
  expect([answer.status, text.includes('words of')]).toEqual([answer.status, answer.status === 200])
  // The shell's frame shows what it gets.
  const expectHeaders = answer.status === 404 ? expectNotFoundHeaders : expectOwnHeaders
  if (answer.status !== 200) expectHeaders(answer, true)
  return answer.status
}
function publish(owner: Owner, settings: object = {}): Promise<PageObject> {
  return owner.publish({ ...DECK, allow_comments: true, ...settings })
}

for (const engine of ENGINES) {
  describe(`a frame token on ${engine}`, () => {
    it('reads its page’s published files and nothing else', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [page, other] = [await publish(owner), await publish(owner)]
      const base = await framePathOf(app, page)
      const frameToken = base.split('/')[3]!
      for (const path of ['index.html', 'team.html', 'a.css']) {
        expect(await reads(app, base + path)).toBe(200)
        expect(await reads(app, `/p/${other.slug}/${frameToken}/${path}`)).toBe(404)
      }
      for (const path of ['nothing.html', '../x', '~/index.html', `${frameToken}/index.html`]) {
        expect((await app.open(base + path)).status).toBe(404)
      }
      expect((await app.api('/pages', { headers: { authorization: frameToken } })).status).toBe(401)
      for (const method of ['POST', 'PUT', 'DELETE']) {
        expect((await app.open(`${base}index.html`, {}, method)).status).toBe(405)
      }
    })

    it('with any character changed, removed or added answers 404', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const open = await publish(owner)
      const locked = await publish(owner, { access: 'password' })
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${locked.slug}`, locked.password!)
      const bases = [
        await framePathOf(app, open),
        await framePathIn(await visitor.open(`/p/${locked.slug}/index.html`, BROWSER)),
      ]
      const nothing = await (await app.open('/p/no-such-page')).text()
      for (const base of bases) {
        const [, , slug, frameToken] = base.split('/')
        expect(await reads(app, `${base}index.html`)).toBe(200)
        for (const forged of broken(frameToken!.slice(1))) {
          const answer = await app.open(`/p/${slug}/~${forged}/index.html`)
          const isNothing = (await answer.text()) === nothing
          // Without a dot it is the name of a folder, for which the gate answers.
          const isGated = slug === locked.slug && /^[^.]+$/.test(forged)
          const expected = isGated ? [forged, 403, false] : [forged, 404, true]
          expect([forged, answer.status, isNothing]).toEqual(expected)
        }
      }
    })

    it('lasts twelve hours', async () => {
      await using app = await testApp(engine)
      const page = await publish(await app.owner())
      const url = `${await framePathOf(app, page)}index.html`
      app.advance(12 * HOUR_MS - MINUTE_MS)
      expect(await reads(app, url)).toBe(200)
      app.advance(MINUTE_MS)
      expect(await reads(app, url)).toBe(404)
    })

    it('ends with every change of who may open the page, and only with those', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await publish(owner)
      const ending = [
        { access: 'password' },
        { access: 'link' },
        { password: 'another one' },
        { allowed_emails: ['ann@example.com', 'bob@example.com'] },
        { allowed_emails: ['ann@example.com'] },
        { allowed_domains: ['example.com'] },
        { business_only: true },
        { require_signin: true },
      ]
      const keeping = [
        { title: 'T', accent: 'red', og_title: 'O', indexed: true },
        { max_views: 1000, expires_at: '2100-01-01T00:00:00Z' },
        { allow_comments: false, allow_access_requests: true, notify_on_view: true },
        { files: [{ path: 'index.html', html: '<p>words of the next draft' }] },
      ]
      for (const change of keeping) {
        const url = `${await framePathOf(app, page)}index.html`
        await owner.update(page.id, change)
        expect([change, await reads(app, url)]).toEqual([change, 200])
        await owner.update(page.id, { allow_comments: true, max_views: null })
      }
      for (const change of ending) {
        await owner.update(page.id, { access: 'link' })
        const url = `${await framePathOf(app, page)}index.html`
        expect(await reads(app, url)).toBe(200)
        const before = (await owner.page(page.id)).access
        await owner.update(page.id, change)
        if ('access' in change && change.access === before) continue
        expect([change, await reads(app, url)]).toEqual([change, 404])
      }
    })

    it('shows what is published now, and a notice when nothing is', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, ...page } = await publish(owner)
      const base = await framePathOf(app, { id, ...page })
      await owner.update(id, { files: [{ path: 'index.html', html: '<p>newer' }] })
      expect(await (await app.open(`${base}index.html`)).text()).toContain('words of index')
      await owner.ask('POST', `/pages/${id}/publish`)
      expect(await (await app.open(`${base}index.html`)).text()).toContain('<p>newer')
      expect((await app.open(`${base}team.html`)).status).toBe(404)
      await owner.call('DELETE', `/pages/${id}/publish`)
      const unpublished = await app.open(`${base}index.html`)
      expect([unpublished.status, (await unpublished.text()).includes('not published')]).toEqual([
        404,
        true,
      ])
      await owner.ask('POST', `/pages/${id}/publish`)
      await owner.update(id, { expires_at: new Date(app.clock.ms() - 1000).toISOString() })
      expect((await app.open(`${base}index.html`)).status).toBe(410)
      await owner.call('DELETE', `/pages/${id}`)
      expect((await app.open(`${base}index.html`)).status).toBe(404)
    })

    it('in the address bar redirects to the page’s own address and its gate', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const deck = await publish(owner)
      const base = await framePathOf(app, deck)
      const file = { file_base64: base64(fileOf('pdf')), filename: 'a.pdf' }
      const pdf = await owner.publish(file)
      const pdfBase = await framePathIn(await app.open(`/p/${pdf.slug}`, BROWSER))
      const alone: [string, string][] = [
        [`${base}team.html?a=b`, `/p/${deck.slug}/team.html?a=b`],
        [`${base}a.css`, `/p/${deck.slug}/a.css`],
        [`${pdfBase}a.pdf`, `/p/${pdf.slug}`],
      ]
      for (const [url, clean] of alone) {
        const answer = await app.open(url, BROWSER)
        expect([answer.status, answer.headers.get('location')]).toEqual([307, clean])
        expect(await answer.text()).toBe('')
      }
    })

    it('that has ended reveals nothing in the address bar', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const deck = await publish(owner, { access: 'password', allow_comments: false })
      const single = await owner.publish('<p>x', { access: 'password', title: 'Single' })
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${deck.slug}`, deck.password!)
      const base = await framePathIn(await visitor.open(`/p/${deck.slug}/team.html`, BROWSER))
      app.advance(13 * HOUR_MS)
      const location = (answer: Response) => [answer.status, answer.headers.get('location')]
      const response = await visitor.open(`${base}team.html`, BROWSER)
      expect(location(response)).toEqual([307, `/p/${deck.slug}/team.html`])
      for (const { slug } of [deck, single]) {
        const path = base.replace(deck.slug, slug)
        const stranger = await app.open(`${path}team.html`, BROWSER)
        expect(location(stranger)).toEqual([307, `/p/${slug}`])
        expect((await app.open(`${path}team.html`)).status).toBe(404)
      }
    })
  })

  describe(`the visit cookie on ${engine}`, () => {
    /** A deck whose one view was used, with the visit cookie of that view. */
    async function taken(app: TestApp, owner: Owner) {
      const page = await publish(owner, { max_views: 1, allow_comments: false })
      const visitor = app.visitor()
      expect((await visitor.open(`/p/${page.slug}/index.html`)).status).toBe(200)
      const [name, token] = visitor.cookieFor(`/p/${page.slug}/`).split('=')
      return { page, name: name!, token: token!, url: `/p/${page.slug}/team.html` }
    }
    const withCookie = (app: TestApp, url: string, cookie: string) => app.open(url, { cookie })

    it('opens the other files of the deck after the limit is reached', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { page, name, token, url } = await taken(app, owner)
      for (const cookie of [`${name}=${token}`, `a=b; ${name}=x; ${name}=${token}; c=d`]) {
        expect((await withCookie(app, url, cookie)).status).toBe(200)
      }
      expect((await app.open(url)).status).toBe(410)
      expect((await owner.page(page.id)).views).toBe(1)
    })

    it('with any character changed, removed or added opens nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { page, name, token, url } = await taken(app, owner)
      for (const forged of broken(token)) {
        const answer = await withCookie(app, url, `${name}=${forged}`)
        expect([forged, answer.status]).toEqual([forged, 410])
        expect(await answer.text()).not.toContain('words of')
      }
      expect((await owner.page(page.id)).views).toBe(1)
    })

    it('is for one page, one purpose and 30 minutes', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [one, two] = [await taken(app, owner), await taken(app, owner)]
      expect((await withCookie(app, one.url, `${two.name}=${two.token}`)).status).toBe(410)
      const commented = await publish(owner, { max_views: 1 })
      const base = await framePathOf(app, commented)
      const frameToken = base.split('/')[3]!.slice(1)
      const url = `/p/${commented.slug}/index.html`
      expect((await withCookie(app, url, `handbill_visit=${frameToken}`)).status).toBe(410)
      app.advance(30 * MINUTE_MS - 10_000)
      expect((await withCookie(app, one.url, `${one.name}=${one.token}`)).status).toBe(200)
      app.advance(10_000)
      expect((await withCookie(app, one.url, `${one.name}=${one.token}`)).status).toBe(410)
    })

    it('ends with a change of who may open the page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { page, name, token, url } = await taken(app, owner)
      await owner.update(page.id, { access: 'password' })
      await owner.update(page.id, { access: 'link' })
      expect((await withCookie(app, url, `${name}=${token}`)).status).toBe(410)
    })

    it('is unreadable for scripts, and has a name of its page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { slug } = await publish(owner, { allow_comments: false })
      const answer = await app.open(`/p/${slug}/index.html`)
      const [cookie = ''] = answer.headers.getSetCookie()
      expect(cookie).toMatch(/^handbill_visit_[\w-]{11}=v1\.\d+\.[\w-]{43}; /)
      expect(cookie).toContain('Path=/; Max-Age=1800; HttpOnly; SameSite=Lax')
      expect(cookie).not.toContain('Domain')
    })
  })
}
