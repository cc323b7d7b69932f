import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import { APP_HEADER, SIGNED_IN_PATH } from '../../model/app-api.ts'
import type { SingleSignOnSettings } from '../../platform/config.ts'
import {
  ENGINES,
  type Engine,
  HOUR_MS,
  MINUTE_MS,
  type TestApp,
  testApp,
} from '../../testing/app.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { rowCounts } from '../../testing/dump.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import {
  type Fault,
  type Person,
  startTestProvider,
  type TestProvider,
} from '../../testing/test-provider.ts'

const ANN = 'ann@example.com'
const SESSION = 'handbill_session'
const FLOW = 'handbill_flow'
const START = '/app/sign-in/sso'

let provider: TestProvider
beforeAll(async () => {
  provider = await startTestProvider()
})
beforeEach(() => {
  provider.setFault()
  provider.setUserInfo(null)
})
afterAll(() => provider.close())

const person = (more: Record<string, unknown> = {}): Person => ({
  sub: 'person-1',
  email: ANN,
  email_verified: true,
  ...more,
})
/** A server with the account of Ann, who has signed in by mail alone. */
async function appWithAnn(engine: Engine, settings: Partial<SingleSignOnSettings> = {}, more = {}) {
  const app = await testApp(engine, { singleSignOn: provider.settings(settings), ...more })
  await app.accounts.add({ email: ANN, plan: 'pro' })
  return app
}
/** Goes to the provider. Returns the address there. */
async function begin(browser: Browser, next = ''): Promise<string> {
  const answer = await browser.get(`${START}${next && `?next=${encodeURIComponent(next)}`}`)
  expect([answer.status, browser.jar.has(FLOW)]).toEqual([303, true])
  return answer.headers.get('location')!
}
/** Goes to the provider and comes back as somebody. */
async function signInAs(browser: Browser, who: Person, next = ''): Promise<Response> {
  const location = await begin(browser, next)
  return browser.get(provider.authorize(location, who), { 'sec-fetch-site': 'cross-site' })
}
/** The status and the heading of a page that signs nobody in, and that leads to the mail link. */
async function refusal(answer: Response): Promise<[number, string]> {
  const text = await answer.text()
  expect(text).toContain('href="/app/sign-in')
  expect(answer.headers.getSetCookie().join()).not.toContain('session=')
  return [answer.status, /<h1>(.*?)<\/h1>/.exec(text)![1]!]
}
async function accountOf(app: TestApp, browser: Browser): Promise<string | undefined> {
  const session = await app.sessions.find(browser.jar.get(SESSION) ?? '')
  return session?.account.email
}

for (const engine of ENGINES) {
  describe(`single sign-on on ${engine}`, () => {
    it('asks the provider for a code with PKCE, a state and a nonce, at the exact address', async () => {
      await using app = await appWithAnn(engine)
      const browser = createBrowser(app)
      const location = new URL(await begin(browser))
      expect(location.origin + location.pathname).toBe(`${provider.issuer}/authorize`)
      expect(Object.fromEntries(location.searchParams)).toEqual({
        client_id: 'handbill',
        response_type: 'code',
        redirect_uri: 'http://handbill.test/app/sign-in/sso/callback',
        scope: 'openid email',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      const line = (await browser.get(START)).headers.getSetCookie().join('\n')
      expect(line).toMatch(/^handbill_flow=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(line).not.toContain(location.searchParams.get('state')!)
    })

    it('links the account of the verified address, once, and notifies its owner', async () => {
      await using app = await appWithAnn(engine)
      const browser = createBrowser(app)
      const done = await signInAs(browser, person({ email: 'ANN@Example.com' }), '/p/plan?a=1')
      expect([done.status, done.headers.get('location')]).toEqual([303, '/p/plan?a=1'])
      expect([await accountOf(app, browser), browser.jar.has(FLOW)]).toEqual([ANN, false])
      expect(app.mails).toMatchObject([
        { to: ANN, subject: 'Your account at handbill.test is linked to Example Login' },
      ])
      expect(await app.rows('identities')).toMatchObject([
        { issuer: provider.issuer, subject: 'person-1', email: ANN },
      ])
      const again = await signInAs(createBrowser(app), person())
      expect([again.status, again.headers.get('location')]).toEqual([303, '/app'])
      expect([app.mails.length, (await app.rows('identities')).length]).toEqual([1, 1])
    })

    it('keeps the account when the address changes at the provider, or is verified no more', async () => {
      await using app = await appWithAnn(engine)
      await app.accounts.add({ email: 'new@example.com', plan: 'free' })
      await signInAs(createBrowser(app), person())
      for (const changed of [
        person({ email: 'new@example.com' }),
        person({ email_verified: false }),
        { sub: 'person-1' },
      ]) {
        const browser = createBrowser(app)
        await signInAs(browser, changed)
        expect(await accountOf(app, browser)).toBe(ANN)
      }
      expect(await app.rows('identities')).toMatchObject([{ email: 'new@example.com' }])
    })

    it('signs nobody in to a suspended account, links nothing, and says why', async () => {
      await using app = await appWithAnn(engine)
      const account = await app.accounts.getByEmail(ANN)
      for (const identities of [0, 1]) {
        await app.accountSuspension.suspend(account, null)
        const mails = (await app.rows('outbox')).length
        const browser = createBrowser(app)
        const refused = await refusal(await signInAs(browser, person()))
        expect(refused).toEqual([403, 'This account is suspended'])
        expect(browser.jar.has(SESSION)).toBe(false)
        expect(await app.rows('outbox')).toHaveLength(mails)
        expect(await app.rows('identities')).toHaveLength(identities)
        await app.accountSuspension.end(account, null)
        await signInAs(browser, person())
        expect(await accountOf(app, browser)).toBe(ANN)
      }
    })

    it('never links an address that the provider does not vouch for', async () => {
      await using app = await appWithAnn(engine, { isOpen: true })
      const unverified = [
        { email_verified: false },
        { email_verified: undefined },
        { email_verified: 'false' },
        { email_verified: 1 },
        { email_verified: undefined, xms_edov: true },
        { email: undefined },
        { email: 'no address' },
        { email: [ANN] },
      ]
      const before = await rowCounts(app)
      for (const claims of unverified) {
        const answer = await signInAs(createBrowser(app), person(claims))
        expect(await refusal(answer)).toEqual([403, 'Your address is not verified'])
      }
      expect(await rowCounts(app)).toEqual(before)
    })

    it('asks for the claims where the ID token has none, of the same person alone', async () => {
      await using app = await appWithAnn(engine)
      provider.setUserInfo(person({ sub: 'somebody-else' }))
      const answer = await signInAs(createBrowser(app), { sub: 'person-1' })
      expect(await refusal(answer)).toEqual([403, 'You are not signed in'])
      provider.setUserInfo(person())
      const browser = createBrowser(app)
      expect((await signInAs(browser, { sub: 'person-1' })).status).toBe(303)
      expect(await accountOf(app, browser)).toBe(ANN)
    })

    it('refuses a second person at the provider with the address of a linked account', async () => {
      await using app = await appWithAnn(engine)
      await signInAs(createBrowser(app), person())
      const answer = await signInAs(createBrowser(app), person({ sub: 'person-2' }))
      expect(await refusal(answer)).toEqual([403, 'This account is linked to somebody else'])
      expect(await app.rows('identities')).toHaveLength(1)
    })

    it('gives accounts as SIGNUP says, to everybody with OIDC_SIGNUP, and to guests', async () => {
      const bob = person({ sub: 'b', email: 'bob@example.com' })
      for (const [settings, config, isGiven] of [
        [{}, {}, false],
        [{}, { signup: 'closed' }, false],
        [{}, { signup: 'open' }, true],
        [{ isOpen: true }, { signup: 'closed' }, true],
      ] as const) {
        await using app = await appWithAnn(engine, settings, config)
        const answer = await signInAs(createBrowser(app), bob)
        const accounts = (await app.accounts.list()).map(({ email }) => email)
        if (isGiven) expect(answer.status).toBe(303)
        else expect(await refusal(answer)).toEqual([403, 'There is no account for you'])
        expect(accounts).toEqual(isGiven ? [ANN, 'bob@example.com'] : [ANN])
        expect(app.mails).toEqual([])
      }
      await using app = await appWithAnn(engine)
      const owner = await app.owner()
      const people = { access: 'people', allowed_emails: ['bob@example.com'] }
      await owner.publish('<p>x</p>', { ...people, require_signin: true })
      expect((await signInAs(createBrowser(app), bob)).status).toBe(303)
      expect(await app.accounts.findByEmail('bob@example.com')).toMatchObject({ is_guest: true })
    })

    it('lets in the configured domains alone, also those who are linked', async () => {
      await using app = await appWithAnn(engine, { domains: ['example.com'], isOpen: true })
      expect((await signInAs(createBrowser(app), person())).status).toBe(303)
      for (const email of [
        'ann@example.com.evil.example',
        'ann@sub.example.com',
        'a@evil.example',
      ]) {
        for (const sub of ['person-1', 'person-2']) {
          const answer = await signInAs(createBrowser(app), person({ sub, email }))
          expect(await refusal(answer)).toEqual([403, 'Your address cannot sign in here'])
        }
      }
      const answer = await signInAs(createBrowser(app), person({ email_verified: false }))
      expect(await refusal(answer)).toEqual([403, 'Your address is not verified'])
      expect(await app.accounts.list()).toHaveLength(1)
    })

    it('signs nobody in before the server is set up', async () => {
      await using app = await testApp(engine, {
        singleSignOn: provider.settings({ isOpen: true }),
      })
      const answer = await signInAs(createBrowser(app), person())
      expect(await refusal(answer)).toEqual([403, 'This server is not set up yet'])
      expect(await app.accounts.hasAny()).toBe(false)
    })

    it('ends the session that the browser had before', async () => {
      await using app = await appWithAnn(engine)
      await app.accounts.add({ email: 'bob@example.com', plan: 'free' })
      const browser = createBrowser(app)
      const location = await begin(browser)
      const bob = (await app.accounts.findByEmail('bob@example.com'))!
      const before = await app.database.write((tx) => app.sessions.create(tx, bob.id, null))
      browser.jar.set(SESSION, before)
      await browser.get(provider.authorize(location, person()))
      expect(await accountOf(app, browser)).toBe(ANN)
      expect(await app.sessions.find(before)).toBeNull()
    })

    it('asks who is signed in to prove it again, where they confirm that it is them', async () => {
      await using app = await appWithAnn(engine)
      const browser = createBrowser(app)
      await signInAs(browser, person())
      const [before] = await app.rows('sessions')
      expect((await browser.get(`${START}?next=/app/new`)).headers.get('location')).toBe('/app/new')
      app.advance(2 * HOUR_MS)
      const answer = await browser.get(`${START}?again&next=${SIGNED_IN_PATH}`)
      const location = answer.headers.get('location')!
      expect(new URL(location).searchParams.get('max_age')).toBe('0')
      const done = await browser.get(provider.authorize(location, person()))
      expect(done.headers.get('location')).toBe(SIGNED_IN_PATH)
      const session = await app.sessions.find(browser.jar.get(SESSION)!)
      expect(session).toMatchObject({ session_id: before!.id, has_recent_sign_in: true })
    })

    it('shows what is linked, unlinks it, and links it again', async () => {
      await using app = await appWithAnn(engine)
      await app.accounts.add({ email: 'bob@example.com', plan: 'free' })
      const [ann, bob] = [createBrowser(app), createBrowser(app)]
      await signInAs(ann, person())
      await signInAs(bob, person({ sub: 'b', email: 'bob@example.com' }))
      const call = (browser: Browser, path: string, method = 'GET') =>
        browser.ask(`/app/api${path}`, {
          method,
          headers: { [APP_HEADER]: '1', origin: 'http://handbill.test' },
        })
      const listed = await (await call(ann, '/identities')).json()
      expect(listed.data).toMatchObject([{ provider: 'Example Login', email: ANN }])
      expect(JSON.stringify(listed)).not.toMatch(/person-1|issuer|subject/)
      const path = `/identities/${listed.data[0].id}`
      expect((await call(bob, path, 'DELETE')).status).toBe(404)
      expect((await call(ann, path, 'DELETE')).status).toBe(204)
      expect((await call(ann, path, 'DELETE')).status).toBe(404)
      expect((await (await call(ann, '/identities')).json()).data).toEqual([])
      expect(await accountOf(app, ann)).toBe(ANN)
      expect((await signInAs(createBrowser(app), person())).status).toBe(303)
      expect(await app.rows('identities')).toHaveLength(2)
    })

    it('is shown to operators with each account, by its name or its host', async () => {
      await using app = await appWithAnn(engine)
      await app.accounts.add({ email: 'op@example.com', plan: 'team' })
      await app.accounts.setOperator('op@example.com', true)
      const operator = await sessionOf(app, 'op@example.com')
      await signInAs(createBrowser(app), person())
      const providers = async (search: string) => {
        type Found = { email: string; sign_in_providers: string[] }[]
        const results = await operator.ask<Found>('GET', `/operator/accounts?search=${search}`)
        return results.map(({ email, sign_in_providers: names }) => [email, names])
      }
      expect(await providers('ann')).toEqual([[ANN, ['Example Login']]])
      expect(await providers('nobody')).toEqual([])
      await app.database.write((tx) =>
        tx.updateTable('identities').set({ issuer: 'https://old.example.com/x' }).execute(),
      )
      expect(await providers('ann')).toEqual([[ANN, ['old.example.com']]])
      await app.database.write((tx) => tx.deleteFrom('identities').execute())
      expect(await providers('ann')).toEqual([[ANN, []]])
    })

    it('forgets who it was when the account is deleted; the address is free again', async () => {
      await using app = await appWithAnn(engine, { isOpen: true })
      await app.owner()
      const browser = createBrowser(app)
      await signInAs(browser, person())
      const { account } = (await app.sessions.find(browser.jar.get(SESSION)!))!
      await app.accountDeletion.delete(account, ANN)
      expect(await app.rows('identities')).toEqual([])
      await app.accountDeletion.sweep()
      await signInAs(browser, person())
      const [identity] = await app.rows('identities')
      expect(identity!.account_id).not.toBe(account.id)
    })

    it('of two sign-ins at once links one identity', async () => {
      await using app = await appWithAnn(engine)
      const browsers = [createBrowser(app), createBrowser(app), createBrowser(app)]
      const answers = await Promise.all(browsers.map((browser) => signInAs(browser, person())))
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
      expect(await app.rows('identities')).toHaveLength(1)
    })
  })
}

describe('a sign-in that has begun', () => {
  it('is finished by its own browser alone, once and within ten minutes', async () => {
    await using app = await appWithAnn('sqlite')
    const [browser, other] = [createBrowser(app), createBrowser(app)]
    const over = [400, 'This sign-in is over']
    const path = provider.authorize(await begin(browser), person())
    expect(await refusal(await createBrowser(app).get(path))).toEqual(over as never)
    const theirs = await begin(other)
    expect(await refusal(await other.get(path))).toEqual(over as never)
    // The sign-in of the other browser still works.
    expect((await other.get(provider.authorize(theirs, person()))).status).toBe(303)
    const flow = browser.jar.get(FLOW)!
    expect((await browser.get(path)).status).toBe(303)
    const replay = createBrowser(app)
    replay.jar.set(FLOW, flow)
    expect(await refusal(await replay.get(path))).toEqual(over as never)
    const late = createBrowser(app)
    const lateLocation = await begin(late)
    app.advance(10 * MINUTE_MS)
    expect(await refusal(await late.get(provider.authorize(lateLocation, person())))).toEqual(
      over as never,
    )
  })

  it('is not finished with another cookie, state, issuer or code', async () => {
    await using app = await appWithAnn('sqlite')
    const changes: [string, (path: URL, browser: Browser) => void][] = [
      ['cookie', (_, { jar }) => jar.set(FLOW, `${jar.get(FLOW)!.slice(0, -2)}AA`)],
      ['no state', ({ searchParams }) => searchParams.delete('state')],
      ['state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(43))],
      ['two states', ({ searchParams }) => searchParams.append('state', 'x')],
      ['issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.example')],
      ['no issuer', ({ searchParams }) => searchParams.delete('iss')],
      ['code', ({ searchParams }) => searchParams.set('code', 'x')],
      ['no code', ({ searchParams }) => searchParams.delete('code')],
    ]
    for (const [name, change] of changes) {
      const browser = createBrowser(app)
      const url = new URL(
        provider.authorize(await begin(browser), person()),
        'http://handbill.test',
      )
      change(url, browser)
      const answer = await browser.get(url.pathname + url.search)
      expect([name, answer.status >= 400, browser.jar.has(SESSION)]).toEqual([name, true, false])
      await refusal(answer)
    }
    expect(await app.rows('sessions')).toEqual([])
  })

  it('returns to our own paths alone', async () => {
    await using app = await appWithAnn('sqlite')
    for (const [next, location] of [
      ['https://evil.example', '/app'],
      ['//evil.example', '/app'],
      ['/app/sign-in/sso', '/app'],
      ['/p/a\\b', '/app'],
      ['/app/pages/pg_1', '/app/pages/pg_1'],
    ]) {
      const done = await signInAs(createBrowser(app), person(), next)
      expect([next, done.headers.get('location')]).toEqual([next, location!])
    }
  })

  it('does not begin for another site, nor for somebody who is signed in', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = createBrowser(app)
    const path = `${START}?next=%2Fp%2Fplan`
    const foreign = await browser.get(path, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.headers.get('location')).toBe('/app/sign-in?next=%2Fp%2Fplan')
    expect(browser.jar.size).toBe(0)
    await signInAs(browser, person())
    expect((await browser.get(path)).headers.get('location')).toBe('/p/plan')
  })

  it('is throttled by address, at its begin and at its end', async () => {
    await using app = await appWithAnn('sqlite', {}, { rateLimits: true })
    const browser = createBrowser(app)
    for (let i = 0; i < 60; i++) {
      expect((await browser.get(START)).status).toBe(303)
      expect((await browser.get(`${START}/callback?code=x`)).status).toBe(400)
    }
    for (const path of [START, `${START}/callback?code=x`]) {
      const answer = await browser.get(path)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expect.any(String)])
    }
  })
})

const now = () => Math.floor(Date.now() / 1000)
const FAULTS: [string, () => Fault][] = [
  ['a wrong nonce', () => ({ claims: { nonce: 'x'.repeat(43) } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['a wrong audience', () => ({ claims: { aud: 'another' } })],
  ['a second audience without an authorized party', () => ({ claims: { aud: ['handbill', 'b'] } })],
  ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['an expired token', () => ({ claims: { iat: now() - 600, exp: now() - 60 } })],
  ['a token of the future', () => ({ claims: { nbf: now() + 600 } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['a subject that is no text', () => ({ claims: { sub: 7 } })],
  ['a subject without end', () => ({ claims: { sub: 'x'.repeat(256) } })],
  ['a signature of another key', () => ({ hasForeignKey: true })],
  ['no ID token', () => onToken(Response.json({ access_token: 'a', token_type: 'Bearer' }))],
  ['no JSON', () => onToken(new Response('<b>', { headers: { 'content-type': 'text/html' } }))],
  ['a redirect', () => onToken(Response.redirect('https://evil.example/token', 307))],
  ['too many bytes', () => onToken(Response.json({ id_token: 'x'.repeat(600_000) }))],
  ['keys that are none', () => on('/jwks', Response.json({ keys: 'none' }))],
]
function on(at: string, response: Response): Fault {
  return { answer: (path) => (path === at ? response.clone() : null) }
}
const onToken = (response: Response) => on('/token', response)

describe('a hostile provider', () => {
  it.each(FAULTS)('with %s signs nobody in', async (_, fault) => {
    await using app = await appWithAnn('sqlite', { isOpen: true })
    const browser = createBrowser(app)
    const location = await begin(browser)
    provider.setFault(fault())
    const answer = await browser.get(provider.authorize(location, person()))
    expect(await refusal(answer)).toEqual([403, 'You are not signed in'])
    expect([browser.jar.has(SESSION), browser.jar.has(FLOW)]).toEqual([false, false])
    expect([await app.rows('sessions'), await app.rows('identities')]).toEqual([[], []])
  })

  it('with other addresses in its metadata gets no browser', async () => {
    for (const change of [
      { issuer: 'https://evil.example' },
      { token_endpoint: undefined },
      { token_endpoint: 'http://evil.example/token' },
      { jwks_uri: 'file:///etc/passwd' },
      { authorization_endpoint: 'javascript:alert(1)' },
    ]) {
      await using app = await appWithAnn('sqlite')
      const { issuer } = provider
      provider.setFault(
        on(
          '/.well-known/openid-configuration',
          Response.json({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            ...change,
          }),
        ),
      )
      const answer = await createBrowser(app).get(START)
      expect([change, ...(await refusal(answer))]).toEqual([change, 403, 'You are not signed in'])
    }
  })

  it('cannot write on our page', async () => {
    await using app = await appWithAnn('sqlite')
    for (const [error, status, title] of [
      ['access_denied', 403, 'You are not signed in'],
      ['temporarily_unavailable', 503, 'The sign-in does not answer'],
      ['<script>alert(1)</script>', 403, 'You are not signed in'],
    ] as const) {
      const browser = createBrowser(app)
      const { searchParams } = new URL(await begin(browser))
      const query = new URLSearchParams({
        error,
        error_description: 'Call <b>555</b>',
        state: searchParams.get('state')!,
        iss: provider.issuer,
      })
      const answer = await browser.get(`${START}/callback?${query}`)
      const text = await answer.clone().text()
      expect(await refusal(answer)).toEqual([status, title])
      expect(text).not.toMatch(/alert|555|access_denied/)
    }
  })
})

describe('a provider that is away', () => {
  it('gets a page that leads to the mail link, and is asked again the next time', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = createBrowser(app)
    provider.setFault({ answer: () => new Response('down', { status: 502 }) })
    const down = await browser.get(`${START}?next=%2Fp%2Fplan`)
    expect(down.headers.get('retry-after')).toBe('60')
    expect(await down.clone().text()).toContain('href="/app/sign-in?next=%2Fp%2Fplan"')
    expect(await refusal(down)).toEqual([503, 'The sign-in does not answer'])
    provider.setFault()
    const location = await begin(browser)
    provider.setFault({ answer: () => new Response('down', { status: 502 }) })
    const answer = await browser.get(provider.authorize(location, person()))
    expect(await refusal(answer)).toEqual([503, 'The sign-in does not answer'])
  })

  it('is not reached where nothing listens', async () => {
    const gone = await startTestProvider()
    await using app = await testApp('sqlite', { singleSignOn: gone.settings() })
    await gone.close()
    const answer = await createBrowser(app).get(START)
    expect(await refusal(answer)).toEqual([503, 'The sign-in does not answer'])
  })

  it('signs people in by a new key at once, with the metadata that was read before', async () => {
    await using app = await appWithAnn('sqlite')
    const before = provider.requests.length
    expect((await signInAs(createBrowser(app), person())).status).toBe(303)
    await provider.rotateKey()
    const browser = createBrowser(app)
    expect((await signInAs(browser, person())).status).toBe(303)
    expect(await accountOf(app, browser)).toBe(ANN)
    expect(provider.requests.slice(before)).toEqual([
      ...['/.well-known/openid-configuration', '/token', '/jwks'],
      ...['/token', '/jwks'],
    ])
  })
})

describe('the sign-in page', () => {
  it('has the button where there is a provider, with the path to return to', async () => {
    await using app = await testApp('sqlite', {
      singleSignOn: provider.settings({ name: 'A & <b>' }),
    })
    const browser = createBrowser(app)
    const text = await (await browser.get('/app/sign-in?next=%2Fp%2Fplan')).text()
    expect(text).toContain(
      '<a class="button" href="/app/sign-in/sso?next=%2Fp%2Fplan">Continue with A &amp; &lt;b&gt;</a>',
    )
    expect(text).toContain('Make a link')
    await using without = await testApp('sqlite')
    const plain = createBrowser(without)
    expect(await (await plain.get('/app/sign-in')).text()).not.toContain('Continue with')
    for (const path of [START, `${START}/callback`])
      expect((await plain.get(path)).status).toBe(404)
  })

  it('says that signing out here leaves the session at the provider', async () => {
    await using app = await appWithAnn('sqlite')
    const browser = createBrowser(app)
    const answer = await browser.get('/app?signed_out')
    expect(answer.headers.get('location')).toBe('/app/sign-in?signed_out')
    const text = await (await browser.get('/app/sign-in?signed_out')).text()
    expect(text).toContain('You may still be signed in at Example Login.')
  })
})
