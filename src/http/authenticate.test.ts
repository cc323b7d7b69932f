import { describe, expect, it } from 'bun:test'
import { ACCOUNT_HEADER, APP_HEADER } from '../model/app-api.ts'
import { BASE_URL, ENGINES, testApp } from '../testing/app.ts'
import { createAuthentication } from './authenticate.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

async function signedIn(engine: (typeof ENGINES)[number]) {
  const app = await testApp(engine)
  const { accounts, sessions } = app
  const { key, email } = await app.owner()
  const account = (await accounts.findByEmail(email))!
  const token = await app.database.write((tx) => sessions.create(tx, account.id, null))
  const authentication = createAuthentication({ ...app, baseUrl: BASE_URL })
  const cookie = `handbill_session=${token}`
  return { app, account, key, cookie, ...authentication }
}

const request = (method: string, headers: Record<string, string>) =>
  new Request(`${BASE_URL}/any`, { method, headers })

for (const engine of ENGINES) {
  describe(`authentication on ${engine}`, () => {
    it('by header knows an API key, and never a session', async () => {
      const { app, account, key, cookie, byHeader } = await signedIn(engine)
      await using _ = app
      const principal = await byHeader(request('POST', { authorization: `Bearer ${key}` }))
      expect(principal).toMatchObject({ account, key: { client_id: null }, session: null })
      for (const headers of [{ cookie }, { cookie, origin: BASE_URL }, { authorization: cookie }]) {
        const refused = byHeader(request('GET', headers))
        await expect(refused).rejects.toMatchObject({ kind: 'unauthenticated' })
      }
    })

    it('by session knows a cookie, and never an API key', async () => {
      const { app, account, key, cookie, bySession } = await signedIn(engine)
      await using _ = app
      for (const method of ['GET', 'HEAD']) {
        const principal = await bySession(request(method, { cookie, origin: 'null' }))
        expect(principal).toMatchObject({ account })
      }
      expect(await bySession(request('GET', { authorization: `Bearer ${key}` }))).toBeNull()
      const forged = 'handbill_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
      expect(await bySession(request('GET', { cookie: forged }))).toBeNull()
    })

    it('by app refuses a tab that shows another account than the one that is signed in', async () => {
      const { app, account, cookie, byAppRequest } = await signedIn(engine)
      await using _ = app
      const other = (await app.accounts.findByEmail((await app.owner()).email))!
      const own = { cookie, origin: BASE_URL, [APP_HEADER]: '1' }
      for (const headers of [own, { ...own, [ACCOUNT_HEADER]: account.id }]) {
        expect(await byAppRequest(request('POST', headers))).toMatchObject({ account })
      }
      for (const method of ['GET', 'POST']) {
        const refused = byAppRequest(request(method, { ...own, [ACCOUNT_HEADER]: other.id }))
        await expect(refused).rejects.toMatchObject({ code: 'signed_out' })
      }
    })

    it('by session ignores the cookie of a write that no page of ours sent', async () => {
      const { app, account, cookie, bySession } = await signedIn(engine)
      await using _ = app
      const agent = { 'user-agent': BROWSER }
      const own = [{ origin: BASE_URL }, { origin: BASE_URL, 'sec-fetch-site': 'same-origin' }, {}]
      for (const headers of own) {
        const principal = await bySession(request('POST', { cookie, ...headers }))
        expect(principal).toMatchObject({ account })
      }
      const foreign = [
        { origin: 'null' },
        { origin: 'https://evil.example' },
        { origin: BASE_URL, 'sec-fetch-site': 'cross-site' },
        agent,
      ]
      for (const headers of foreign) {
        for (const method of ['POST', 'PATCH', 'DELETE']) {
          expect(await bySession(request(method, { cookie, ...headers }))).toBeNull()
        }
      }
    })
  })
}
