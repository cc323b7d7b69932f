import { describe, expect, test } from 'bun:test'
import type { GuardedFetchOptions } from '../../platform/fetch/index.ts'
import { newGuardedFetch } from '../../platform/fetch/testing/create-fetch.ts'
import { localHttpsServer } from '../../platform/fetch/testing/index.ts'
import {
  BASE_URL,
  DAY_MS,
  ENGINES,
  type Engine,
  HOUR_MS,
  MINUTE_MS,
  type TestApp,
  testApp,
} from '../../testing/app.ts'
import { createBrowser, formsIn } from '../../testing/browser.ts'
import { APP, CALLBACK, createOAuthApp, METADATA } from '../../testing/oauth-app.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { createOAuth } from './index.ts'

function publish(app: TestApp, metadata: object, contentType = 'application/json', at = APP): void {
  const bytes = new TextEncoder().encode(JSON.stringify(metadata))
  app.fetched.set(at, { bytes, contentType })
}

/** An account with a browser that is signed in, and an app that publishes its metadata. */
async function start(engine: Engine = 'sqlite', options: { rateLimits?: true } = {}) {
  const app = await testApp(engine, options)
  const owner = await app.owner()
  const session = await sessionOf(app, owner.email)
  const browser = createBrowser(app)
  browser.jar.set('handbill_session', session.cookie.split('=')[1]!)
  publish(app, METADATA)
  return { app, owner, session, browser, client: createOAuthApp(app) }
}
type Started = Awaited<ReturnType<typeof start>>

/** Opens the page that asks, and presses one of its buttons. @returns where that leads */
async function press(
  { browser }: Pick<Started, 'browser'>,
  path: string,
  decision = 'allow',
): Promise<URL> {
  const page = await browser.get(path)
  expect(page.status).toBe(200)
  const [form] = formsIn(await page.text())
  const answer = await browser.post(form!.action, { ...form!.fields, decision })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location')!)
}

async function codeFor(started: Started, change = {}): Promise<string> {
  const { searchParams } = await press(started, started.client.path(change))
  return searchParams.get('code')!
}

/** A connection, with its tokens. */
async function connect(started: Started, change = {}) {
  const tokens = await started.client.exchange(await codeFor(started, change))
  expect(tokens.status).toBe(200)
  return tokens
}

async function statusWith({ app }: Started, token: string, path = '/pages'): Promise<number> {
  return (await app.api(path, { headers: { authorization: `Bearer ${token}` } })).status
}

function callTool({ app }: Started, token: string, name: string, args: object): Promise<Response> {
  return app.mcp({
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    }),
  })
}

for (const engine of ENGINES) {
  describe(`on ${engine}`, () => {
    test('an app that its person allows gets tokens, acts for the account, and is ended', async () => {
      const started = await start(engine)
      await using app = started.app
      const { client, session } = started
      const to = await press(started, client.path())
      expect(to.href.startsWith(`${CALLBACK}?`)).toBe(true)
      expect(to.searchParams.get('state')).toBe('the state')
      expect(to.searchParams.get('iss')).toBe(BASE_URL)
      const tokens = await client.exchange(to.searchParams.get('code')!)
      expect(tokens).toMatchObject({
        status: 200,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'pages:read pages:write feedback:read',
      })
      expect(tokens.headers.get('cache-control')).toBe('no-store')

      const made = await app.api('/pages', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens.access_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ html: '<p>By an app</p>' }),
      })
      const { data: page } = (await made.json()) as { data: { id: string; source: string } }
      expect([made.status, page.source]).toEqual([201, 'api'])
      expect(await app.rows('versions')).toMatchObject([
        { page_id: page.id, via: 'api', key_name: 'An app' },
      ])

      const list = await session.ask<{ id: string }[]>('GET', '/connections')
      expect(list).toMatchObject([{ name: 'An app', host: 'app.example' }])
      expect(JSON.stringify(list)).not.toContain(tokens.access_token)
      expect(await session.ask<object[]>('GET', '/keys')).toHaveLength(1)
      await session.ask('DELETE', `/connections/${list[0]!.id}`)
      expect(await statusWith(started, tokens.access_token)).toBe(401)
      expect(await client.refresh(tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
      expect(await session.ask<object[]>('GET', '/connections')).toEqual([])
      expect(await session.refused('DELETE', `/connections/${list[0]!.id}`)).toEqual([
        404,
        'connection_not_found',
      ])
    })

    test('a code that is sent twice ends what it was used for', async () => {
      const started = await start(engine)
      await using _app = started.app
      const code = await codeFor(started)
      const tokens = await started.client.exchange(code)
      expect(await statusWith(started, tokens.access_token)).toBe(200)
      expect(await started.client.exchange(code)).toMatchObject({ error: 'invalid_grant' })
      expect(await statusWith(started, tokens.access_token)).toBe(401)
      expect((await started.client.refresh(tokens.refresh_token)).error).toBe('invalid_grant')
    })

    test('a code that is sent many times at once gives tokens to one at most', async () => {
      const started = await start(engine)
      await using app = started.app
      const code = await codeFor(started)
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => started.client.exchange(code)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((await app.rows('api_keys')).filter(({ client_id }) => client_id)).toHaveLength(1)
    })

    test('a refresh token is used once, and a later use ends the connection', async () => {
      const started = await start(engine)
      await using app = started.app
      const first = await connect(started)
      const second = await started.client.refresh(first.refresh_token)
      expect(second.status).toBe(200)
      expect(second.refresh_token).not.toBe(first.refresh_token)
      const third = await started.client.refresh(second.refresh_token)
      expect(await statusWith(started, third.access_token)).toBe(200)
      app.advance(MINUTE_MS)
      expect(await started.client.refresh(first.refresh_token)).toMatchObject({
        status: 400,
        error: 'invalid_grant',
      })
      expect(await statusWith(started, third.access_token)).toBe(401)
      expect((await started.client.refresh(third.refresh_token)).error).toBe('invalid_grant')
    })

    test('a refresh whose answer is lost is answered the same once more, for a moment', async () => {
      const started = await start(engine)
      await using app = started.app
      const { refresh_token } = await connect(started)
      const both = await Promise.all([0, 1].map(() => started.client.refresh(refresh_token)))
      expect(both.map(({ status }) => status)).toEqual([200, 200])
      expect(both[0]!.refresh_token).toBe(both[1]!.refresh_token)
      const next = await started.client.refresh(both[0]!.refresh_token)
      expect(next.status).toBe(200)
      // Its successor was used: this is no lost answer.
      expect((await started.client.refresh(refresh_token)).error).toBe('invalid_grant')
      expect(await statusWith(started, next.access_token)).toBe(401)
      const ofApps = (await app.rows('api_keys')).filter(({ client_id }) => client_id)
      expect(ofApps.map(({ revoked_at: at }) => at === null)).toEqual([false])
    })
  })
}

describe('the page that asks', () => {
  test('says which app asks, whose it is, for what and where its answer goes', async () => {
    const started = await start()
    await using _app = started.app
    publish(started.app, { ...METADATA, client_name: '<b>Handbill</b> support' })
    const page = await started.browser.get(started.client.path({ scope: 'pages:read' }))
    const text = await page.text()
    expect(text).toContain('&lt;b&gt;Handbill&lt;/b&gt; support')
    expect(text).toContain('<dd><b>app.example</b></dd>')
    expect(text).toContain(started.owner.email)
    expect(text).toContain('Read your pages')
    expect(text).not.toContain('Create, change')
    expect(text).not.toContain('what viewers')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://app.example;",
    )
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('leads to the app without anything where its person cancels', async () => {
    const started = await start()
    await using app = started.app
    const to = await press(started, started.client.path(), 'cancel')
    expect(to.href.startsWith(CALLBACK)).toBe(true)
    expect(to.searchParams.get('error')).toBe('access_denied')
    expect(to.searchParams.get('state')).toBe('the state')
    expect(to.searchParams.get('code')).toBeNull()
    expect(await app.rows('oauth_codes')).toEqual([])
  })

  test.each([
    ['allow', {}],
    ['cancel', {}],
    ['an error', { response_type: 'token' }],
  ])(
    'answers at the address that was proven where the query begins with two marks: %s',
    async (decision, change) => {
      const started = await start()
      await using _app = started.app
      const { redirect_uri: _uri, ...others } = started.client.request
      const query = new URLSearchParams({ redirect_uri: CALLBACK, ...others, ...change })
      const path = `/oauth/authorize??${query}`
      if (decision !== 'an error') {
        const to = await press(started, path, decision)
        expect(to.origin + to.pathname).toBe(CALLBACK)
        expect(to.searchParams.get('state')).toBe('the state')
        return
      }
      const answer = await started.browser.get(path)
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain(`href="${CALLBACK}?error=unsupported_response_type`)
    },
  )

  test('asks for a sign-in first, and for a new one after an hour, and leads back', async () => {
    const started = await start()
    await using app = started.app
    const path = started.client.path()
    const next = encodeURIComponent(path)
    const stranger = await createBrowser(app).get(path)
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      `/app/sign-in?next=${next}`,
    ])
    const signIn = await createBrowser(app).get(stranger.headers.get('location')!)
    expect(formsIn(await signIn.text())[0]!.fields.next).toBe(path)

    app.advance(2 * HOUR_MS)
    const later = await started.browser.get(path)
    expect(later.headers.get('location')).toBe(`/app/sign-in?again&next=${next}`)
    const again = await started.browser.get(later.headers.get('location')!)
    expect(again.status).toBe(200)
    const sent = await started.browser.send(again, { email: started.owner.email })
    expect(sent.status).toBe(200)
    const link = new URL(app.mails.at(-1)!.button!.url).pathname
    const confirmed = await started.browser.send(await started.browser.get(link))
    expect(confirmed.headers.get('location')).toBe(path)
    expect((await press(started, path)).searchParams.get('code')).toStartWith('smc_')
  })

  test('is sent by nobody but itself, for the account and the request that it showed', async () => {
    const started = await start()
    await using app = started.app
    const { browser, client } = started
    const [form] = formsIn(await (await browser.get(client.path())).text())
    const fields = { ...form!.fields, decision: 'allow' }
    const refusedTo = async (path: string, value: Record<string, string>, headers = {}) => {
      const answer = await browser.post(path, value, headers)
      const to = answer.headers.get('location') ?? ''
      expect(to).not.toContain('app.example/callback?')
      return answer.status
    }
    expect(await refusedTo(client.path(), { decision: 'allow' })).toBe(403)
    expect(await refusedTo(client.path(), { ...fields, token: 'x' })).toBe(403)
    // The token is of another request: one with fewer scopes, say.
    expect(await refusedTo(client.path({ scope: 'pages:read' }), fields)).toBe(403)
    // Another site sends no session with a write, so it is led to the sign-in.
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await refusedTo(client.path(), fields, headers)).toBe(303)
    }
    const other = await app.owner()
    const { cookie } = await sessionOf(app, other.email)
    browser.jar.set('handbill_session', cookie.split('=')[1]!)
    expect(await refusedTo(client.path(), fields)).toBe(403)
    expect(await app.rows('oauth_codes')).toEqual([])
  })

  test('is not shown to guests, or at another name of the server', async () => {
    const started = await start()
    await using app = started.app
    const account = { email: 'guest@example.com', plan: 'free', is_guest: true } as const
    await app.database.write((tx) => app.accounts.findOrCreate(tx, account))
    const { cookie } = await sessionOf(app, account.email)
    started.browser.jar.set('handbill_session', cookie.split('=')[1]!)
    const refused = await started.browser.get(started.client.path())
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('connects no apps'),
    ])
    const elsewhere = await started.browser.get(started.client.path(), { host: 'evil.example' })
    expect(elsewhere.status).toBe(421)
  })

  test.each([
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['an address with more', { redirect_uri: `${CALLBACK}/../../evil` }],
    ['no address', { redirect_uri: '' }],
    ['no app', { client_id: '' }],
    ['an app without metadata', { client_id: 'https://app.example/' }],
    ['an app that is not registered', { client_id: `app_${'0'.repeat(32)}` }],
    ['an app of the plain web', { client_id: 'http://app.example/app.json' }],
    ['too much', { state: 'x'.repeat(2000) }],
  ])('leads nowhere for %s', async (_what, change) => {
    const started = await start()
    await using _app = started.app
    const answer = await started.browser.get(started.client.path(change))
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    const text = await answer.text()
    expect(text).toContain('This app cannot connect')
    expect(text).not.toContain('evil.example')
  })

  test('leads nowhere for a parameter that is sent twice', async () => {
    const started = await start()
    await using _app = started.app
    const path = `${started.client.path()}&redirect_uri=https%3A%2F%2Fevil.example%2F`
    expect((await started.browser.get(path)).status).toBe(400)
  })

  test.each([
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['invalid_scope', { scope: 'everything' }],
  ])(
    'tells the app of %s for %j by a press alone, at its proven address',
    async (error, change) => {
      const started = await start()
      await using _app = started.app
      const answer = await started.browser.get(started.client.path(change))
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      const [, href] = /href="([^"]+)">Back to the app: app\.example</.exec(await answer.text())!
      const to = new URL(href!.replaceAll('&amp;', '&'))
      expect(to.origin + to.pathname).toBe(CALLBACK)
      expect(to.searchParams.get('error')).toBe(error)
      expect(to.searchParams.get('state')).toBe('the state')
      expect(to.searchParams.get('iss')).toBe(BASE_URL)
    },
  )
})

describe('the metadata of an app', () => {
  const refusedWith = async (started: Started, id = APP) => {
    const client = createOAuthApp(started.app, id)
    const answer = await started.browser.get(client.path())
    expect(answer.headers.get('location')).toBeNull()
    return answer.status
  }

  test('counts only for the address that it names as its id', async () => {
    const started = await start()
    await using _app = started.app
    publish(started.app, { ...METADATA, client_id: 'https://app.example/other.json' })
    expect(await refusedWith(started)).toBe(400)
    const { client_id: _, ...without } = METADATA
    publish(started.app, without)
    expect(await refusedWith(started)).toBe(400)
  })

  test.each([
    ['no JSON', METADATA, 'text/html'],
    ['a list', [METADATA], 'application/json'],
    ['no address', { client_id: APP }, 'application/json'],
    [
      'an address of the plain web',
      { ...METADATA, redirect_uris: ['http://app.example/'] },
      'application/json',
    ],
  ])('is not used where it is %s', async (_what, metadata, type) => {
    const started = await start()
    await using _app = started.app
    publish(started.app, metadata, type)
    expect(await refusedWith(started)).toBe(400)
  })

  test('is read over https, where the certificate is trusted', async () => {
    const { app, owner } = await start()
    await using _app = app
    const server = await localHttpsServer((request, response) => {
      const client_id = `${server.url}${request.url}`
      const isElsewhere = request.url === '/elsewhere.json'
      response.writeHead(isElsewhere ? 302 : 200, {
        'content-type': 'application/json',
        ...(isElsewhere && { location: '/app.json' }),
      })
      response.end(JSON.stringify({ ...METADATA, client_id }))
    })
    const account = (await app.accounts.list()).find(({ email }) => email === owner.email)!
    const FAILED = 'could not be fetched'
    const resolve = async () => [{ address: '127.0.0.1' }]
    const clientOf = (name: string, options: Partial<GuardedFetchOptions>, at = server.url) => {
      const fetch = newGuardedFetch({ allowedHosts: [server.host], ...options })
      const oauth = createOAuth({ ...app, fetch, baseUrl: BASE_URL, contentUrl: null })
      const params = { client_id: `${at}/${name}`, redirect_uri: CALLBACK }
      return oauth.clientOf((param) => params[param as keyof typeof params], account)
    }
    expect(await clientOf('app.json', {})).toEqual({
      id: `${server.url}/app.json`,
      name: METADATA.client_name,
      redirect_uris: [CALLBACK],
    })
    await expect(clientOf('elsewhere.json', {})).rejects.toThrow()
    // Its certificate is for another name.
    const [, port] = server.host.split(':')
    const nobody = { allowedHosts: [`nobody.test:${port}`], resolve }
    await expect(clientOf('app.json', nobody, `https://nobody.test:${port}`)).rejects.toThrow(
      FAILED,
    )
    await expect(clientOf('app.json', { allowedHosts: [] })).rejects.toThrow(FAILED)
    await server.close()
  })

  test('is fetched once for a while, and anew afterwards', async () => {
    const started = await start()
    await using app = started.app
    expect((await started.browser.get(started.client.path())).status).toBe(200)
    app.fetched.clear()
    expect((await started.browser.get(started.client.path())).status).toBe(200)
  })

  test('of this server is none: anybody can publish there', async () => {
    const started = await start()
    await using _app = started.app
    publish(started.app, { ...METADATA, redirect_uris: [CALLBACK, `${BASE_URL}/p/page`] })
    const client = createOAuthApp(started.app)
    const answer = await started.browser.get(client.path({ redirect_uri: `${BASE_URL}/p/page` }))
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})

describe('registration', () => {
  async function register({ app }: Pick<Started, 'app'>, metadata: unknown) {
    const answer = await app.fetch(
      new Request(`${BASE_URL}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      }),
    )
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const LOCAL = { client_name: 'A local app', redirect_uris: ['http://127.0.0.1/callback'] }

  test('of the same app twice is one, which connects at any port of its computer', async () => {
    const started = await start()
    await using app = started.app
    const [first, second] = [await register(started, LOCAL), await register(started, LOCAL)]
    expect(first).toMatchObject({
      status: 201,
      body: { ...LOCAL, token_endpoint_auth_method: 'none' },
    })
    expect(first.body.client_secret).toBeUndefined()
    expect(second.body.client_id).toBe(first.body.client_id!)
    expect(await app.rows('oauth_clients')).toHaveLength(1)

    const client = createOAuthApp(app, String(first.body.client_id))
    client.request.redirect_uri = 'http://127.0.0.1:33418/callback'
    const page = await (await started.browser.get(client.path())).text()
    expect(page).toContain('unknown: it gave its name itself')
    expect(page).toContain('this computer')
    const to = await press(started, client.path())
    expect(to.origin).toBe('http://127.0.0.1:33418')
    const tokens = await client.exchange(to.searchParams.get('code')!)
    expect(await statusWith(started, tokens.access_token)).toBe(200)
  })

  test('goes after a week where nobody allowed it, and stays where somebody did', async () => {
    const started = await start()
    await using app = started.app
    const used = await register(started, LOCAL)
    const client = createOAuthApp(app, String(used.body.client_id))
    client.request.redirect_uri = LOCAL.redirect_uris[0]!
    const to = await press(started, client.path())
    const { refresh_token } = await client.exchange(to.searchParams.get('code')!)
    await register(started, { redirect_uris: [CALLBACK] })
    app.advance(8 * DAY_MS)
    await app.oauth.sweep()
    expect((await app.rows('oauth_clients')).map(({ id }) => id)).toEqual([
      String(used.body.client_id),
    ])
    app.advance(91 * DAY_MS)
    // Apps register again then: with a token that is just refused, they would ask as who is gone.
    const late = await client.refresh(refresh_token)
    expect([late.status, late.error]).toEqual([401, 'invalid_client'])
    await app.oauth.sweep()
    for (const table of ['oauth_clients', 'oauth_codes', 'oauth_tokens'] as const) {
      expect(await app.rows(table)).toEqual([])
    }
  })

  test.each([
    ['invalid_client_metadata', {}],
    ['invalid_client_metadata', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: ['http://app.example/callback'] }],
    ['invalid_redirect_uri', { redirect_uris: ['javascript:alert(1)'] }],
    ['invalid_redirect_uri', { redirect_uris: ['https://app.example/#a'] }],
    ['invalid_request', { redirect_uris: [CALLBACK], client_name: 'x'.repeat(20_000) }],
  ])('is refused with %s', async (error, metadata) => {
    const started = await start()
    await using app = started.app
    const { status, body } = await register(started, metadata)
    expect([status, body.error]).toEqual([400, error])
    expect(await app.rows('oauth_clients')).toEqual([])
  })
})

describe('the token endpoint', () => {
  test.each([
    ['without the verifier', { code_verifier: '' }],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['of another app', { client_id: 'https://evil.example/app.json' }],
    ['without an app', { client_id: '' }],
    ['for another address', { redirect_uri: 'https://app.example/other' }],
    ['without the address', { redirect_uri: '' }],
  ])('takes no code %s, and the code stays that of its app', async (_what, change) => {
    const started = await start()
    await using _app = started.app
    const code = await codeFor(started)
    expect(await started.client.exchange(code, change)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
    expect((await started.client.exchange(code)).status).toBe(200)
  })

  test('takes no code of another request of the same app: its challenge is another', async () => {
    const started = await start()
    await using app = started.app
    const stolen = await codeFor(started)
    const thief = createOAuthApp(app)
    expect((await thief.exchange(stolen)).error).toBe('invalid_grant')
  })

  test('takes a code for a minute', async () => {
    const started = await start()
    await using app = started.app
    const code = await codeFor(started)
    app.advance(MINUTE_MS + 1)
    expect((await started.client.exchange(code)).error).toBe('invalid_grant')
    expect((await app.rows('api_keys')).filter(({ client_id }) => client_id)).toEqual([])
  })

  test.each([
    ['invalid_target', { resource: 'https://other.example' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
    ['unsupported_grant_type', { grant_type: '__proto__' }],
    ['unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['invalid_grant', { code: 'smc_x' }],
  ])('answers %s for %j', async (error, change) => {
    const started = await start()
    await using _app = started.app
    const code = await codeFor(started)
    expect((await started.client.exchange(code, change)).error).toBe(error)
  })

  test('gives less where a refresh asks for less, and never more', async () => {
    const started = await start()
    await using _app = started.app
    const { refresh_token, scope } = await connect(started, { scope: 'pages:read pages:write' })
    expect(scope).toBe('pages:read pages:write')
    const less = await started.client.refresh(refresh_token, { scope: 'pages:read' })
    expect(less.scope).toBe('pages:read')
    const more = await started.client.refresh(less.refresh_token, { scope: 'feedback:read' })
    expect([more.status, more.error]).toEqual([400, 'invalid_scope'])
    const same = await started.client.refresh(less.refresh_token)
    expect(same.scope).toBe('pages:read pages:write')
  })

  test('refreshes for the app of the token alone', async () => {
    const started = await start()
    await using _app = started.app
    const { refresh_token } = await connect(started)
    const other = { client_id: 'https://evil.example/app.json' }
    expect((await started.client.refresh(refresh_token, other)).error).toBe('invalid_grant')
    expect((await started.client.refresh(refresh_token, { client_id: '' })).error).toBe(
      'invalid_grant',
    )
    expect((await started.client.refresh(refresh_token)).status).toBe(200)
  })

  test('tells one kind of token from another', async () => {
    const started = await start()
    await using _app = started.app
    const code = await codeFor(started)
    const { access_token, refresh_token } = await started.client.exchange(code)
    expect(await statusWith(started, refresh_token)).toBe(401)
    expect(await statusWith(started, code)).toBe(401)
    expect((await started.client.refresh(access_token)).error).toBe('invalid_grant')
    expect((await started.client.exchange(refresh_token)).error).toBe('invalid_grant')
  })

  test('stores hashes, never a code or a token', async () => {
    const started = await start()
    await using app = started.app
    const code = await codeFor(started)
    const { access_token, refresh_token } = await started.client.exchange(code)
    const stored = JSON.stringify([
      await app.rows('oauth_codes'),
      await app.rows('oauth_tokens'),
      await app.rows('api_keys'),
    ])
    for (const secret of [code, access_token, refresh_token]) {
      expect(stored).not.toContain(secret.slice(4))
    }
  })
})

describe('a connection', () => {
  test('has an access token for an hour, and ends 90 days after its last refresh', async () => {
    const started = await start()
    await using app = started.app
    const first = await connect(started)
    app.advance(HOUR_MS + 1)
    expect(await statusWith(started, first.access_token)).toBe(401)
    app.advance(80 * DAY_MS)
    const second = await started.client.refresh(first.refresh_token)
    expect(await statusWith(started, second.access_token)).toBe(200)
    app.advance(80 * DAY_MS)
    const third = await started.client.refresh(second.refresh_token)
    expect(third.status).toBe(200)
    app.advance(91 * DAY_MS)
    expect((await started.client.refresh(third.refresh_token)).error).toBe('invalid_grant')
    const owner = await sessionOf(app, started.owner.email)
    expect(await owner.ask<object[]>('GET', '/connections')).toEqual([])
  })

  test('reads and writes what it was allowed, and is told what is missing', async () => {
    const started = await start()
    await using app = started.app
    const { access_token, refresh_token } = await connect(started, { scope: 'pages:read' })
    const authorization = `Bearer ${access_token}`
    const json = { authorization, 'content-type': 'application/json' }
    expect(await statusWith(started, access_token)).toBe(200)
    const page = await started.owner.publish('<p>Any</p>')
    expect(await statusWith(started, access_token, `/pages/${page.id}/responses`)).toBe(403)
    const refused = await app.api('/pages', { method: 'POST', headers: json, body: '{}' })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="pages:read pages:write", ' +
        `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api/v1"`,
    )
    const call = (name: string) => callTool(started, access_token, name, { page_id: page.id })
    expect((await call('get_page')).status).toBe(200)
    const missing = await call('ask')
    expect(missing.status).toBe(403)
    expect(missing.headers.get('www-authenticate')).toStartWith(
      'Bearer error="insufficient_scope", scope="pages:read pages:write feedback:read", ',
    )
    // Clients of the SDK 1 would renew instead of asking the person.
    const early = await started.client.refresh(refresh_token)
    expect([early.status, early.error]).toEqual([400, 'consent_required'])
    expect(await statusWith(started, access_token)).toBe(200)
    app.advance(31_000)
    expect((await started.client.refresh(refresh_token)).scope).toBe('pages:read')
    // No token makes a key, or another connection.
    expect(await statusWith(started, access_token, '/keys')).toBe(403)
    expect(await statusWith(started, access_token, '/connections')).toBe(403)
  })

  test('is told that it calls too often, before what is missing: that has a write', async () => {
    const started = await start('sqlite', { rateLimits: true })
    await using _ = started.app
    const { access_token, refresh_token } = await connect(started, { scope: 'pages:read' })
    for (let at = 0; at < 600; at += 1) await statusWith(started, access_token)
    const refused = await callTool(started, access_token, 'ask', {})
    expect(refused.status).toBe(200)
    expect(await refused.text()).toContain('rate_limited')
    expect((await started.client.refresh(refresh_token)).status).toBe(200)
  })

  test('ends for whoever has one of its tokens and revokes it', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const started = await start()
      await using _app = started.app
      const tokens = await connect(started)
      expect((await started.client.post('/oauth/revoke', { token: 'sma_other' })).status).toBe(200)
      const none = await started.client.post('/oauth/revoke', { client_id: 'x' })
      expect([none.status, none.error]).toEqual([400, 'invalid_request'])
      expect(await statusWith(started, tokens.access_token)).toBe(200)
      const { status } = await started.client.post('/oauth/revoke', { token: tokens[kind] })
      expect(status).toBe(200)
      expect(await statusWith(started, tokens.access_token)).toBe(401)
      expect((await started.client.refresh(tokens.refresh_token)).error).toBe('invalid_grant')
    }
  })

  test('takes the webhooks that it made along', async () => {
    const started = await start()
    await using app = started.app
    const { access_token } = await connect(started)
    const headers = {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ url: 'https://hook.example/', types: ['comment'] })
    expect((await app.api('/webhooks', { method: 'POST', headers, body })).status).toBe(201)
    await started.client.post('/oauth/revoke', { token: access_token })
    expect(await started.owner.ask<object[]>('GET', '/webhooks')).toMatchObject([
      { off_reason: 'key_revoked' },
    ])
  })

  test('is refused while its account is suspended, and gone once that is deleted', async () => {
    const started = await start()
    await using app = started.app
    const tokens = await connect(started)
    const { account } = started.session
    await app.accountSuspension.suspend(account, null)
    expect(await statusWith(started, tokens.access_token)).toBe(403)
    expect((await started.client.refresh(tokens.refresh_token)).error).toBe('invalid_grant')
    await app.accountSuspension.end(account, null)
    expect(await statusWith(started, tokens.access_token)).toBe(200)
    const code = await codeFor({ ...started, browser: await browserOf(started) })
    await app.accountDeletion.delete(account, account.email)
    expect(await statusWith(started, tokens.access_token)).toBe(401)
    expect((await started.client.refresh(tokens.refresh_token)).error).toBe('invalid_grant')
    expect((await started.client.exchange(code)).error).toBe('invalid_grant')
    await app.quiet()
    expect(await app.rows('oauth_tokens')).toEqual([])
  })

  async function browserOf({ app, owner }: Started) {
    const { cookie } = await sessionOf(app, owner.email)
    const browser = createBrowser(app)
    browser.jar.set('handbill_session', cookie.split('=')[1]!)
    return browser
  }
})

/** What common hosts publish or register, and the address at which they then want the answer. */
const HOSTS: Record<
  string,
  { id?: string; metadata: object; redirect_uri: string; scope?: string }
> = {
  'Claude Code': {
    id: 'https://claude.ai/oauth/claude-code-client-metadata',
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    redirect_uri: 'http://localhost:55611/callback',
  },
  'claude.ai': {
    id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    metadata: { redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] },
    redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
  },
  ChatGPT: {
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/OUbdUMlL15Ct'],
      response_types: ['code'],
    },
    redirect_uri: 'https://chatgpt.com/connector/oauth/OUbdUMlL15Ct',
    scope: 'pages:read pages:write offline_access',
  },
  'VS Code': {
    metadata: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      application_type: 'native',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    },
    redirect_uri: 'http://127.0.0.1:59656/',
  },
  Cursor: {
    metadata: { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] },
    redirect_uri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  'Gemini CLI': {
    metadata: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      code_challenge_method: ['S256'],
    },
    redirect_uri: 'http://localhost:7777/oauth/callback',
  },
}

test.each(Object.entries(HOSTS))('%s connects', async (_name, host) => {
  const { id, metadata, redirect_uri, scope } = host
  const started = await start()
  await using app = started.app
  if (id !== undefined) publish(app, { ...metadata, client_id: id }, 'application/json', id)
  const registered = id ?? (await app.oauth.register(metadata)).id
  const client = createOAuthApp(app, registered)
  Object.assign(client.request, { redirect_uri, ...(scope && { scope }) })
  const to = await press(started, client.path())
  expect(to.href.startsWith(redirect_uri)).toBe(true)
  const tokens = await client.exchange(to.searchParams.get('code')!)
  expect(await statusWith(started, tokens.access_token)).toBe(200)
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
})

test('programs find out by a request without a token where to get one', async () => {
  const started = await start()
  await using app = started.app
  const get = (path: string, init: RequestInit = {}) =>
    app.fetch(new Request(`${BASE_URL}${path}`, init))
  for (const path of ['/mcp', '/api/v1'] as const) {
    const metadata = `${BASE_URL}/.well-known/oauth-protected-resource${path}`
    const scope = 'scope="pages:read pages:write feedback:read"'
    const at = path === '/mcp' ? path : `${path}/pages`
    const init = path === '/mcp' ? { method: 'POST', body: '{}' } : {}
    const refused = await get(at, init)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", ${scope}`,
    ])
    const stale = await get(at, {
      ...init,
      headers: { authorization: `Bearer sma_${'x'.repeat(43)}` },
    })
    expect(stale.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadata}", ${scope}`,
    )
    const response = await get(new URL(metadata).pathname)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toMatchObject({
      resource: `${BASE_URL}${path}`,
      authorization_servers: [BASE_URL],
    })
  }
  const server = await get('/.well-known/oauth-authorization-server')
  expect(await server.json()).toMatchObject({
    issuer: BASE_URL,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  })
  // Cookies and their page stay ours: the page that asks answers no other site.
  const preflight = { method: 'OPTIONS', headers: { origin: 'https://app.example' } }
  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke']) {
    const answer = await get(path, preflight)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  }
  const page = await started.browser.get(started.client.path(), { origin: 'https://app.example' })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})
