import { expect, test } from 'bun:test'
import { free, pro, type Sent, send } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { html, word } from './material.ts'
import { server } from './server.ts'

const endpoints: [string, string, unknown?][] = [
  ['POST', '/pages', { html: '<p>x</p>' }],
  ['GET', '/pages'],
  ['GET', '/pages/pg_x'],
  ['PATCH', '/pages/pg_x', { title: 'x' }],
  ['DELETE', '/pages/pg_x'],
  ['GET', '/pages/pg_x/html'],
  ['PATCH', '/pages/pg_x/html', { edits: [{ find: 'a', replace: 'b' }] }],
  ['POST', '/pages/pg_x/publish'],
  ['DELETE', '/pages/pg_x/publish'],
  ['GET', '/pages/pg_x/versions'],
  ['GET', '/pages/pg_x/versions/1'],
  ['POST', '/pages/pg_x/versions/1/restore', {}],
  ['PATCH', '/pages/pg_x/versions/1', { label: 'x' }],
]

function ask(method: string, path: string, body: unknown, headers: Sent) {
  const json: Sent = body === undefined ? {} : { 'content-type': 'application/json' }
  return send(`/api/v1${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

test('every endpoint without a key is 401 with WWW-Authenticate', async () => {
  await everyCase(
    endpoints.map((endpoint) => [`${endpoint[0]} ${endpoint[1]}`, endpoint] as const),
    async ([method, path, body]) => {
      const answer = await ask(method, path, body, {})
      expectRefusal(answer, 401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
    },
  )
  const upload = await send('/api/v1/uploads', { method: 'POST', body: 'x' })
  expectRefusal(upload, 401)
})

test('a malformed, unknown or altered key is 401 on every endpoint', async () => {
  const last = pro.key.at(-1)!
  const altered = pro.key.slice(0, -1) + (last === 'a' ? 'b' : 'a')
  const swapped = `sm_${[...pro.key.slice(3)].reverse().join('')}`
  await everyCase(
    [
      ['empty', ''],
      ['only the scheme', 'Bearer'],
      ['no token', 'Bearer '],
      ['no scheme', pro.key],
      ['Basic', `Basic ${btoa(`x:${pro.key}`)}`],
      ['another scheme', `Token ${pro.key}`],
      ['another prefix', `Bearer sk_${pro.key.slice(3)}`],
      ['too short', `Bearer ${pro.key.slice(0, -1)}`],
      ['too long', `Bearer ${pro.key}a`],
      ['two keys', `Bearer ${pro.key} ${pro.key}`],
      ['unknown', `Bearer sm_${'A'.repeat(40)}`],
      ['altered', `Bearer ${altered}`],
      ['swapped', `Bearer ${swapped}`],
    ],
    async (authorization) => {
      for (const [method, path, body] of endpoints) {
        const answer = await ask(method, path, body, { authorization: authorization as string })
        const isBearer = /^Bearer +\S+ *$/.test(authorization as string)
        expectRefusal(answer, 401, isBearer ? 'bad_key' : 'missing_key')
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
        expect(answer.text).not.toContain(pro.key.slice(0, 20))
      }
    },
  )
})

test('a key in the query, a cookie or the body is ignored', async () => {
  const path = '/api/v1/pages'
  expectRefusal(await send(`${path}?api_key=${pro.key}&access_token=${pro.key}`), 401)
  for (const name of ['api_key', 'session', 'authorization', 'handbill']) {
    expectRefusal(await send(path, { headers: { cookie: `${name}=${pro.key}` } }), 401)
  }
  expectRefusal(await send(path, { headers: { 'x-api-key': pro.key } }), 401)
})

test('without a key nothing is created', async () => {
  const title = word('Nobody')
  expectRefusal(await ask('POST', '/pages', { html: html('x'), title }, {}), 401)
  expect((await pro.everyPage()).filter((page) => page.title === title)).toEqual([])
})

test('a wrong key is reported before an invalid body or an unknown page', async () => {
  const headers = { authorization: 'Bearer sm_wrong', 'content-type': 'application/json' }
  const body = '{"html": '
  expectRefusal(await send('/api/v1/pages', { method: 'POST', headers, body }), 401)
  expectRefusal(await send('/api/v1/pages/pg_nothing', { headers }), 401)
})

test.skipIf(!server.own)('a key is sm_ with 40 characters', async () => {
  for (const owner of [pro, free]) expect(owner.key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
})

test('a key acts as the account: it lists, updates and deletes its pages', async () => {
  const page = await pro.publish({ html: html('x') })
  expect((await pro.everyPage()).map(({ id }) => id)).toContain(page.id)
  expect((await pro.update(page.id, { access: 'private' })).access).toBe('private')
  expect((await pro.remove(page.id)).status).toBe(204)
})

test('a key does not open a page for its visitors', async () => {
  const words = word('private')
  const page = await pro.publish({ html: html(words), access: 'private' })
  const answer = await send(`/p/${page.slug}`, {
    headers: { authorization: `Bearer ${free.key}` },
  })
  expect(answer.status).toBe(403)
  expect(answer.text).not.toContain(words)
})
