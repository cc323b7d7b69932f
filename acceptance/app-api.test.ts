/** The operations of the API at `/app/api`, for the session of a signed-in owner. */
import { expect } from 'bun:test'
import { ask, HEADER, OURS, sessionOf } from './app-session.ts'
import { type Answer, type Sent, send } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { newEmail, newOwner, otherOwner, own, owner, signedIn } from './gates/setup.ts'
import { html, word } from './material.ts'
import { server } from './server.ts'

const dataOf = ({ text }: Answer) => JSON.parse(text).data

own('a signed-in owner does with a session what a key does', async () => {
  const by = await newOwner()
  const session = sessionOf(await signedIn(by.email))
  const title = word('title')
  const made = await ask('POST', '/pages', { ...OURS, ...session }, { html: html('x'), title })
  expect(made.status).toBe(201)
  const { id } = dataOf(made)
  const listed = await ask('GET', '/pages', { ...HEADER, ...session })
  expect(dataOf(listed)).toMatchObject([{ id, title }])
  expect(listed.headers.get('cache-control')).toBe('no-store')
  const changed = await ask(
    'PATCH',
    `/pages/${id}`,
    { ...OURS, ...session },
    { title: `${title}2` },
  )
  expect(dataOf(changed).title).toBe(`${title}2`)
  expectRefusal(await ask('GET', '/nothing', { ...HEADER, ...session }), 404, 'unknown_endpoint')
  expectRefusal(await ask('PUT', '/pages', { ...OURS, ...session }), 405, 'method_not_allowed')
  const gone = await ask('DELETE', `/pages/${id}`, { ...OURS, ...session })
  expect([gone.status, gone.text]).toEqual([204, ''])
})

own('nothing but a script of our own pages can use a session there', async () => {
  const by = await owner()
  const page = await by.publish({ html: html('x'), title: word('kept') })
  const session = sessionOf(await signedIn(by.email))
  const { 'x-handbill-request': _, ...noHeader } = OURS
  const cases: [what: string, headers: Sent][] = [
    ['without the header', noHeader],
    ['another value of the header', { ...OURS, 'x-handbill-request': 'yes' }],
    ['a sandboxed page', { ...OURS, origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['an opaque origin that says it is ours', { ...OURS, origin: 'null' }],
    ['another site', { ...OURS, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site, on plain http', { ...HEADER, origin: 'http://evil.example' }],
    ['our origin with another port', { ...HEADER, origin: `${server.url}9` }],
    ['across sites', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['from a subdomain', { ...OURS, 'sec-fetch-site': 'same-site' }],
    ['from the address bar', { ...OURS, 'sec-fetch-site': 'none' }],
  ]
  await everyCase(cases, async (headers) => {
    const all = { ...headers, ...session }
    const read = await ask('GET', `/pages/${page.id}`, all)
    const written = await ask('PATCH', `/pages/${page.id}`, all, { title: word('stolen') })
    for (const answer of [read, written]) {
      expectRefusal(answer, 403, 'foreign_origin')
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.text).not.toContain(page.title ?? page.id)
    }
  })
  const unnamed = await ask('PATCH', `/pages/${page.id}`, { ...HEADER, ...session }, { title: 'x' })
  expectRefusal(unnamed, 403, 'foreign_origin')
  const preflight = await ask('OPTIONS', '/pages', {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-handbill-request',
  })
  expect(preflight.status).toBe(405)
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([])
  expect((await by.page(page.id)).title).toBe(page.title)
})

own(
  'a key, an ended session or a guest gets nothing there, and a session nothing at /api/v1',
  async () => {
    const by = await owner()
    const page = await by.publish({ html: html('x') })
    const who = await signedIn(by.email)
    const session = sessionOf(who)
    const key = { authorization: `Bearer ${by.key}` }
    for (const headers of [key, {}, { cookie: `handbill_session=${'A'.repeat(43)}` }] as Sent[]) {
      expectRefusal(await ask('GET', '/pages', { ...HEADER, ...headers }), 401, 'signed_out')
      const body = { title: word('stolen') }
      const written = await ask('PATCH', `/pages/${page.id}`, { ...OURS, ...headers }, body)
      expectRefusal(written, 401, 'signed_out')
    }
    expectRefusal(
      await send('/api/v1/pages', { headers: { ...OURS, ...session } }),
      401,
      'missing_key',
    )

    expect((await ask('GET', '/pages', { ...HEADER, ...session })).status).toBe(200)
    const ended = await ask('DELETE', '/sessions/current', { ...OURS, ...session })
    expect(ended.status).toBe(204)
    const signedOut = await ask('GET', '/pages', { ...HEADER, ...session })
    expectRefusal(signedOut, 401, 'signed_out')

    const guest = newEmail('guest')
    await by.publish({
      html: html('x'),
      access: 'people',
      allowed_emails: [guest],
      require_signin: true,
    })
    const guestSession = sessionOf(await signedIn(guest))
    expectRefusal(await ask('GET', '/pages', { ...HEADER, ...guestSession }), 403, 'guest_session')
    const made = await ask('POST', '/pages', { ...OURS, ...guestSession }, { html: html('x') })
    expectRefusal(made, 403, 'guest_session')
  },
)

own('a page of another account is not there, with a session too', async () => {
  const [by, other] = [await owner(), await otherOwner()]
  const page = await other.publish({ html: html('x') })
  const session = sessionOf(await signedIn(by.email))
  for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const) {
    const answer = await ask(method, `/pages/${page.id}`, { ...OURS, ...session }, body)
    expectRefusal(answer, 404, 'page_not_found')
  }
  expect((await other.page(page.id)).title).toBe(page.title)
})
