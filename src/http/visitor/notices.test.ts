import { describe, expect, it } from 'bun:test'
import { BASE_URL, ENGINES, HOUR_MS, testApp } from '../../testing/app.ts'
import { expectNotFoundHeaders, expectOwnHeaders } from '../../testing/isolation.ts'
import { base64, fileOf } from '../../testing/material.ts'
import { BROWSER, framePathIn } from '../../testing/visitor.ts'

const WORDS = 'the-words-of-the-content'
const TITLE = 'The Secret Title'
const HTML = `<!doctype html><title>${TITLE}</title><p>${WORDS}`

for (const engine of ENGINES) {
  describe(`a response under /p/ without content, on ${engine}`, () => {
    it('a notice or gate has no content and no title, and is never stored or framed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const past = new Date(app.clock.ms() - HOUR_MS).toISOString()
      const sources = [
        { html: HTML },
        { files: [{ path: 'index.html', html: HTML }] },
        { file_base64: base64(fileOf('pdf')), filename: `${TITLE}.pdf` },
      ]
      const shut: [object, number][] = [
        [{ publish: false }, 404],
        [{ expires_at: past }, 410],
        [{ access: 'private' }, 403],
        [{ access: 'password' }, 403],
        [{ access: 'people', allowed_emails: ['ann@example.com'] }, 403],
        [{ access: 'people', require_signin: true, allow_access_requests: true }, 403],
        [{ access: 'email_gate', business_only: true }, 403],
      ]
      for (const source of sources) {
        for (const [settings, status] of shut) {
          const ogTitle = 'What the owner wrote for previews'
          const page = await owner.publish({ ...source, ...settings, og_title: ogTitle })
          for (const path of ['', '/', '/index.html', '/nothing', '?q=1']) {
            for (const headers of [{}, BROWSER, { range: 'bytes=0-1' }]) {
              for (const method of ['GET', 'HEAD']) {
                const answer = await app.open(`/p/${page.slug}${path}`, headers, method)
                expect([settings, path, answer.status]).toEqual([settings, path, status])
                expectOwnHeaders(answer)
                expect(answer.headers.get('x-robots-tag')).toBe('noindex')
                expect(answer.headers.get('etag')).toBeNull()
                expect([...answer.headers.values()].join()).not.toMatch(/Secret|%20Title/)
                const text = await answer.text()
                expect(text).not.toContain(WORDS)
                expect(text).not.toContain(TITLE)
                expect(text).not.toContain('%PDF')
                expect(text).not.toContain(page.id)
              }
            }
          }
        }
      }
    })

    it('a missing page and a missing file get the same notice', async () => {
      await using app = await testApp(engine)
      const { slug } = await (await app.owner()).publish({
        files: ['index.html', 'about/index.html'].map((path) => ({ path, html: HTML })),
        assets: [{ path: 'a/style.css', data_base64: base64('p{}') }],
      })
      const nothing = await (await app.open('/p/no-such-page')).text()
      const paths = [
        ...['nothing.html', 'INDEX.html', 'about/nothing', 'about//index.html', 'a/'],
        ...['a%2fstyle.css', 'a%5cstyle.css', 'index.html%00', '%ff', 'a/../../x', '%2e%2e/x'],
        ...[
          '~',
          '~/',
          '~v1',
          '~v1.1.1/index.html',
          '~v1.9999999999.AAAA/index.html',
          'index.html/',
        ],
      ]
      for (const path of paths) {
        const answer = await app.open(`/p/${slug}/${path}`)
        expect([path, answer.status]).toEqual([path, 404])
        // The shell's frame asks by a token, and shows what it gets.
        expectNotFoundHeaders(answer, path.startsWith('~v1.'))
        expect(await answer.text()).toBe(nothing)
      }
      for (const path of ['/p/', '/p/UPPER', '/p/ab', `/p/${'x'.repeat(64)}`, '/p/a_b', '/p/%00']) {
        const answer = await app.open(path)
        expect([path, answer.status, await answer.text()]).toEqual([path, 404, nothing])
        const expectHeaders = path === '/p/' ? expectOwnHeaders : expectNotFoundHeaders
        expectHeaders(answer)
      }
    })

    it('other methods, service workers and prefetches get plain text and count no view', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(HTML)
      const requests: [number, Record<string, string>, string][] = [
        ...['PUT', 'DELETE', 'PATCH'].map(
          (method) => [405, {}, method] as [number, Record<string, string>, string],
        ),
        [403, { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' }, 'GET'],
        [503, { 'sec-purpose': 'prefetch' }, 'GET'],
        [503, { 'sec-purpose': 'prefetch;prerender' }, 'GET'],
        [503, { purpose: 'prefetch' }, 'GET'],
      ]
      for (const [status, headers, method] of requests) {
        const answer = await app.open(`/p/${slug}`, { ...BROWSER, ...headers }, method)
        expect([method, headers, answer.status]).toEqual([method, headers, status])
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
        const [readableBy, allow] = status === 405 ? ['*', 'GET, HEAD'] : [null, null]
        expect(answer.headers.get('access-control-allow-origin')).toBe(readableBy)
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
        expect(answer.headers.get('allow')).toBe(allow)
        expect(await answer.text()).not.toContain(WORDS)
      }
      expect((await owner.page(id)).views).toBe(0)
    })

    it('a script may read that a file is not there, and of a closed page nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const files = [{ path: 'index.html', html: HTML }]
      const { id, slug } = await owner.publish({ files })
      const locked = await owner.publish({ files, access: 'password', title: 'Locked' })
      const draft = await owner.publish({ files, publish: false, title: 'Draft' })
      const fromSandbox = { origin: 'null', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
      const read = async (path: string) => {
        const answer = await app.open(`/p/${path}`, fromSandbox)
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
        const isReadable = answer.headers.get('access-control-allow-origin') === '*'
        return [answer.status, isReadable, await answer.text()]
      }
      const nothing = await read('no-such-page/data.json')
      expect(nothing.slice(0, 2)).toEqual([404, true])
      expect(await read(`${slug}/data.json`)).toEqual(nothing)
      const closed = [
        [403, locked],
        [404, draft],
      ] as const
      for (const [status, page] of closed) {
        for (const path of ['index.html', 'data.json']) {
          expect((await read(`${page.slug}/${path}`)).slice(0, 2)).toEqual([status, false])
        }
      }
      expect((await owner.page(id)).views).toBe(0)
    })

    it('a preflight is answered alike for every address, without credentials', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const files = [{ path: 'index.html', html: HTML }]
      const open = await owner.publish({ files, max_views: 1 })
      const locked = await owner.publish({ files, access: 'password', title: 'Locked' })
      const token = await framePathIn(await app.open(`/p/${open.slug}/index.html`, BROWSER))
      const paths = [
        ...[
          open.slug,
          `${open.slug}/index.html`,
          `${open.slug}/data.json`,
          'no-such-page',
          'UPPER',
        ],
        ...[locked.slug, `${locked.slug}/index.html`, '%ff', '~', token.replace('/p/', '')],
      ]
      const questions = [
        {},
        {
          origin: 'null',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-requested-with',
        },
        { cookie: 'a=b', origin: BASE_URL, 'access-control-request-method': 'DELETE' },
      ]
      const answers = new Set<string>()
      for (const path of paths) {
        for (const headers of questions) {
          const answer = await app.open(`/p/${path}`, headers, 'OPTIONS')
          const facts = [answer.status, [...answer.headers], await answer.text()]
          answers.add(JSON.stringify(facts))
        }
      }
      expect([...answers].map((text) => JSON.parse(text))).toEqual([
        [
          204,
          [
            ['access-control-allow-headers', '*'],
            ['access-control-allow-methods', 'GET, HEAD'],
            ['access-control-allow-origin', '*'],
            ['access-control-max-age', '7200'],
            ['allow', 'GET, HEAD, OPTIONS'],
            ['cache-control', 'no-store'],
            ['x-content-type-options', 'nosniff'],
            ['x-robots-tag', 'noindex'],
          ],
          '',
        ],
      ])
      expect((await owner.page(open.id)).views).toBe(1)
    })

    it('a plain form that is sent to a page gets a notice that names data-service', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const past = new Date(app.clock.ms() - HOUR_MS).toISOString()
      const open = await owner.publish(HTML, { title: 'Open', og_title: TITLE })
      const pages = [
        await owner.publish(HTML, { title: 'Locked', access: 'password', og_title: TITLE }),
        await owner.publish(HTML, { title: 'Own', access: 'private', og_title: TITLE }),
        await owner.publish(HTML, { title: 'Draft', publish: false, og_title: TITLE }),
        await owner.publish(HTML, { title: 'Past', expires_at: past, og_title: TITLE }),
      ]
      const posted = async (path: string, headers = {}) => {
        const answer = await app.open(path, headers, 'POST')
        expect([path, answer.status]).toEqual([path, 405])
        expect(answer.headers.get('allow')).toBe('GET, HEAD')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        // The same for every address, so any script may read it.
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
        expect(answer.headers.getSetCookie()).toEqual([])
        return answer
      }
      const response = await posted(`/p/${open.slug}`, BROWSER)
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
      expect(response.headers.get('content-security-policy')).toContain('; sandbox')
      const text = await response.text()
      expect(text).toContain('add data-service to its &lt;form&gt;')
      const program = await (await posted(`/p/${open.slug}`)).text()
      expect(program).toContain('add data-service to the <form>')
      // A form reveals neither which pages exist nor anything about them.
      const others = ['no-such-page', 'UPPER', ...pages.map(({ slug }) => slug)]
      for (const path of [...others, `${open.slug}/index.html`, `${pages[0]!.slug}/~v1.1.1/x`]) {
        expect(await (await posted(`/p/${path}`, BROWSER)).text()).toBe(text)
        expect(await (await posted(`/p/${path}`)).text()).toBe(program)
      }
      expect(text + program).not.toContain(TITLE)
      expect((await owner.page(open.id)).views).toBe(0)
    })
  })
}
