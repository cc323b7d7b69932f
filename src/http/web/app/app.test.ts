import { describe, expect, it } from 'bun:test'
import { APP_HEADER } from '../../../model/app-api.ts'
import {
  BASE_URL,
  DAY_MS,
  ENGINES,
  MINUTE_MS,
  type TestApp,
  testApp,
} from '../../../testing/app.ts'
import { type Browser, createBrowser, formsIn } from '../../../testing/browser.ts'
import { rowCounts } from '../../../testing/dump.ts'

const ANN = 'ann@example.com'
const SESSION = 'handbill_session'
const EVIL = 'https://evil.example'

async function appWithAnn(engine: (typeof ENGINES)[number], settings = {}): Promise<TestApp> {
  const app = await testApp(engine, settings)
  await app.accounts.add({ email: ANN, plan: 'pro' })
  return app
}
/** Requests a sign-in mail. Returns the page that asks for the code. */
async function requestSignIn(browser: Browser, email: string, next = ''): Promise<Response> {
  const query = next && `?next=${encodeURIComponent(next)}`
  return browser.send(await browser.get(`/app/sign-in${query}`), { email })
}
function linkIn({ mails }: TestApp): string {
  return new URL(mails.at(-1)!.button!.url).pathname
}
function codeIn({ mails }: TestApp): string {
  return mails.at(-1)!.code!
}
async function signedIn(app: TestApp, email = ANN): Promise<Browser> {
  const browser = createBrowser(app)
  await requestSignIn(browser, email)
  await browser.send(await browser.get(linkIn(app)))
  expect(browser.jar.has(SESSION)).toBe(true)
  return browser
}

for (const engine of ENGINES) {
  describe(`signing in on ${engine}`, () => {
    it('signs in by the button behind the link of a mail, once', async () => {
      await using app = await appWithAnn(engine)
      const browser = createBrowser(app)
      const response = await requestSignIn(browser, ' Ann@EXAMPLE.com ', '/p/plan')
      expect([response.status, browser.jar.has(SESSION)]).toEqual([200, false])
      expect(app.mails).toHaveLength(1)
      expect(app.mails[0]).toMatchObject({ to: ANN, subject: 'Sign in to handbill.test' })
      const link = linkIn(app)
      expect(link).toMatch(/^\/app\/confirm\/[\w-]{43}$/)
      const view = await browser.get(link)
      expect(view.status).toBe(200)
      expect(await view.clone().text()).toContain(
        `signs this browser in to handbill.test as ${ANN}`,
      )
      const done = await browser.send(view)
      expect([done.status, done.headers.get('location')]).toEqual([303, '/p/plan'])
      expect(done.headers.getSetCookie()[0]).toMatch(
        /^handbill_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      const account = await browser.get('/app')
      expect([account.status, await account.text()]).toEqual([200, expect.stringContaining(ANN)])
      expect((await browser.get(link)).status).toBe(410)
      expect((await createBrowser(app).get('/app')).headers.get('location')).toBe('/app/sign-in')
    })

    it('signs in by the code, in the browser that requested it and in no other', async () => {
      await using app = await appWithAnn(engine)
      const [browser, other] = [createBrowser(app), createBrowser(app)]
      const result = await requestSignIn(browser, ANN)
      const elsewhere = await requestSignIn(other, 'bob@example.com')
      const { code = '', button } = app.mails[0]!
      const refused = await other.send(elsewhere, { code })
      expect([refused.status, other.jar.has(SESSION)]).toEqual([400, false])
      expect(await refused.text()).toContain('role="alert">This code is wrong')
      const done = await browser.send(result, { code })
      expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
      expect((await browser.get('/app')).status).toBe(200)
      expect((await browser.get(new URL(button!.url).pathname)).status).toBe(410)
    })

    it('refuses a sixth code, right or wrong, while the link stays valid', async () => {
      await using app = await appWithAnn(engine)
      const browser = createBrowser(app)
      let page = await requestSignIn(browser, ANN)
      const right = codeIn(app)
      const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
      for (let i = 0; i < 5; i++) {
        page = await browser.send(page, { code: wrong })
        expect(page.status).toBe(400)
      }
      expect((await browser.send(page, { code: right })).status).toBe(400)
      expect((await browser.send(await browser.get(linkIn(app)))).status).toBe(303)
    })

    it('signs in the browser that presses the button, also on another device', async () => {
      await using app = await appWithAnn(engine)
      const [desk, phone] = [createBrowser(app), createBrowser(app)]
      await requestSignIn(desk, ANN)
      await phone.send(await phone.get(linkIn(app)))
      expect([desk.jar.has(SESSION), phone.jar.has(SESSION)]).toEqual([false, true])
    })

    it('changes nothing on GET and HEAD, so mail scanners cannot use up a link', async () => {
      await using app = await appWithAnn(engine)
      const [browser, scanner] = [createBrowser(app), createBrowser(app, { 'user-agent': 'bot' })]
      await requestSignIn(browser, ANN)
      const before = await app.rows('confirmations')
      for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
        const answer = await scanner.ask(linkIn(app), { method })
        expect(answer.status).toBe(200)
        const { headers } = answer
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^' ]+';/)
        expect(headers.get('referrer-policy')).toBe('strict-origin')
      }
      expect(await app.rows('confirmations')).toEqual(before)
      expect(await app.rows('sessions')).toEqual([])
      expect((await browser.send(await browser.get(linkIn(app)))).status).toBe(303)
    })

    it('answers the same for every address, with the same writes', async () => {
      for (const signup of ['open', 'invite', 'closed', null]) {
        await using app = await appWithAnn(engine, { signup })
        const answers: string[] = []
        const counts: object[] = []
        for (const email of [ANN, 'nob@example.com']) {
          const browser = createBrowser(app)
          const before = await rowCounts(app)
          const answer = await requestSignIn(browser, email)
          const after = await rowCounts(app)
          counts.push(Object.entries(after).map(([table, n]) => [table, n - before[table]!]))
          const bytes = (await answer.text()).replaceAll(email, 'EMAIL')
          const ofRequest = ['set-cookie', 'x-request-id']
          const headers = [...answer.headers].filter(([name]) => !ofRequest.includes(name))
          const body = bytes.replace(/(name="token" value=")[\w-]+/, '$1')
          answers.push(JSON.stringify([answer.status, headers, body]))
        }
        expect(answers[0]).toBe(answers[1]!)
        expect(counts[0]).toEqual(counts[1]!)
        expect(app.mails).toHaveLength(2)
        expect((await app.accounts.list()).map(({ email }) => email)).toEqual([ANN])
      }
    })

    it('makes an account when sign-up is open, only after the address is confirmed', async () => {
      await using app = await appWithAnn(engine, { signup: 'open' })
      const browser = createBrowser(app)
      await requestSignIn(browser, 'new@example.com')
      const reply = await browser.get(linkIn(app))
      expect(await reply.clone().text()).toContain('makes an account for new@example.com')
      expect(await app.accounts.findByEmail('new@example.com')).toBeNull()
      expect((await browser.send(reply)).status).toBe(303)
      expect(await app.accounts.findByEmail('new@example.com')).toMatchObject({ plan: 'free' })
      await signedIn(app, 'new@example.com')
      expect(await app.accounts.list()).toHaveLength(2)
    })

    it('makes one account when two links are confirmed at once', async () => {
      await using app = await appWithAnn(engine, { signup: 'open' })
      const browsers = [createBrowser(app), createBrowser(app)]
      const responses: Response[] = []
      for (const browser of browsers) {
        await requestSignIn(browser, 'new@example.com')
        responses.push(await browser.get(linkIn(app)))
      }
      const done = await Promise.all(browsers.map((one, i) => one.send(responses[i]!)))
      expect(done.map(({ status }) => status)).toEqual([303, 303])
      expect(await app.accounts.list()).toHaveLength(2)
    })

    it('makes no account when sign-up is closed: the mail says so, without link or code', async () => {
      for (const signup of ['closed', null]) {
        await using app = await appWithAnn(engine, { signup })
        const browser = createBrowser(app)
        await requestSignIn(browser, 'nob@example.com')
        const [mail] = app.mails
        expect(mail).toMatchObject({
          to: 'nob@example.com',
          subject: 'No account at handbill.test',
        })
        expect(mail!.code).toBeUndefined()
        expect(mail!.button!.url).toBe(`${BASE_URL}/app/sign-in`)
        expect(JSON.stringify(mail)).not.toContain('confirm')
      }
    })

    it('makes no account by an old link once sign-up is closed', async () => {
      await using app = await appWithAnn(engine, { signup: 'closed' })
      const started = await app.database.write((tx) =>
        app.confirmations.start(tx, { purpose: 'sign_in', email: 'nob@example.com' }),
      )
      const browser = createBrowser(app)
      const refused = await browser.send(await browser.get(`/app/confirm/${started.token}`))
      expect([refused.status, browser.jar.has(SESSION)]).toEqual([403, false])
      expect(await refused.text()).toContain('There is no account for nob@example.com')
      expect(await app.accounts.list()).toHaveLength(1)
    })

    it('makes accounts only for invited addresses when sign-up is by invitation', async () => {
      await using app = await appWithAnn(engine, { signup: 'invite' })
      const owner = await app.owner()
      const input = { access: 'people', allowed_emails: ['guest@example.com'] }
      const page = await owner.publish('<p>x', input)
      const browsers = [createBrowser(app), createBrowser(app), createBrowser(app)]
      const [guest, stranger, late] = browsers as [Browser, Browser, Browser]
      await requestSignIn(stranger, 'guest@example.co')
      expect(app.mails.at(-1)!.subject).toBe('No account at handbill.test')
      await requestSignIn(late, 'guest@example.com')
      const unused = linkIn(app)
      await requestSignIn(guest, 'guest@example.com')
      expect((await guest.send(await guest.get(linkIn(app)))).status).toBe(303)
      expect(await app.accounts.findByEmail('guest@example.com')).toMatchObject({ plan: 'free' })
      expect((await late.get(unused)).status).toBe(200)

      await owner.update(page.id, { allowed_emails: ['other@example.com'] })
      const other = createBrowser(app)
      await requestSignIn(other, 'other@example.com')
      await owner.update(page.id, { allowed_emails: ['guest@example.com'] })
      expect((await other.send(await other.get(linkIn(app)))).status).toBe(403)
      expect(await app.accounts.findByEmail('other@example.com')).toBeNull()
    })

    it('refuses a link after 15 minutes, with a notice that says what to do', async () => {
      await using app = await appWithAnn(engine)
      const browser = createBrowser(app)
      const document = await requestSignIn(browser, ANN)
      const shown = await browser.get(linkIn(app))
      app.advance(15 * MINUTE_MS + 1)
      const late = await browser.send(shown)
      expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('expired')])
      expect((await browser.send(document, { code: codeIn(app) })).status).toBe(400)
      expect(await app.rows('sessions')).toEqual([])
    })

    it('refuses an unknown purpose, also one named like a property of Object', async () => {
      await using app = await appWithAnn(engine)
      for (const purpose of ['constructor', '__proto__', 'open_sesame']) {
        const { token } = await app.database.write((tx) =>
          app.confirmations.start(tx, { purpose, email: ANN }),
        )
        expect((await createBrowser(app).get(`/app/confirm/${token}`)).status).toBe(410)
      }
    })

    it('limits the mails to an address, whether or not it has an account', async () => {
      await using app = await appWithAnn(engine, { rateLimits: true })
      for (const email of [ANN, 'nob@example.com']) {
        const browser = createBrowser(app)
        for (let i = 0; i < 5; i++) expect((await requestSignIn(browser, email)).status).toBe(200)
        const limited = await requestSignIn(browser, email)
        expect([limited.status, app.mails.filter(({ to }) => to === email).length]).toEqual([
          200, 5,
        ])
        expect(await limited.text()).toContain('Open the link of the newest.')
      }
    })

    it('refuses an invalid address, and keeps the input in the form', async () => {
      await using app = await appWithAnn(engine)
      const odd = [
        '',
        'ann',
        '"a b"@x.example',
        'a@b@c.de',
        'ann@example.com\r\nBcc: x@y.de',
        '"><b>',
      ]
      for (const email of [...odd, `${'x'.repeat(400)}@example.com`, 'аnn@example.com']) {
        const answer = await requestSignIn(createBrowser(app), email)
        const text = await answer.text()
        expect([answer.status, text]).toEqual([400, expect.stringContaining('aria-invalid="true"')])
        expect(text).not.toContain('"><b>')
      }
      expect(app.mails).toEqual([])
    })
  })

  describe(`a signed-in browser on ${engine}`, () => {
    it('is signed out with a cookie that is forged, replayed after sign-out, or a month old', async () => {
      await using app = await appWithAnn(engine)
      const browser = await signedIn(app)
      const token = browser.jar.get(SESSION)!
      const resolved = (cookie: string) =>
        createBrowser(app)
          .get('/app/account', { cookie })
          .then(({ status }) => status)
      expect(await resolved(`${SESSION}=${token}`)).toBe(200)
      const forged = [token.slice(0, -1), `${token}A`, token.toLowerCase(), 'x'.repeat(43), '']
      for (const wrong of forged) expect(await resolved(`${SESSION}=${wrong}`)).toBe(303)
      const doubled = `${SESSION}=${'x'.repeat(43)}; ${SESSION}=${token}`
      expect(await resolved(doubled)).toBe(303)
      const replayed = await signedIn(app)
      const old = replayed.jar.get(SESSION)!
      const headers = { origin: BASE_URL, [APP_HEADER]: '1' }
      await replayed.ask('/app/api/sessions/current', { method: 'DELETE', headers })
      const left = await replayed.get('/app/account')
      expect(left.headers.getSetCookie()[0]).toContain(`${SESSION}=; Max-Age=0`)
      expect(await resolved(`${SESSION}=${old}`)).toBe(303)
      app.advance(31 * DAY_MS)
      expect(await resolved(`${SESSION}=${token}`)).toBe(303)
    })
  })

  describe(`the set-up link on ${engine}`, () => {
    it('signs in the browser that makes the first account', async () => {
      await using app = await testApp(engine)
      const browser = createBrowser(app)
      const path = `/setup/${await app.accounts.createSetupLink()}`
      const fields = { email: ANN, name: 'Ann' }
      const foreign = await browser.post(path, fields, { origin: EVIL })
      expect([foreign.status, await app.accounts.hasAny()]).toEqual([400, false])
      const done = await browser.post(path, fields)
      expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
      const shown = await browser.get('/app')
      expect(await shown.text()).toMatch(/"new_key":"sm_/)
      expect(await (await browser.get('/app')).text()).toContain('"new_key":null')
      const [account] = await app.accounts.list()
      expect(account).toMatchObject({ plan: 'team', is_operator: true })
      expect(await (await browser.get('/app/account')).text()).toContain(ANN)
    })
  })
}

describe('forms of the app', () => {
  const FOREIGN: [string, Record<string, string>][] = [
    ['another site', { origin: EVIL, 'sec-fetch-site': 'cross-site' }],
    ['a published page', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a published page on plain http', { origin: 'null', 'sec-fetch-site': '' }],
    ['another port', { origin: `${BASE_URL}:81`, 'sec-fetch-site': 'same-site' }],
    ['nowhere', { origin: '' }],
  ]
  for (const [name, headers] of FOREIGN) {
    it(`change nothing when they come from ${name}, token and cookies and all`, async () => {
      await using app = await appWithAnn('sqlite')
      const stranger = createBrowser(app)
      const [signIn] = formsIn(await (await stranger.get('/app/sign-in')).text())
      await requestSignIn(stranger, ANN)
      const [confirm] = formsIn(await (await stranger.get(linkIn(app))).text())
      const before = [await rowCounts(app), await app.rows('confirmations'), app.mails.length]
      const posts = [
        stranger.post(signIn!.action, { ...signIn!.fields, email: ANN }, headers),
        stranger.post(confirm!.action, confirm!.fields, headers),
      ]
      for (const answer of await Promise.all(posts)) {
        expect(answer.status).toBe(403)
        expect(answer.headers.getSetCookie()).toEqual([])
      }
      const after = [await rowCounts(app), await app.rows('confirmations'), app.mails.length]
      expect(after).toEqual(before)
    })
  }

  it('need the cookie that they were made for: without it the form is shown again', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = createBrowser(app)
    await requestSignIn(browser, ANN)
    const [confirm] = formsIn(await (await browser.get(linkIn(app))).text())
    const another = createBrowser(app)
    const refused = await another.post(confirm!.action, confirm!.fields)
    expect(refused.status).toBe(403)
    expect((await another.send(refused)).status).toBe(303)
    const sent = await createBrowser(app).post('/app/sign-in', { email: ANN, token: 'x' })
    expect([sent.status, app.mails.length]).toEqual([403, 1])
    expect(await sent.text()).toContain(`value="${ANN}"`)
  })

  it('have a size limit and one content type', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = createBrowser(app)
    for (const path of ['/app/sign-in', '/app/confirm-code', '/app/confirm/x']) {
      expect((await browser.post(path, { email: 'x'.repeat(10_000_000) })).status).toBe(413)
      expect((await browser.post(path, {}, { 'content-type': 'text/plain' })).status).toBe(415)
      const answer = await browser.ask(path, {
        method: 'POST',
        body: 'a=%zz',
        headers: { origin: BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store'])
    }
  })

  it('are served for our host only: another host gets our address', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = await signedIn(app)
    for (const path of ['/app', '/app/sign-in', '/app/confirm/x']) {
      const answer = await browser.get(path, { host: 'rebound.example' })
      const text = await answer.text()
      expect([answer.status, text]).toEqual([421, expect.stringContaining(BASE_URL)])
      expect(text).not.toContain(ANN)
      expect(text).not.toContain('<form')
    }
  })

  it('asks for the account of a tab where another one is signed in', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = await signedIn(app)
    const own = await browser.get(`/app/sign-in?email=${encodeURIComponent(ANN)}`)
    expect(own.headers.get('location')).toBe('/app')
    const other = await browser.get('/app/sign-in?email=bob%40example.com')
    expect(other.status).toBe(200)
    expect(await other.text()).toContain('value="bob@example.com"')
  })

  it('redirect to our own paths only', async () => {
    await using app = await appWithAnn('sqlite')
    for (const next of [EVIL, '//evil.example', '/\\evil.example', '/p/%2f%2fevil.example']) {
      const browser = createBrowser(app)
      await requestSignIn(browser, ANN, next)
      const done = await browser.send(await browser.get(linkIn(app)))
      expect(done.headers.get('location')).toBe('/app')
      const again = await browser.get(`/app/sign-in?next=${encodeURIComponent(next)}`)
      expect(again.headers.get('location')).toBe('/app')
    }
  })
})
