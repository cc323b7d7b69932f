/** Who sends a body slowly may lose meanwhile what let the request in. */
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { APP_HEADER } from '../model/app-api.ts'
import { BASE_URL, type TestApp, testApp } from '../testing/app.ts'
import { createBrowser, formsIn } from '../testing/browser.ts'
import { APP, CALLBACK, createOAuthApp, METADATA } from '../testing/oauth-app.ts'
import type { Owner } from '../testing/people.ts'
import { sessionOf } from '../testing/signed-in.ts'
import { slowRequest } from '../testing/slow-body.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = { html: '<p>Late', title: 'Late' }

let app: TestApp
beforeAll(async () => {
  app = await testApp('sqlite')
})
afterAll(() => app[Symbol.asyncDispose]())

async function revokeKeys({ email }: Owner) {
  for (const { id } of await app.accounts.listKeys(email)) await app.accounts.revokeKey(id)
}
async function endSessions({ email }: Owner) {
  await app.sessions.revokeAll((await app.accounts.findByEmail(email))!.id)
}
async function suspend({ email }: Owner) {
  await app.accountSuspension.suspend((await app.accounts.findByEmail(email))!, null)
}
async function deleteAccount({ email }: Owner) {
  await (await sessionOf(app, email)).ask('POST', '/account/deletion', { email })
}

/** Sends a request whose body is complete only after `meanwhile`. */
async function sendSlowly(
  path: string,
  init: Omit<Parameters<typeof slowRequest>[1], 'method'> & { method?: string },
  meanwhile: () => Promise<unknown>,
) {
  const { request, reading, finish } = slowRequest(BASE_URL + path, { method: 'POST', ...init })
  const sent = app.fetch(request)
  await reading
  await meanwhile()
  finish()
  return sent
}

async function codeOf(answer: Response) {
  const text = await answer.text()
  return [answer.status, (JSON.parse(text) as { error?: { code: string } }).error?.code]
}

async function pagesOf(owner: Owner) {
  const { id } = (await app.accounts.findByEmail(owner.email))!
  return (await app.rows('pages')).filter(({ account_id }) => account_id === id)
}

describe('what arrives after its sender has lost the right to send it', () => {
  it.each([
    ['revoked', revokeKeys, 'bad_key'],
    ['of a suspended account', suspend, 'account_suspended'],
  ])('makes no page where its key is %s', async (_, end, code) => {
    const owner = await app.owner()
    const headers = { authorization: `Bearer ${owner.key}`, ...JSON_TYPE }
    const body = JSON.stringify(PAGE)
    const answer = await sendSlowly('/api/v1/pages', { headers, body }, () => end(owner))
    expect((await codeOf(answer))[1]).toBe(code)
    expect(await pagesOf(owner)).toEqual([])
  })

  it('publishes nothing where its key is revoked, also without a byte', async () => {
    const owner = await app.owner()
    const page = await owner.publish('<p>Draft', { publish: false })
    const headers = { authorization: `Bearer ${owner.key}` }
    const path = `/api/v1/pages/${page.id}/publish`
    const answer = await sendSlowly(path, { headers, body: '' }, () => revokeKeys(owner))
    expect(await codeOf(answer)).toEqual([401, 'bad_key'])
    expect((await pagesOf(owner))[0]!.published_id).toBeNull()
  })

  it('calls no tool where its key is revoked', async () => {
    const owner = await app.owner()
    const authorization = `Bearer ${owner.key}`
    const accept = 'application/json, text/event-stream'
    const params = { name: 'publish_page', arguments: PAGE }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const init = { headers: { authorization, accept, ...JSON_TYPE }, body }
    const made = await app.mcp({ ...init, method: 'POST' })
    expect(await made.text()).not.toContain('"isError":true')
    expect(await pagesOf(owner)).toHaveLength(1)
    const answer = await sendSlowly('/mcp', init, () => revokeKeys(owner))
    expect(answer.status).toBe(401)
    expect(await pagesOf(owner)).toHaveLength(1)
  })

  it('makes no key where its session has ended', async () => {
    const owner = await app.owner()
    const { cookie } = await sessionOf(app, owner.email)
    const headers = { cookie, origin: BASE_URL, [APP_HEADER]: '1', ...JSON_TYPE }
    const init = { headers, body: JSON.stringify({ name: 'Late' }) }
    const answer = await sendSlowly('/app/api/keys', init, () => endSessions(owner))
    expect(await codeOf(answer)).toEqual([401, 'signed_out'])
    expect(await app.accounts.listKeys(owner.email)).toHaveLength(1)
  })

  it('makes no key where its session is no longer recent', async () => {
    const owner = await app.owner()
    const { cookie } = await sessionOf(app, owner.email)
    const headers = { cookie, origin: BASE_URL, [APP_HEADER]: '1', ...JSON_TYPE }
    const init = { headers, body: JSON.stringify({ name: 'Late' }) }
    const anHour = async () => app.advance(61 * 60_000)
    const answer = await sendSlowly('/app/api/keys', init, anHour)
    expect(await codeOf(answer)).toEqual([403, 'sign_in_again'])
  })

  it.each([
    ['with a key that was revoked', revokeKeys, 401],
    ['of a suspended account', suspend, 403],
  ])('stores no upload %s', async (_, end, status) => {
    const owner = await app.owner()
    const headers = { authorization: `Bearer ${owner.key}` }
    const answer = await sendSlowly('/api/v1/uploads', { headers, body: 'Late' }, () => end(owner))
    expect(answer.status).toBe(status)
    expect(await app.rows('uploads')).toEqual([])
  })

  it.each([
    ['suspended', suspend, 'account_suspended'],
    ['deleted', deleteAccount, 'upload_link_gone'],
  ])('stores no upload by a link of an account that was %s', async (_, end, code) => {
    const owner = await app.owner()
    const { url } = await owner.ask<{ url: string }>('POST', '/uploads/links')
    const path = url.slice(BASE_URL.length)
    const answer = await sendSlowly(path, { method: 'PUT', body: 'Late' }, () => end(owner))
    expect((await codeOf(answer))[1]).toBe(code)
    expect(await app.rows('uploads')).toEqual([])
  })

  it.each([
    ['made', 'POST', () => '/pages'],
    ['changed', 'PATCH', (id: string) => `/pages/${id}`],
  ])('is fetched for no page that is %s with a key that was revoked', async (_, method, pathOf) => {
    const owner = await app.owner()
    const page = await owner.publish('<p>Early')
    const before = await pagesOf(owner)
    const html_url = `https://slow.example/${page.id}`
    const bytes = new TextEncoder().encode('<p>Late')
    const meanwhile = () => revokeKeys(owner)
    app.fetched.set(html_url, { bytes, contentType: 'text/html', meanwhile })
    const { status, body } = await owner.refused(method, pathOf(page.id), { html_url })
    expect([status, body.error.code]).toEqual([401, 'bad_key'])
    expect(await pagesOf(owner)).toEqual(before)
  })

  it('connects no app where its session has ended', async () => {
    const owner = await app.owner()
    const bytes = new TextEncoder().encode(JSON.stringify(METADATA))
    app.fetched.set(APP, { bytes, contentType: 'application/json' })
    const browser = createBrowser(app)
    const { cookie } = await sessionOf(app, owner.email)
    browser.jar.set('handbill_session', cookie.split('=')[1]!)
    const consent = await browser.get(createOAuthApp(app).path())
    const [form] = formsIn(await consent.text())
    const body = new URLSearchParams({ ...form!.fields, decision: 'allow' }).toString()
    const headers = {
      origin: BASE_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [...browser.jar].map((pair) => pair.join('=')).join('; '),
    }
    const answer = await sendSlowly(form!.action, { headers, body }, () => endSessions(owner))
    expect(answer.headers.get('location')).not.toStartWith(CALLBACK)
    expect(answer.headers.get('location')).toStartWith('/app/sign-in')
  })
})

describe('a gate’s form that arrives after the page was closed', () => {
  const ANN = 'ann@example.com'

  async function sendForm(settings: object, typed: Record<string, string>, nth: number) {
    const owner = await app.owner()
    const page = await owner.publish('<p>Text', settings)
    const browser = createBrowser(app)
    const gate = await browser.get(`/p/${page.slug}`)
    const { action, fields } = formsIn(await gate.text())[nth]!
    const body = new URLSearchParams({ ...fields, ...typed }).toString()
    const headers = {
      origin: BASE_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [...browser.jar].map((pair) => pair.join('=')).join('; '),
    }
    const send = (meanwhile: () => Promise<unknown>) =>
      sendSlowly(action, { headers, body }, meanwhile)
    return { owner, page, send }
  }

  it('accepts no agreement', async () => {
    const form = await sendForm({ agreement: { text: 'Tell nobody.' } }, { name: 'Ann' }, 0)
    const { owner, page, send } = form
    const answer = await send(() => owner.update(page.id, { access: 'private' }))
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await app.rows('agreement_acceptances')).toEqual([])
  })

  it('accepts the version of the agreement that the page has by then', async () => {
    const form = await sendForm({ agreement: { text: 'Tell nobody.' } }, { name: 'Ann' }, 0)
    const { owner, page, send } = form
    const answer = await send(() => owner.update(page.id, { agreement: { text: 'Tell Bob.' } }))
    expect(await answer.text()).toContain('The owner has changed this meanwhile')
    expect(await app.rows('agreement_acceptances')).toEqual([])
  })

  it('mails nobody for a suspended account', async () => {
    const form = await sendForm({ access: 'email_gate' }, { email: ANN }, 0)
    expect((await form.send(() => suspend(form.owner))).status).toBe(410)
    expect(app.mails.filter(({ to }) => to === ANN)).toEqual([])
  })

  it('mails nobody who was removed', async () => {
    const form = await sendForm({ access: 'people', allowed_emails: [ANN] }, { email: ANN }, 0)
    const { owner, page } = form
    await form.send(() => owner.update(page.id, { allowed_emails: ['bob@example.com'] }))
    expect(app.mails.filter(({ to }) => to === ANN)).toEqual([])
  })

  it('takes no request where requests are off', async () => {
    const people = { access: 'people', allowed_emails: [ANN], allow_access_requests: true }
    const { owner, page, send } = await sendForm(people, { email: 'bob@example.com' }, 1)
    await send(() => owner.update(page.id, { allow_access_requests: false }))
    expect(await app.rows('access_requests')).toEqual([])
  })
})
