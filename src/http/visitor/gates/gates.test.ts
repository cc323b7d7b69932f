import { describe, expect, it } from 'bun:test'
import { createPasswordGuard } from '../../../features/throttles/index.ts'
import { DAY_MS, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser, formsIn } from '../../../testing/browser.ts'

const HTML = '<!doctype html><title>Own title</title><p>the content'
const ANN = 'ann@example.com'

/** Headers of a program, which gets the page's bytes instead of the shell. */
const RAW = { 'sec-fetch-dest': 'empty' }

async function published(app: TestApp, settings: object) {
  const owner = await app.owner()
  const page = await owner.publish(HTML, settings)
  return { owner, page, path: `/p/${page.slug}` }
}
async function statusOf(browser: Browser, path: string): Promise<number> {
  return (await browser.get(path, RAW)).status
}
function linkIn({ mails }: TestApp): string {
  return new URL(mails.at(-1)!.button!.url).pathname
}
/** Goes through every step of the gate, and opens the page. */
async function confirm(app: TestApp, browser: Browser, path: string, email: string) {
  await browser.send(await browser.get(path, RAW), { email })
  return browser.send(await browser.get(linkIn(app)))
}
async function signIn(app: TestApp, email: string): Promise<Browser> {
  const browser = createBrowser(app)
  await browser.send(await browser.get('/app/sign-in'), { email })
  await browser.send(await browser.get(linkIn(app)))
  return browser
}

for (const engine of ENGINES) {
  describe(`a gate on ${engine}`, () => {
    it('answers 404 to a form whose page is deleted before anything is stored', async () => {
      await using app = await testApp(engine)
      const people = { access: 'people', allowed_emails: [ANN], allow_access_requests: true }
      const forms: [settings: object, typed: Record<string, string>, nth: number][] = [
        [{ access: 'email_gate' }, { email: ANN }, 0],
        [people, { email: 'ben@example.com' }, 1],
        [{ agreement: { text: 'Keep it secret.', require: 'name' } }, { name: 'Ann' }, 0],
      ]
      for (const [settings, typed, nth] of forms) {
        const { owner, page, path } = await published(app, settings)
        const browser = createBrowser(app)
        const gate = await browser.get(path, RAW)
        const hold = app.holdWrite()
        const sent = browser.send(gate, typed, nth)
        await hold.reached
        expect((await owner.call('DELETE', `/pages/${page.id}`)).status).toBe(204)
        hold.release()
        expect((await sent).status).toBe(404)
      }
      expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
    })
  })

  describe(`a password on ${engine}`, () => {
    it('opens the page in the browser that gave it', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, { access: 'password', password: 'abcd' })
      const browser = createBrowser(app)
      const gate = await browser.get(path, RAW)
      expect(gate.status).toBe(403)
      expect(gate.headers.get('cache-control')).toBe('no-store')
      expect(gate.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      const text = await gate.clone().text()
      expect(text).not.toContain('the content')
      expect(text).not.toContain('Own title')
      const wrong = await browser.send(gate, { password: 'abce' })
      expect(wrong.status).toBe(403)
      const again = await wrong.clone().text()
      expect(again).toContain('That is not the password.')
      expect(again).not.toContain('abce')
      const right = await browser.send(wrong, { password: 'abcd' })
      expect([right.status, right.headers.get('location')]).toEqual([303, path])
      const opened = await browser.get(path, RAW)
      expect(opened.status).toBe(200)
      expect(await opened.text()).toContain('the content')
      expect(opened.headers.get('cache-control')).toContain('no-store')
      expect(await statusOf(createBrowser(app), path)).toBe(403)
      expect((await owner.page(page.id)).views).toBe(1)
    })

    it('that is changed closes the page to those who gave the old one', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, { access: 'password', password: 'abcd' })
      const browser = createBrowser(app)
      await browser.send(await browser.get(path, RAW), { password: 'abcd' })
      expect(await statusOf(browser, path)).toBe(200)
      await owner.update(page.id, { password: 'wxyz' })
      expect(await statusOf(browser, path)).toBe(403)
      await owner.update(page.id, { access: 'private' })
      expect(await statusOf(browser, path)).toBe(403)
    })

    it('opens no other page', async () => {
      await using app = await testApp(engine)
      const one = await published(app, { access: 'password', password: 'abcd' })
      const two = await published(app, { access: 'password', password: 'abcd' })
      const browser = createBrowser(app)
      await browser.send(await browser.get(one.path, RAW), { password: 'abcd' })
      expect(await statusOf(browser, two.path)).toBe(403)
    })

    it('leads to an address of the page, whatever path is sent', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'password', password: 'abcd' })
      const leads = {
        'a b/c.html': `${path}/a%20b/c.html`,
        '//evil.example': `${path}///evil.example`,
        '.../..a': `${path}/.../..a`,
        ...{ '../../app': path, 'a/../../x': path, '..': path, 'a/.': path },
      }
      for (const [sent, location] of Object.entries(leads)) {
        const browser = createBrowser(app)
        const gate = await browser.get(path, RAW)
        const answer = await browser.send(gate, { password: 'abcd', path: sent })
        expect([sent, answer.status]).toEqual([sent, 303])
        expect([sent, answer.headers.get('location')]).toEqual([sent, location])
      }
    })

    it('leads on to the place that was asked for, as the mail does and a sign-in', async () => {
      await using app = await testApp(engine)
      const asked = '/a%20b/c.html'
      const locked = await published(app, { access: 'password', password: 'abcd' })
      const browser = createBrowser(app)
      const gate = await browser.get(locked.path + asked, RAW)
      const [form] = formsIn(await gate.text())
      const answer = await browser.post(`${form!.action}?d=1`, {
        ...form!.fields,
        password: 'abcd',
      })
      expect(answer.headers.get('location')).toBe(`${locked.path}${asked}?d=1`)

      const mailed = await published(app, { access: 'email_gate' })
      const input = { email: ANN, fragment: '?d=1#e' }
      await browser.send(await browser.get(mailed.path + asked, RAW), input)
      const confirmed = await browser.send(await browser.get(linkIn(app)))
      expect(confirmed.headers.get('location')).toBe(`${mailed.path}${asked}?d=1#e`)

      const { path } = await published(app, { access: 'private' })
      const text = await (await browser.get(path + asked, RAW)).text()
      expect(text).toContain(`/app/sign-in?next=${encodeURIComponent(path + asked)}"`)
    })

    it('may be tried ten times a minute', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { path } = await published(app, { access: 'password', password: 'abcd' })
      const browser = createBrowser(app)
      const gate = await browser.get(path, RAW)
      const tries: number[] = []
      for (let i = 0; i < 12; i++) {
        tries.push((await browser.send(gate.clone(), { password: `no-${i}` })).status)
      }
      expect(tries).toEqual([...Array(10).fill(403), 429, 429])
      const blocked = await browser.send(gate.clone(), { password: 'abcd' })
      expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
      app.advance(MINUTE_MS)
      expect((await browser.send(gate, { password: 'abcd' })).status).toBe(303)
    })
  })

  describe(`a password that many addresses guess on ${engine}`, () => {
    it('lets each of them wait, whoever gave it stay, and whoever knows it in', async () => {
      await using app = await testApp(engine, { rateLimits: true, trustProxy: 1 })
      // Addresses of clients are read once there is a socket.
      const server = app.listen()
      const { path, page } = await published(app, { access: 'password', password: 'abcd' })
      const at = (address: string) => createBrowser(app, { 'x-forwarded-for': address })
      const give = async (browser: Browser, password: string) =>
        browser.send(await browser.get(path, RAW), { password })
      const inside = at('198.51.100.1')
      expect((await give(inside, 'abcd')).status).toBe(303)
      expect((await give(at('203.0.113.0'), 'wrong')).status).toBe(403)
      const { count } = createPasswordGuard(app.throttles)
      for (let n = 1; n < 400; n++) await count({ page_id: page.id, address: `guesser ${n}` })
      const guesser = at('203.0.113.1')
      expect((await give(guesser, 'wrong')).status).toBe(403)
      const refused = await give(guesser, 'abcd')
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(5, 9)
      expect(await statusOf(inside, path)).toBe(200)
      const other = at('198.51.100.2')
      expect((await give(other, 'abcd')).status).toBe(303)
      expect(await statusOf(other, path)).toBe(200)
      app.advance(8000)
      expect((await give(guesser, 'abcd')).status).toBe(303)
      await server.stop()
    })
  })

  describe(`invited people on ${engine}`, () => {
    it('confirm an address once, for every page that it may open', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'people', allowed_emails: [ANN] })
      const other = await published(app, { access: 'people', allowed_emails: [ANN] })
      const closed = await published(app, { access: 'people', allowed_emails: ['b@example.com'] })
      const browser = createBrowser(app)
      const done = await confirm(app, browser, path, ` ${ANN.toUpperCase()} `)
      expect([done.status, done.headers.get('location')]).toEqual([303, path])
      expect(await statusOf(browser, path)).toBe(200)
      expect(await statusOf(browser, other.path)).toBe(200)
      expect(await statusOf(browser, closed.path)).toBe(403)
      expect(app.mails).toHaveLength(1)
    })

    it('may type the code in the tab that asked, and in no other browser', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'people', allowed_emails: [ANN] })
      const [browser, thief] = [createBrowser(app), createBrowser(app)]
      const response = await browser.send(await browser.get(path, RAW), { email: ANN })
      const code = app.mails[0]!.code!
      const theirs = await thief.send(await thief.get(path, RAW), { email: ANN })
      expect((await thief.send(theirs, { code })).status).toBe(403)
      expect((await browser.send(response, { code })).status).toBe(303)
      expect(await statusOf(browser, path)).toBe(200)
      expect(await statusOf(thief, path)).toBe(403)
    })

    it('get the same response as others', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'people', allowed_emails: [ANN] })
      const browser = createBrowser(app)
      const gate = await browser.get(path, RAW)
      const invited = await (await browser.send(gate.clone(), { email: ANN })).text()
      const stranger = await (await browser.send(gate, { email: 'eve@example.com' })).text()
      expect(stranger.replaceAll('eve@example.com', ANN)).toBe(invited)
      expect(app.mails.map(({ to }) => to)).toEqual([ANN])
    })

    it('who are removed stay out at once', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, {
        access: 'people',
        allowed_emails: [ANN, 'b@example.com'],
      })
      const browser = createBrowser(app)
      await confirm(app, browser, path, ANN)
      expect(await statusOf(browser, path)).toBe(200)
      await owner.update(page.id, { allowed_emails: ['b@example.com'] })
      const out = await browser.get(path, RAW)
      expect(out.status).toBe(403)
      expect(await out.text()).not.toContain('b@example.com')
    })

    it('sign in where the page requires it', async () => {
      await using app = await testApp(engine)
      await app.accounts.add({ email: ANN, plan: 'free' })
      const settings = { access: 'people', allowed_emails: [ANN], require_signin: true }
      const { path } = await published(app, settings)
      const gate = await createBrowser(app).get(path, RAW)
      expect(gate.status).toBe(403)
      expect(await gate.text()).toContain('/app/sign-in?next=')
      expect(await statusOf(await signIn(app, ANN), path)).toBe(200)
    })
  })

  describe(`requests on ${engine}`, () => {
    it('reach the owner by mail, and an approval reaches the viewer', async () => {
      await using app = await testApp(engine)
      const settings = { access: 'people', allow_access_requests: true, og_title: 'Own\u202e name' }
      const { owner, page, path } = await published(app, settings)
      await owner.update(page.id, { title: 'Own \u202etitle' })
      const browser = createBrowser(app)
      const sent = await browser.send(await browser.get(path, RAW), { email: ANN }, 1)
      expect(sent.status).toBe(200)
      expect(await sent.text()).toContain('>Own name<')
      expect(app.mails.map(({ to }) => to)).toEqual([owner.email])
      const done = await browser.send(await browser.get(linkIn(app)))
      expect([done.status, await done.text()]).toEqual([
        200,
        expect.stringContaining(`${ANN} may open “Own title” now`),
      ])
      expect((await owner.page(page.id)).allowed_emails).toEqual([ANN])
      expect(app.mails.at(-1)).toMatchObject({ to: ANN })
      expect(app.mails.at(-1)!.otherLinks![0]!.url).toBe(page.url)
      await browser.send(await browser.get(linkIn(app)))
      expect(await statusOf(browser, path)).toBe(200)
    })

    it('can be denied, by mail and by the API', async () => {
      await using app = await testApp(engine)
      const settings = { access: 'people', allow_access_requests: true }
      const { owner, page, path } = await published(app, settings)
      const browser = createBrowser(app)
      await browser.send(await browser.get(path, RAW), { email: ANN }, 1)
      const deny = app.mails[0]!.otherLinks![0]!.url
      await browser.send(await browser.get(new URL(deny).pathname))
      const [request] = await owner.ask<{ id: string; decision: string }[]>(
        'GET',
        `/pages/${page.id}/access-requests`,
      )
      expect(request).toMatchObject({ email: ANN, decision: 'deny' })
      expect((await owner.page(page.id)).allowed_emails).toEqual([])
      const approve = { decision: 'approve' }
      await owner.ask('POST', `/pages/${page.id}/access-requests/${request!.id}`, approve)
      expect((await owner.page(page.id)).allowed_emails).toEqual([ANN])
    })

    it('are refused where the owner does not allow them', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'people' })
      const browser = createBrowser(app)
      const gate = await browser.get(path, RAW)
      const [{ fields }] = formsIn(await gate.text()) as [ReturnType<typeof formsIn>[number]]
      const answer = await browser.post(`${path}/~/request`, { ...fields, email: ANN })
      expect(answer.status).toBe(403)
      expect(app.mails).toEqual([])
    })
  })

  describe(`an email gate on ${engine}`, () => {
    it('admits everybody who confirms an address', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'email_gate' })
      const browser = createBrowser(app)
      await confirm(app, browser, path, 'eve@gmail.com')
      expect(await statusOf(browser, path)).toBe(200)
    })

    it('refuses personal or other domains before it sends a mail', async () => {
      await using app = await testApp(engine)
      const business = await published(app, { access: 'email_gate', business_only: true })
      const domains = await published(app, {
        access: 'email_gate',
        allowed_domains: ['example.com'],
      })
      const browser = createBrowser(app)
      for (const { path } of [business, domains]) {
        const gate = await browser.get(path, RAW)
        expect((await browser.send(gate, { email: 'eve@gmail.com' })).status).toBe(403)
      }
      expect(app.mails).toEqual([])
      await confirm(app, browser, domains.path, ANN)
      expect(await statusOf(browser, domains.path)).toBe(200)
      expect(await statusOf(browser, business.path)).toBe(200)
    })

    it('asks again when the owner changes the domains', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, { access: 'email_gate' })
      const browser = createBrowser(app)
      await confirm(app, browser, path, ANN)
      await owner.update(page.id, { allowed_domains: ['example.org'] })
      expect(await statusOf(browser, path)).toBe(403)
    })
  })

  describe(`the owner on ${engine}`, () => {
    it('opens their own pages in any state, and counts no view', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, { access: 'private' })
      const browser = await signIn(app, owner.email)
      expect(await statusOf(browser, path)).toBe(200)
      await owner.update(page.id, { expires_at: '2020-01-01T00:00:00Z', max_views: 1 })
      expect(await statusOf(browser, path)).toBe(200)
      await owner.ask('DELETE', `/pages/${page.id}/publish`)
      await owner.update(page.id, { html: '<title>x</title>the draft' })
      const draft = await browser.get(path, RAW)
      expect(await draft.text()).toContain('the draft')
      expect((await owner.page(page.id)).views).toBe(0)
      expect(await statusOf(createBrowser(app), path)).toBe(404)
    })

    it('is a stranger on another owner’s page', async () => {
      await using app = await testApp(engine)
      const { path } = await published(app, { access: 'private' })
      const stranger = await app.owner()
      expect(await statusOf(await signIn(app, stranger.email), path)).toBe(403)
    })
  })
}

describe('forms of a gate', () => {
  it('are accepted only from our own page in the same browser', async () => {
    await using app = await testApp('sqlite')
    const { path } = await published(app, { access: 'password', password: 'abcd' })
    const browser = createBrowser(app)
    const [{ action, fields }] = formsIn(await (await browser.get(path, RAW)).text()) as [
      ReturnType<typeof formsIn>[number],
    ]
    const input = { ...fields, password: 'abcd' }
    const foreign: [Record<string, string>, Record<string, string>][] = [
      [input, { origin: 'null' }],
      [input, { origin: 'https://evil.example' }],
      [input, { 'sec-fetch-site': 'cross-site' }],
      [{ ...input, token: 'x' }, {}],
    ]
    for (const [sent, headers] of foreign) {
      expect((await browser.post(action, sent, headers)).status).toBe(403)
    }
    expect((await createBrowser(app).post(action, input)).status).toBe(403)
    expect((await browser.post(action, input)).status).toBe(303)
  })

  it('reveal no file to a visitor who proves nothing', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const files = ['index.html', 'secret.html'].map((path) => ({ path, html: HTML }))
    const gates = [
      [{ access: 'email_gate' }, 'password'],
      [{ access: 'password', password: 'abcd' }, 'email'],
      [{ access: 'password', password: 'abcd' }, 'code'],
      [{ access: 'private' }, 'password'],
    ] as const
    for (const [settings, action] of gates) {
      const { slug } = await owner.publish({ files, ...settings })
      const browser = createBrowser(app)
      const text = await (await browser.get(`/p/${slug}`, RAW)).text()
      const fields = formsIn(text)[0]?.fields ?? {}
      const answers: unknown[] = []
      for (const path of ['secret.html', 'missing.html', 'index.html']) {
        const values = { ...fields, path, password: 'x', email: ANN, code: '123456' }
        const answer = await browser.post(`/p/${slug}/~/${action}`, values)
        answers.push([answer.status, answer.headers.get('location')])
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    }
  })

  it('redirect to the page and nowhere else', async () => {
    await using app = await testApp('sqlite')
    const { path } = await published(app, { access: 'password', password: 'abcd' })
    const browser = createBrowser(app)
    const [{ action, fields }] = formsIn(await (await browser.get(path, RAW)).text()) as [
      ReturnType<typeof formsIn>[number],
    ]
    for (const to of ['//evil.example', 'https://evil.example', '\\evil', '../../app', '~x']) {
      const answer = await browser.post(action, { ...fields, password: 'abcd', path: to })
      const location = new URL(answer.headers.get('location')!, 'http://handbill.test')
      expect(location.host).toBe('handbill.test')
      expect(location.pathname.startsWith(path)).toBe(true)
    }
  })

  it('accept a code for 15 minutes', async () => {
    await using app = await testApp('sqlite')
    const { path } = await published(app, { access: 'people', allowed_emails: [ANN] })
    const browser = createBrowser(app)
    await browser.send(await browser.get(path, RAW), { email: ANN })
    const response = await browser.get(linkIn(app))
    app.advance(15 * MINUTE_MS + 1000)
    await browser.send(response)
    expect(await statusOf(browser, path)).toBe(403)
  })

  it('confirm an address for 30 days', async () => {
    await using app = await testApp('sqlite')
    const { path } = await published(app, { access: 'people', allowed_emails: [ANN] })
    const browser = createBrowser(app)
    await confirm(app, browser, path, ANN)
    app.advance(29 * DAY_MS)
    expect(await statusOf(browser, path)).toBe(200)
    app.advance(2 * DAY_MS)
    expect(await statusOf(browser, path)).toBe(403)
  })
})

describe('cookies', () => {
  it('prove nothing with any byte changed', async () => {
    await using app = await testApp('sqlite')
    const { path } = await published(app, { access: 'email_gate' })
    const browser = createBrowser(app)
    await confirm(app, browser, path, ANN)
    const good = browser.jar.get('handbill_email')!
    for (let at = 0; at < good.length; at++) {
      const other = good[at] === 'A' ? 'B' : 'A'
      const forged = good.slice(0, at) + other + good.slice(at + 1)
      const visitor = await app.open(path, { cookie: `handbill_email=${forged}`, ...RAW })
      // The last character of base64url has bits that no byte uses.
      const isSame = Buffer.from(forged.split('.')[3] ?? '', 'base64url').equals(
        Buffer.from(good.split('.')[3]!, 'base64url'),
      )
      if (!isSame || at < good.lastIndexOf('.')) expect(visitor.status, forged).toBe(403)
    }
  })
})
