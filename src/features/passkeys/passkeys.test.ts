import { describe, expect, it } from 'bun:test'
import {
  BASE_URL,
  ENGINES,
  type Engine,
  HOUR_MS,
  MINUTE_MS,
  type TestApp,
  testApp,
} from '../../testing/app.ts'
import { type Authenticator, createAuthenticator } from '../../testing/authenticator.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { sessionOf, type TestSession } from '../../testing/signed-in.ts'

const SESSION = 'handbill_session'
const REFUSED: [number, string] = [403, 'passkey_refused']
const HANDLE = (id: string) => Buffer.from(id).toString('base64url')

interface CreationOptions {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  excludeCredentials: { id: string }[]
}

const start = (session: TestSession) => session.ask<CreationOptions>('POST', '/passkeys/options')

/** Adds the passkey of an authenticator to the account of a session. @returns its id */
async function add(session: TestSession, authenticator: Authenticator, name = 'Laptop') {
  const { challenge, user } = await start(session)
  authenticator.setUserHandle(user.id)
  const response = authenticator.register({ challenge })
  return session.ask<{ id: string }>('POST', '/passkeys', { name, response })
}

/** An account with a passkey. */
async function appWithPasskey(engine: Engine, config = {}) {
  const app = await testApp(engine, config)
  const owner = await app.owner()
  const session = await sessionOf(app, owner.email)
  const authenticator = createAuthenticator()
  const { id } = await add(session, authenticator)
  return { app, owner, session, authenticator, id }
}

async function challengeFor(browser: Browser): Promise<string> {
  const answer = await browser.post('/app/sign-in/passkey/options', {})
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: { challenge: string } }).data.challenge
}

async function send(browser: Browser, response: unknown, more: Record<string, string> = {}) {
  const text = typeof response === 'string' ? response : JSON.stringify(response)
  const answer = await browser.post('/app/sign-in/passkey', { response: text, ...more })
  const body = (await answer.json()) as { data?: { next: string }; error?: { code: string } }
  return { status: answer.status, body, cookies: answer.headers.getSetCookie().join('\n') }
}

async function signIn(browser: Browser, authenticator: Authenticator, more = {}) {
  return send(browser, authenticator.assert({ challenge: await challengeFor(browser), ...more }))
}

/** The status and code of an answer that signs nobody in. */
function refusal({ status, body, cookies }: Awaited<ReturnType<typeof send>>): [number, string] {
  expect(cookies).not.toContain('session=')
  return [status, body.error?.code ?? '']
}

/** Why passkeys were refused, as the log has it. */
function reasons(app: TestApp): string[] {
  const refusals = app.log.lines.filter(({ msg }) => msg === 'a passkey was refused')
  return refusals.map(({ fields }) => (fields as { err: Error }).err.message)
}

async function accountOf(app: TestApp, browser: Browser): Promise<string | undefined> {
  return (await app.sessions.find(browser.jar.get(SESSION) ?? ''))?.account.email
}

for (const engine of ENGINES) {
  describe(`passkeys on ${engine}`, () => {
    it('sign in without an address, as the link of a mail does', async () => {
      const { app, owner, session, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const browser = createBrowser(app)
      const { body } = await signIn(browser, authenticator)
      expect([body.data?.next, await accountOf(app, browser)]).toEqual(['/app', owner.email])
      const result = await app.sessions.find(browser.jar.get(SESSION)!)
      expect(result?.has_recent_sign_in).toBe(true)
      const [listed] = await session.ask<{ last_used_at: string }[]>('GET', '/passkeys')
      expect(listed).toMatchObject({ name: 'Laptop', last_used_at: expect.any(String) })
      expect(browser.jar.has('handbill_known')).toBe(true)
    })

    it('ask for a discoverable passkey, a verified person, and no attestation', async () => {
      const { app, owner, session, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const options = await start(session)
      expect(options).toMatchObject({
        rp: { id: 'handbill.test', name: 'handbill.test' },
        user: { id: HANDLE(session.account.id), name: owner.email },
        attestation: 'none',
        excludeCredentials: [{ id: authenticator.id }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const browser = createBrowser(app)
      const answer = await browser.post('/app/sign-in/passkey/options', {})
      expect(await answer.json()).toEqual({
        data: {
          challenge: expect.stringMatching(/^[\w-]{80,}$/),
          rpId: 'handbill.test',
          timeout: 5 * MINUTE_MS,
          userVerification: 'required',
        },
      })
    })

    it('lead on to a path of ours alone', async () => {
      const { app, authenticator } = await appWithPasskey(engine)
      await using _ = app
      for (const [next, path] of [
        ['/p/plan?a=1', '/p/plan?a=1'],
        ['https://evil.example/app', '/app'],
      ] as const) {
        const browser = createBrowser(app)
        const response = authenticator.assert({ challenge: await challengeFor(browser) })
        expect((await send(browser, response, { next })).body.data).toEqual({ next: path })
      }
    })

    it('answer a challenge once, within five minutes, in the browser that asked', async () => {
      const { app, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const [browser, other] = [createBrowser(app), createBrowser(app)]
      const response = authenticator.assert({ challenge: await challengeFor(browser) })
      await challengeFor(other)
      expect(refusal(await send(other, response))).toEqual(REFUSED)
      const none = createBrowser(app)
      expect(refusal(await send(none, response))).toEqual(REFUSED)
      const both = await Promise.all([send(browser, response), send(browser, response)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
      browser.jar.delete(SESSION)
      expect(refusal(await send(browser, response))).toEqual(REFUSED)

      const late = authenticator.assert({ challenge: await challengeFor(browser) })
      app.advance(5 * MINUTE_MS + 1000)
      expect(refusal(await send(browser, late))).toEqual(REFUSED)
      const made = Buffer.from('v1.9999999999.x.y').toString('base64url')
      expect(refusal(await send(browser, authenticator.assert({ challenge: made })))).toEqual(
        REFUSED,
      )
    })

    it('store nothing for strangers that ask for challenges, however many', async () => {
      await using app = await testApp(engine)
      const browser = createBrowser(app)
      const before = await app.rows('throttles')
      for (let i = 0; i < 20; i++) await challengeFor(browser)
      expect(await app.rows('throttles')).toEqual(before)
      expect(await app.rows('confirmations')).toEqual([])
    })

    it.each([
      ['another origin of the same host', { origin: 'http://handbill.test:8080' }],
      ['a page on a host below', { origin: 'http://page.handbill.test' }],
      ['another server', { rpId: 'evil.example' }],
      ['nobody who was verified', { isVerified: false }],
      ['a registration', { type: 'webauthn.create' }],
    ])('are refused for %s', async (_name, more) => {
      const { app, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const browser = createBrowser(app)
      expect(refusal(await signIn(browser, authenticator, more))).toEqual(REFUSED)
      expect((await signIn(browser, authenticator)).status).toBe(200)
    })

    it('are refused alike: unknown, removed, of another account, or garbage', async () => {
      const { app, session, authenticator, id } = await appWithPasskey(engine)
      await using _ = app
      const browser = createBrowser(app)
      const answers = [await signIn(browser, createAuthenticator())]
      const bob = await sessionOf(app, (await app.owner()).email)
      const own = HANDLE(session.account.id)
      for (const handle of [HANDLE(bob.account.id), '']) {
        authenticator.setUserHandle(handle)
        answers.push(await signIn(browser, authenticator))
      }
      authenticator.setUserHandle(own)
      const response = authenticator.assert({ challenge: await challengeFor(browser) })
      const signature = createAuthenticator().assert({ challenge: 'x' }).response.signature
      answers.push(
        await send(browser, { ...response, response: { ...response.response, signature } }),
        await send(browser, 'no json'),
        await send(browser, { ...response, id: [authenticator.id] }),
        await send(browser, null),
      )
      expect(await bob.refused('DELETE', `/passkeys/${id}`)).toEqual([404, 'passkey_not_found'])
      await session.ask('DELETE', `/passkeys/${id}`)
      answers.push(await signIn(browser, authenticator))
      for (const answer of answers) {
        expect(refusal(answer)).toEqual(REFUSED)
        expect(answer.body).toEqual(answers[0]!.body)
      }
    })

    it('that are copied are found out: a counter has to grow', async () => {
      const { app, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const browser = createBrowser(app)
      authenticator.setCounter(7)
      expect((await signIn(browser, authenticator)).status).toBe(200)
      for (const counter of [3, 7]) {
        authenticator.setCounter(counter)
        expect(refusal(await signIn(createBrowser(app), authenticator))).toEqual(REFUSED)
      }
      expect(reasons(app)).toContain('Response counter value 4 was lower than expected 8')
      authenticator.setCounter(8)
      expect((await signIn(browser, authenticator)).status).toBe(200)
    })

    it('open no suspended account, which reads why, and none that was deleted', async () => {
      const { app, owner, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const account = await app.accounts.getByEmail(owner.email)
      await app.accountSuspension.suspend(account, null)
      const browser = createBrowser(app)
      expect(refusal(await signIn(browser, authenticator))).toEqual([403, 'account_suspended'])
      await app.accountSuspension.end(account, null)
      expect((await signIn(browser, authenticator)).status).toBe(200)
      const session = await sessionOf(app, owner.email)
      await session.ask('POST', '/account/deletion', { email: owner.email })
      expect(await app.rows('passkeys')).toEqual([])
      expect(refusal(await signIn(createBrowser(app), authenticator))).toEqual(REFUSED)
    })

    it('renew the sign-in of a session, under its id, and change to no other account', async () => {
      const { app, owner, session, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const bob = createAuthenticator()
      await add(await sessionOf(app, (await app.owner()).email), bob)
      const browser = createBrowser(app)
      await signIn(browser, authenticator)
      const earlier = browser.jar.get(SESSION)!
      const { session_id: id } = (await app.sessions.find(earlier))!
      app.advance(2 * HOUR_MS)
      expect((await app.sessions.find(earlier))!.has_recent_sign_in).toBe(false)
      expect(await session.refused('POST', '/passkeys/options')).toEqual([403, 'sign_in_again'])

      const foreign = bob.assert({ challenge: await challengeFor(browser) })
      expect(refusal(await send(browser, foreign, { again: '1' }))).toEqual(REFUSED)
      expect(await accountOf(app, browser)).toBe(owner.email)
      const own = authenticator.assert({ challenge: await challengeFor(browser) })
      expect((await send(browser, own, { again: '1' })).status).toBe(200)
      expect(await app.sessions.find(browser.jar.get(SESSION)!)).toMatchObject({
        session_id: id,
        has_recent_sign_in: true,
      })
      expect(await app.sessions.find(earlier)).toBeNull()
    })

    it('take requests of our own pages alone', async () => {
      const { app, authenticator } = await appWithPasskey(engine)
      await using _ = app
      const browser = createBrowser(app)
      const response = JSON.stringify(
        authenticator.assert({ challenge: await challengeFor(browser) }),
      )
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: BASE_URL, 'sec-fetch-site': 'cross-site' },
      ] as Record<string, string>[]) {
        for (const path of ['/app/sign-in/passkey/options', '/app/sign-in/passkey']) {
          const answer = await browser.post(path, { response }, headers)
          expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
        }
      }
    })

    it('are tried sixty times in five minutes from one address', async () => {
      const { app, authenticator } = await appWithPasskey(engine, { rateLimits: true })
      await using _ = app
      const browser = createBrowser(app)
      await challengeFor(browser)
      for (let i = 0; i < 60; i++) expect(refusal(await send(browser, 'x'))).toEqual(REFUSED)
      expect(refusal(await signIn(browser, authenticator))).toEqual([429, 'rate_limited'])
    })
  })

  describe(`adding passkeys on ${engine}`, () => {
    it('mails the owner, and takes twenty', async () => {
      const { app, owner, session } = await appWithPasskey(engine)
      await using _ = app
      expect(app.mails.at(-1)).toMatchObject({
        to: owner.email,
        subject: 'A passkey was added to your account at handbill.test',
      })
      const { challenge } = await start(session)
      for (let i = 1; i < 20; i++) await add(session, createAuthenticator())
      expect(await session.refused('POST', '/passkeys/options')).toEqual([409, 'too_many_passkeys'])
      const response = createAuthenticator().register({ challenge })
      expect(await session.refused('POST', '/passkeys', { name: 'x', response })).toEqual([
        409,
        'too_many_passkeys',
      ])
      expect(await app.rows('passkeys')).toHaveLength(20)
    })

    it('takes an answer once, in the session that asked, from our own origin', async () => {
      const { app, owner, session } = await appWithPasskey(engine)
      await using _ = app
      const [again, bob] = [
        await sessionOf(app, owner.email),
        await sessionOf(app, (await app.owner()).email),
      ]
      const post = (by: TestSession, response: object) =>
        by.refused('POST', '/passkeys', { name: 'x', response })
      const { challenge } = await start(session)
      const authenticator = createAuthenticator()
      const response = authenticator.register({ challenge })
      expect(await post(again, response)).toEqual(REFUSED)
      expect(await post(bob, response)).toEqual(REFUSED)
      for (const more of [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { isVerified: false },
        { type: 'webauthn.get' },
      ]) {
        expect(await post(session, authenticator.register({ challenge, ...more }))).toEqual(REFUSED)
      }
      const browser = createBrowser(app)
      const foreign = authenticator.register({ challenge: await challengeFor(browser) })
      expect(await post(session, foreign)).toEqual(REFUSED)
      await session.ask('POST', '/passkeys', { name: 'x', response })
      expect(await post(session, response)).toEqual(REFUSED)
      const { challenge: next } = await start(bob)
      expect(await post(bob, authenticator.register({ challenge: next }))).toEqual([
        409,
        'passkey_exists',
      ])
    })

    it('looks at no certificates, which could name addresses to fetch from', async () => {
      const { app, session } = await appWithPasskey(engine)
      await using _ = app
      const { challenge } = await start(session)
      const statement = new Map([['x5c', [new Uint8Array(8)]]])
      for (const format of ['packed', 'fido-u2f', 'tpm', 'apple', 'android-key']) {
        const response = createAuthenticator().register({ challenge }, [format, statement])
        expect(await session.refused('POST', '/passkeys', { name: 'x', response })).toEqual(REFUSED)
        expect(reasons(app).at(-1)).toBe(`Attestation of format ${format}`)
      }
    })

    it('and removing them asks for a sign-in of the last hour; renaming does not', async () => {
      const { app, session, id } = await appWithPasskey(engine)
      await using _ = app
      const { challenge } = await start(session)
      app.advance(2 * HOUR_MS)
      const response = createAuthenticator().register({ challenge })
      for (const [method, path, body] of [
        ['POST', '/passkeys/options'],
        ['POST', '/passkeys', { name: 'x', response }],
        ['DELETE', `/passkeys/${id}`],
      ] as const) {
        expect(await session.refused(method, path, body)).toEqual([403, 'sign_in_again'])
      }
      expect(await session.ask('PATCH', `/passkeys/${id}`, { name: ' Phone ' })).toMatchObject({
        id,
        name: 'Phone',
      })
    })

    it('is for sessions alone: no API key lists, adds or removes any', async () => {
      const { app, owner, id } = await appWithPasskey(engine)
      await using _ = app
      for (const [method, path] of [
        ['GET', '/passkeys'],
        ['POST', '/passkeys/options'],
        ['DELETE', `/passkeys/${id}`],
      ] as const) {
        const { status, body } = await owner.refused(method, path)
        expect([status, body.error.code]).toEqual([403, 'session_only'])
      }
    })
  })
}
