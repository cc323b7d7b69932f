/** Pages that need an origin, on a server on localhost without CONTENT_URL, in any browser. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from './browser.ts'
import type { Tab, Visited } from './isolation-visitor.ts'
import { word } from './material.ts'
import { BUILT_SITE, BY_ITSELF, type OriginSite, shows, startOrigins } from './origins.ts'
import { cleanUp } from './start.ts'

const OWN_HOST = /^[a-z2-7]{26}\.localhost$/
const SESSION = 's'.repeat(43)

/** What a page of another host tries, by its name. An expression for any browser. */
const attack = (base: string, victim: string) => `(async () => {
  const read = (url, init) => fetch(url, init).then((answer) => answer.text(), () => 'blocked')
  const credentials = 'include'
  for (const domain of ['localhost', '.localhost', 'LOCALHOST', '${new URL(victim).hostname}']) {
    for (const name of ['handbill_session', 'handbill_browser', 'handbill_own']) {
      document.cookie = name + '=tossed; path=/; domain=' + domain
      document.cookie = name + '=tossed; path=/app; domain=' + domain
    }
  }
  const frame = Object.assign(document.createElement('iframe'), { src: '${victim}/' })
  const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }))
  document.body.append(frame)
  await loaded
  let framed = 'no access'
  try { framed = frame.contentDocument?.body.textContent ?? framed } catch {}
  return JSON.stringify({
    app: await read('${base}/app/api/account', { credentials }),
    page: await read('${victim}/data.json', { credentials }),
    framed,
    stored: localStorage.mine ?? null,
    cookies: document.cookie,
  })
})()`

const hostOf = (tab: Tab) => new URL(tab.url()).hostname

export function localOriginSuite(browser: () => Visited): void {
  setDefaultTimeout(240_000)
  let site: OriginSite
  beforeAll(async () => {
    site = await startOrigins(BY_ITSELF)
  })
  afterAll(cleanUp)

  test('a built site works as it is on localhost, and a page that needs no origin stays', async () => {
    const page = await site.publish({ ...BUILT_SITE, title: word('built') })
    const { tab, problems, leave } = await browser().newVisitor()
    await tab.goto(page.url)
    await shows((text) => tab.evaluate(text), '/')
    expect(hostOf(tab)).toMatch(OWN_HOST)
    await tab.locator('#team').click()
    await shows((text) => tab.evaluate(text), '/team')
    await tab.reload()
    await shows((text) => tab.evaluate(text), '/team')
    expect(await tab.evaluate(`document.querySelector('#count').textContent`)).toBe('2')
    expect(problems).toEqual([])
    const { views } = await site.call<{ views: number }>('GET', `/pages/${page.id}`)
    expect(views).toBe(1)

    const plain = await site.publish({ html: '<title>Plain</title><p id=origin>o</p>' })
    await tab.goto(plain.url)
    expect([tab.url(), await tab.evaluate('self.origin')]).toEqual([plain.url, 'null'])
    await leave()
  })

  test('a page on localhost reaches no other page, nor the session of the app', async () => {
    const secret = word('secret')
    const files = (html: string) => [{ path: 'index.html', html: html + STORES }]
    const victim = await site.publish({
      title: word('victim'),
      files: files(`<p id=v>${secret}</p>`),
      assets: [{ path: 'data.json', data_base64: btoa(JSON.stringify(secret)) }],
    })
    const hostile = await site.publish({ title: word('hostile'), files: files('<p id=h>h</p>') })
    const visitor = await browser().newVisitor()
    const { tab } = visitor
    await visitor.setCookie(site.base, 'handbill_session', SESSION)
    await tab.goto(victim.url)
    await becomes(() => tab.evaluate(`document.querySelector('#v')?.textContent`), secret)
    const { origin } = new URL(tab.url())
    await tab.evaluate(`localStorage.mine = '${secret}'; document.cookie = 'theirs=1'`)
    await tab.goto(hostile.url)
    await becomes(() => tab.evaluate(`document.querySelector('#h')?.textContent`), 'h')
    expect(tab.url()).not.toStartWith(origin)
    const reached = String(await tab.evaluate(attack(site.base, origin)))
    expect(reached).not.toContain(secret)
    expect(reached).not.toContain(SESSION)
    expect(JSON.parse(reached)).toMatchObject({ app: 'blocked', page: 'blocked', stored: null })
    expect(JSON.parse(reached).cookies).toBe('')

    const before = (await visitor.sent()).length
    await tab.goto(`${site.base}/app`)
    await tab.goto(`${origin}/`)
    await becomes(() => tab.evaluate(`document.querySelector('#v')?.textContent`), secret)
    const sent = (await visitor.sent()).slice(before)
    const ofApp = sent.filter(({ url }) => url.startsWith(`${site.base}/app`))
    const ofHosts = sent.filter(({ url }) => url.startsWith(origin))
    expect(ofApp[0]!.headers.cookie).toContain(`handbill_session=${SESSION}`)
    expect(ofHosts.length).toBeGreaterThan(0)
    for (const { headers } of sent) expect(headers.cookie ?? '').not.toContain('tossed')
    for (const { headers } of ofHosts) expect(headers.cookie ?? '').not.toContain('session')
    await visitor.leave()
  })
}

/** What needs an origin. */
const STORES = '<script>localStorage.opened = 1</script>'
