/** Isolation: what the script of a page cannot reach, in any browser. */
import { expect } from 'bun:test'
import { becomes, framed } from './browser.ts'
import { type Page, pro, send, team } from './client.ts'
import { expectNothingReached, HOSTILE, type Results } from './isolation-hostile.ts'
import { type Promised, textOf, unlock, type Visitor } from './isolation-visitor.ts'
import { word } from './material.ts'
import { server } from './server.ts'

const SESSION = 'a'.repeat(43)
const PASSWORD = 'open sesame'
const GATED = { access: 'password', password: PASSWORD }

/** Opens a gated page, in the shell or directly, in a browser that has a session of the app. */
async function unlocked(victim: Visitor, isInShell: boolean) {
  const secret = word('secret')
  const html = `<title>${secret}</title><p id=secret>${secret}</p><img src="x.png">`
  const page = await pro.publish({ html, ...GATED, allow_comments: isInShell })
  await victim.setCookie(server.url, 'handbill_session', SESSION)
  await unlock(victim, page.url, PASSWORD)
  const view = isInShell ? await framed(victim.tab, '#secret') : victim.tab
  await becomes(() => textOf(view, '#secret'), secret)
  return { page, secret, view }
}

/** Cookies of requests other than navigations and the shell's own. */
async function cookiesSent(visitor: Visitor, since: number): Promise<string[]> {
  const said: string[] = []
  for (const { method, url, headers } of (await visitor.sent()).slice(since)) {
    const isOpening = headers['sec-fetch-dest'] === 'document' && method === 'GET'
    const isShell = headers['sec-fetch-site'] === 'same-origin'
    if (!isOpening && !isShell && headers.cookie) said.push(`${method} ${url}: ${headers.cookie}`)
  }
  return said
}

async function attackFrom(victim: Visitor, hostile: Page, isInShell: boolean): Promise<void> {
  const isGated = hostile.access === 'password'
  const { page, secret, view } = await unlocked(victim, isInShell)
  const before = await victim.sent()
  expect(before.filter(({ headers }) => headers.cookie?.includes(SESSION))).not.toEqual([])
  const pagesBefore = (await team.list()).data.length
  const tab = await victim.newTab()
  if (isGated) await unlock({ tab, problems: [] }, hostile.url, PASSWORD)
  else await tab.goto(hostile.url)
  const attacker = isInShell ? await framed(tab, '#nice') : tab
  await becomes(() => textOf(attacker, '#nice'), 'nice')
  await attacker.evaluate(`window.target = ${JSON.stringify(page.url)}`)
  await attacker.locator('#nice').click()
  const read = () => attacker.evaluate('window.results')
  await becomes(async () => (await read()) !== undefined, true, 15_000)
  const posted = async () =>
    (await victim.tabs()).some((tab) => tab.url().endsWith('/api/v1/pages'))
  await becomes(posted, true)
  const results = (await read()) as Results
  expectNothingReached(results, [secret, SESSION])
  if (isInShell) {
    expect(results.popup_untouched).toBe('no window')
    expect(results.parent).toBe('refused')
    await Bun.sleep(300)
    expect(tab.url(), 'the address stays the page’s').toStartWith(hostile.url)
  }
  for (const opened of await victim.tabs()) {
    if (opened.url() === page.url || opened.url() === tab.url()) continue
    expect(await opened.evaluate('window.opener === null'), opened.url()).toBe(true)
  }
  expect(await cookiesSent(victim, before.length)).toEqual([])
  expect((await team.list()).data.length).toBe(pagesBefore)
  expect(await textOf(view, '#secret'), 'the victim’s own window works').toBe(secret)
}

export const APART: Promised = {
  'a hostile page in the shell reaches neither the session nor an unlocked page': async (meet) => {
    const hostile = await team.publish({ html: HOSTILE, allow_comments: true })
    await attackFrom(await meet(), hostile, true)
  },

  'a hostile page served directly reaches neither the session nor an unlocked page': async (
    meet,
  ) => {
    // A page that mentions a storage API is shown in the shell.
    const hostile = await team.publish({ html: HOSTILE.replace('document.cookie', '0') })
    await attackFrom(await meet(), hostile, false)
  },

  'a hostile gated page served directly reaches neither the session nor an unlocked page': async (
    meet,
  ) => {
    const html = HOSTILE.replace('document.cookie', '0')
    await attackFrom(await meet(), await pro.publish({ html, ...GATED }), false)
  },

  'a page can show another path of this host in the address bar, and no other host': async (
    meet,
  ) => {
    const { tab } = await meet()
    const page = await team.publish({ html: '<p>plain</p>' })
    await tab.goto(page.url)
    const push = (to: string) =>
      tab.evaluate(`(() => {
        try { history.pushState(null, '', ${JSON.stringify(to)}); return 'pushed' }
        catch (error) { return error.name }
      })()`)
    expect(await push('/app/sign-in')).toBe('pushed')
    await becomes(() => new URL(tab.url()).pathname, '/app/sign-in')
    const { port } = new URL(server.url)
    for (const to of [`http://elsewhere.invalid:${port}/`, `http://127.0.0.1:9/`, 'about:blank']) {
      expect(await push(to), to).toBe('SecurityError')
    }
    // A reload is answered by the service itself.
    await tab.reload()
    expect(await tab.evaluate('document.body.textContent')).not.toContain('plain')
  },

  'a window of another site that a page in the shell opens cannot navigate the shell': async (
    meet,
  ) => {
    const { tab, tabs } = await meet()
    const html = `<title>Other</title><script>
try { opener.top.location = '/led' } catch (error) { window.refused = error.name }</script>`
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }),
    })
    const address = `http://localhost:${elsewhere.port}/`
    const page = await team.publish({
      html: `<button id=go onclick="window.open('${address}')">go</button>`,
      allow_comments: true,
    })
    await tab.goto(page.url)
    await (await framed(tab, '#go')).locator('#go').click()
    const find = async () => (await tabs()).find((other) => other.url() === address)
    await becomes(async () => (await find())?.evaluate('window.refused'), 'TypeError')
    expect(await (await find())!.evaluate('window.opener')).toBeNull()
    expect(tab.url()).toBe(page.url)
    elsewhere.stop(true)
  },

  'a gated page does not send its address to other sites': async (meet) => {
    const seen: (string | null)[] = []
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        seen.push(request.headers.get('referer'))
        return new Response('', { headers: { 'access-control-allow-origin': '*' } })
      },
    })
    const html = `<p id=in>in</p><img src="http://localhost:${elsewhere.port}/a.png">
<script>fetch('http://localhost:${elsewhere.port}/b')</script>`
    const direct = await pro.publish({ html, ...GATED })
    const framedPage = await pro.publish({ html, ...GATED, allow_comments: true })
    const visitor = await meet()
    await unlock(visitor, direct.url, PASSWORD)
    await becomes(() => seen.length, 2)
    await unlock(visitor, framedPage.url, PASSWORD)
    await framed(visitor.tab, '#in')
    await becomes(() => seen.length, 4)
    for (const referer of seen) expect(referer ?? '').not.toMatch(/\/p\//)
    elsewhere.stop(true)
  },

  'the address of a frame, opened in another browser, shows the gate': async (meet) => {
    const { view, page, secret } = await unlocked(await meet(), true)
    const address = view.url()
    expect(address).toContain(`/p/${page.slug}/~`)
    const { tab } = await meet()
    const answer = await tab.goto(address)
    expect(answer?.status()).toBe(403)
    expect(tab.url()).toBe(page.url)
    expect(await tab.content()).not.toContain(secret)
    await pro.update(page.id, { password: 'another one' })
    const gone = await send(address)
    expect(gone.status).toBeGreaterThanOrEqual(400)
    expect(gone.text).not.toContain(secret)
  },
}
