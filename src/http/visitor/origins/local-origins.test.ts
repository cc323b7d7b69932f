import { describe, expect, it } from 'bun:test'
import type { Warning } from '../../../features/content/index.ts'
import { ENGINES, testApp } from '../../../testing/app.ts'
import { askHost, WINDOW } from '../../../testing/own-host.ts'
import { viewsOf } from '../../../testing/views.ts'

const baseUrl = 'http://localhost:8787'
const LOCAL = { baseUrl, localContentUrl: 'http://{page}.localhost:8787' }
const FRESH: Record<string, string> = { ...WINDOW, 'sec-fetch-site': 'none' }
const SAFARI = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'
const ROUTED = {
  title: null,
  fallback: 'index.html',
  files: [
    {
      path: 'index.html',
      html: `<!doctype html><meta name=viewport><p>home<script>
addEventListener('popstate', () => show(location.pathname))
go.onclick = () => history.pushState(null, '', '/team')
</script>`,
    },
    { path: 'about.html', html: '<!doctype html><meta name=viewport><p>about' },
  ],
}
const ROUTER = '<!doctype html><meta name=viewport><script>indexedDB.open("a")</script>'
const PLAIN = '<!doctype html><p>plain words'

for (const engine of ENGINES) {
  const start = () => testApp(engine, LOCAL)

  describe(`a page with scripts, on localhost without CONTENT_URL, on ${engine}`, () => {
    it('is opened at the root of a host of its own, with a cookie of that host alone', async () => {
      await using app = await start()
      const owner = await app.owner()
      const page = await owner.publish(ROUTED)
      const { slug } = page
      expect(page.needs_origin).toEqual([])
      const sent = await askHost(app, `${baseUrl}/p/${slug}/about?a`, FRESH)
      const ticketUrl = new URL(sent.headers.get('location')!)
      expect([sent.status, ticketUrl.host]).toEqual([
        303,
        expect.stringMatching(/^[a-z2-7]{26}\.localhost:8787$/),
      ])
      const taken = await askHost(app, ticketUrl, WINDOW)
      expect(taken.headers.get('location')).toBe('/about?a')
      const [line = '', ...more] = taken.headers.getSetCookie()
      expect(more).toEqual([])
      expect(line).toMatch(/^handbill_own=[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
      const own = { ...WINDOW, 'sec-fetch-site': 'same-origin', cookie: line.split(';')[0]! }
      for (const [path, words] of [
        ['/about?a', 'about'],
        ['/team', 'home'],
      ] as const) {
        const answer = await askHost(app, ticketUrl.origin + path, own)
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(words)])
        expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'self'")
      }
      expect(await viewsOf(owner, page)).toBe(1)
    })

    it('stays in the sandbox for who may not reach that host, and if it has no script', async () => {
      await using app = await start()
      const owner = await app.owner()
      const { slug } = await owner.publish(ROUTED)
      const plain = await owner.publish(PLAIN)
      const routed = `${baseUrl}/p/${slug}/index.html`
      for (const [url, headers] of [
        [routed, { ...FRESH, 'user-agent': SAFARI }],
        [routed, { ...FRESH, host: '127.0.0.1:8787' }],
        [routed, { ...FRESH, host: 'rebound.example' }],
        [routed, { accept: FRESH.accept!, 'user-agent': FRESH['user-agent']! }],
        [routed, {}],
        [`${baseUrl}/p/${plain.slug}`, FRESH],
      ] as const) {
        const answer = await askHost(app, url, headers)
        expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
        expect(answer.headers.get('content-security-policy')).toStartWith('sandbox ')
      }
    })

    it('is not warned of what works there; nothing but pages is below localhost', async () => {
      await using app = await start()
      const owner = await app.owner()
      const { body } = await owner.call<{ warnings: Warning[] }>('POST', '/pages', { html: ROUTER })
      const { warnings } = body
      expect(warnings).toEqual([])
      for (const label of ['app', 'www', 'a'.repeat(26), '7'.repeat(26), 'x.y', '']) {
        for (const path of ['/', '/app', '/api/v1/pages', '/docs', '/p/x', '/~/runtime.js']) {
          const answer = await app.fetch(
            new Request(baseUrl + path, { headers: { ...FRESH, host: `${label}.localhost:8787` } }),
          )
          expect([label, path, answer.status]).toEqual([label, path, 404])
          expect(answer.headers.getSetCookie()).toEqual([])
        }
      }
      expect((await askHost(app, `${baseUrl}/healthz`)).status).toBe(200)
    })
  })
}
