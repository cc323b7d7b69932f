import { describe, expect, it } from 'bun:test'
import { contracts } from '../client/contracts.ts'
import { APP_HEADER, SIGNED_IN_PATH } from '../model/app-api.ts'
import { needsRecentSignIn } from '../model/operation.ts'
import { BASE_URL, ENGINES, HOUR_MS, MINUTE_MS, testApp } from '../testing/app.ts'
import { type Browser, createBrowser } from '../testing/browser.ts'
import { sessionOf } from '../testing/signed-in.ts'

const SESSION = 'handbill_session'
const AGAIN: [number, string] = [403, 'sign_in_again']

async function openApp(engine: (typeof ENGINES)[number]) {
  const app = await testApp(engine)
  const owner = await app.owner()
  await app.accounts.setOperator(owner.email, true)
  const page = await owner.publish('<p>x', { access: 'private' })
  return { app, owner, page }
}

/** A request of the app, from a browser. */
async function send(browser: Browser, method: string, path: string, body?: object) {
  const headers = { [APP_HEADER]: '1', origin: BASE_URL, 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  return (await browser.ask(`/app/api${path}`, init)).status
}

for (const engine of ENGINES) {
  describe(`a session that signed in an hour ago, on ${engine}`, () => {
    it('opens no page to everyone, exports nothing, makes no key and changes nothing as operator', async () => {
      const { app, owner, page } = await openApp(engine)
      await using _ = app
      const other = await app.owner()
      const { id: otherId } = (await app.accounts.findByEmail(other.email))!
      const taken = await other.publish('<p>y')
      const visitor = createBrowser(app)
      await visitor.send(await visitor.get('/app/sign-in'), { email: other.email })
      const mailPath = `/operator/mails/${(await app.rows('outbox')).at(-1)!.id}`
      const session = await sessionOf(app, owner.email)
      const refusedOnes: [method: string, path: string, body?: object][] = [
        ['PATCH', `/pages/${page.id}`, { access: 'link', title: 'Other' }],
        ['GET', '/account/export'],
        ['POST', '/keys', {}],
        ['POST', '/operator/accounts', { email: 'new@example.com' }],
        ['PATCH', `/operator/accounts/${otherId}`, { plan: 'team' }],
        ['POST', `/operator/pages/${taken.id}/takedown`, { reason: 'spam' }],
        ['GET', mailPath],
      ]
      app.advance(HOUR_MS - MINUTE_MS)
      expect((await session.call('GET', mailPath)).status).toBe(200)
      app.advance(MINUTE_MS)
      const before = [
        await app.rows('pages'),
        await app.rows('accounts'),
        await app.rows('api_keys'),
      ]
      for (const [method, path, body] of refusedOnes) {
        expect([path, await session.refused(method, path, body)]).toEqual([path, AGAIN])
      }
      const after = [
        await app.rows('pages'),
        await app.rows('accounts'),
        await app.rows('api_keys'),
      ]
      expect(after).toEqual(before)
    })

    it('does everything else, and an API key is never asked', async () => {
      const { app, owner, page } = await openApp(engine)
      await using _ = app
      const session = await sessionOf(app, owner.email)
      app.advance(2 * HOUR_MS)
      await session.ask('PATCH', `/pages/${page.id}`, { access: 'people', title: 'Other' })
      await session.ask('GET', '/operator/accounts')
      const created = await session.ask<{ id: string }>('POST', '/pages', { html: '<p>new' })
      await session.ask('PATCH', `/pages/${created.id}`, { access: 'link', title: 'The same' })
      expect(await owner.update(page.id, { access: 'link' })).toMatchObject({ access: 'link' })
      await session.ask('PATCH', `/pages/${page.id}`, { access: 'private' })
      expect((await owner.call('GET', '/account/export')).status).toBe(200)
    })

    it('signs in again by a mail to its own address, keeps its id, and its earlier cookie ends', async () => {
      const { app, owner, page } = await openApp(engine)
      await using _ = app
      const browser = createBrowser(app)
      await browser.send(await browser.get('/app/sign-in'), { email: owner.email })
      await browser.send(await browser.get(new URL(app.mails.at(-1)!.button!.url).pathname))
      const [earlier, [row]] = [browser.jar.get(SESSION)!, await app.rows('sessions')]
      app.advance(2 * HOUR_MS)
      const open = () => send(browser, 'PATCH', `/pages/${page.id}`, { access: 'link' })
      expect(await open()).toBe(403)

      const form = { email: owner.email, next: SIGNED_IN_PATH }
      const sent = await browser.post('/app/sign-in', form)
      expect(await open()).toBe(403)
      const done = await browser.send(sent, { code: app.mails.at(-1)!.code! })
      expect([done.status, done.headers.get('location')]).toEqual([303, SIGNED_IN_PATH])
      expect(await (await browser.get(SIGNED_IN_PATH)).text()).toContain('You are signed in')
      expect(await open()).toBe(200)

      const [renewed, ...others] = await app.rows('sessions')
      expect([renewed!.id, others]).toEqual([row!.id, []])
      expect(await app.sessions.find(earlier)).toBeNull()
      const copy = createBrowser(app)
      copy.jar.set(SESSION, earlier)
      expect(await send(copy, 'GET', '/pages')).toBe(401)
    })
  })
}

describe('a mail that a session asks for without a form of ours', () => {
  it('goes to its own address alone, and only where one of our pages asks', async () => {
    const { app, owner } = await openApp('sqlite')
    await using _ = app
    const browser = createBrowser(app)
    await browser.send(await browser.get('/app/sign-in'), { email: owner.email })
    await browser.send(await browser.get(new URL(app.mails.at(-1)!.button!.url).pathname))
    const before = app.mails.length
    const evil = { origin: 'https://evil.example' }
    for (const answer of [
      await browser.post('/app/sign-in', { email: 'other@example.com' }),
      await browser.post('/app/sign-in', { email: owner.email }, evil),
      await createBrowser(app).post('/app/sign-in', { email: owner.email }),
    ]) {
      expect(answer.status).toBe(403)
    }
    expect(app.mails).toHaveLength(before)
    await browser.post('/app/sign-in', { email: owner.email })
    expect(app.mails).toHaveLength(before + 1)
  })
})

it('every operation that changes something as operator asks for it, by its audience', () => {
  const all = contracts()
  const asking = all.filter((each) => needsRecentSignIn(each, {}, null))
  const changing = all.filter(
    ({ audience, http }) => audience === 'operator' && http.method !== 'GET',
  )
  expect(changing.length).toBeGreaterThan(3)
  expect(
    asking
      .filter((each) => !changing.includes(each))
      .map(({ name }) => name)
      .sort(),
  ).toEqual([
    'addPasskey',
    'createAsk',
    'createKey',
    'downloadBackup',
    'exportAccount',
    'readMail',
    'removePasskey',
    'startPasskey',
  ])
  expect(changing.filter((each) => !asking.includes(each))).toEqual([])
})
