/** Keys, sessions and the account itself: operations of the app. */
import { expect } from 'bun:test'
import { appOf } from './app-session.ts'
import { dataOf, ownerOf, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { newEmail, newOwner, own, signedIn } from './gates/setup.ts'
import { html } from './material.ts'
import { command, ownServer } from './server.ts'

interface Key {
  id: string
  name: string
  hint: string
  key?: string
}

own('a key is made in the app, shown once, used and revoked', async () => {
  const by = await newOwner()
  const app = appOf(await signedIn(by.email))
  const answer = await app('POST', '/keys', { name: 'laptop' })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const made = dataOf<Key>(answer, 201)
  expect(made.key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
  const program = ownerOf(made.key!)
  const page = await program.publish({ html: html('x') })
  expect((await by.page(page.id)).id).toBe(page.id)
  const list = await app('GET', '/keys')
  expect(dataOf<Key[]>(list).find(({ id }) => id === made.id)?.name).toBe('laptop')
  expect(list.text).not.toContain(made.key!)
  expect((await app('DELETE', `/keys/${made.id}`)).status).toBe(204)
  expectRefusal(await program.call('GET', '/account'), 401, 'bad_key')
  expect((await app('GET', '/keys')).text).not.toContain(made.id)
})

own('an API key makes no key, ends no session and changes no account', async () => {
  const by = await newOwner()
  const app = appOf(await signedIn(by.email))
  const [key] = dataOf<Key[]>(await app('GET', '/keys'))
  const attempts = [
    ['GET', '/keys'],
    ['POST', '/keys', { name: 'for ever' }],
    ['DELETE', `/keys/${key!.id}`],
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['DELETE', '/sessions/current'],
    ['PATCH', '/account', { name: 'x' }],
  ] as const
  for (const [method, path, body] of attempts) {
    expectRefusal(await by.call(method, path, body), 403, 'session_only')
  }
  expect(dataOf<Key[]>(await app('GET', '/keys'))).toHaveLength(1)
})

own('the document has the operations of a session, with their own server and scheme', async () => {
  const { json } = await send('/openapi.json')
  const { paths, components } = json as {
    paths: Record<string, Record<string, { security?: object[]; servers?: { url: string }[] }>>
    components: { securitySchemes: Record<string, object> }
  }
  expect(Object.keys(components.securitySchemes)).toEqual(['key', 'oauth', 'session'])
  for (const [path, method] of [
    ['/keys', 'get'],
    ['/keys', 'post'],
    ['/keys/{key_id}', 'delete'],
    ['/sessions', 'get'],
    ['/sessions', 'delete'],
    ['/sessions/{session_id}', 'delete'],
    ['/account', 'patch'],
  ] as const) {
    const { security, servers } = paths[path]![method]!
    expect([path, security]).toEqual([path, [{ session: [] }]])
    expect(servers![0]!.url).toEndWith('/app/api')
  }
  expect(paths['/account']!.get!.security).toBeUndefined()
  const ofApps = { oauth: ['pages:write'] }
  expect(paths['/pages']!.post!.security).toEqual([{ key: [] }, ofApps])
})

own(
  'signed-in browsers are listed in words, and end one by one or all others at once',
  async () => {
    const by = await newOwner()
    const [first, second, third] = [
      await signedIn(by.email),
      await signedIn(by.email),
      await signedIn(by.email),
    ]
    const app = appOf(first)
    type Sessions = { id: string; browser: string; is_current: boolean }[]
    const listed = dataOf<Sessions>(await app('GET', '/sessions'))
    expect(listed.map(({ is_current: isCurrent }) => isCurrent)).toEqual([true, false, false])
    expect(listed[0]!.browser).toBe('Chrome on Linux')
    const ofSecond = dataOf<Sessions>(await appOf(second)('GET', '/sessions'))[0]!
    expect((await app('DELETE', `/sessions/${ofSecond.id}`)).status).toBe(204)
    expectRefusal(await appOf(second)('GET', '/account'), 401, 'signed_out')
    expect(dataOf(await app('DELETE', '/sessions'))).toEqual({ ended: 1 })
    expectRefusal(await appOf(third)('GET', '/account'), 401, 'signed_out')
    expect((await app('DELETE', '/sessions/current')).status).toBe(204)
    expectRefusal(await app('GET', '/sessions'), 401, 'signed_out')
  },
)

own(
  'the account has its plan, limits and use, and a switch for all mails of its pages',
  async () => {
    const by = await newOwner()
    await by.publish({ html: html('x') })
    const app = appOf(await signedIn(by.email))
    const account = dataOf<Record<string, unknown>>(await app('GET', '/account'))
    expect(account).toMatchObject({ email: by.email, plan: 'pro', name: null, page_mails: true })
    expect(account.usage).toMatchObject({ pages: 1, published_pages: 1, responses: 0 })
    expect((account.usage as { stored_bytes: number }).stored_bytes).toBe(html('x').length)
    const changed = await app('PATCH', '/account', { name: 'Ada', page_mails: false })
    expect(dataOf(changed)).toMatchObject({ name: 'Ada', page_mails: false })
    expectRefusal(await app('PATCH', '/account', { plan: 'team' }), 400, 'unknown_parameter')
  },
)

own(
  'an account is deleted with its pages, keys and sessions, once its address is typed',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: html('x') })
    const app = appOf(await signedIn(by.email))
    expectRefusal(await app('POST', '/account/deletion', { email: 'x' }), 400, 'email_mismatch')
    const byKey = await by.call('POST', '/account/deletion', { email: by.email })
    expectRefusal(byKey, 403, 'session_only')
    expect((await send(`/p/${page.slug}`)).status).toBe(200)
    const deleted = await app('POST', '/account/deletion', { email: by.email })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await send(`/p/${page.slug}`)).status).toBe(404)
    expectRefusal(await by.call('GET', '/account'), 401, 'bad_key')
    expectRefusal(await app('GET', '/account'), 401, 'signed_out')
    const { stdout } = await command(ownServer().env, 'account', 'list', '--json')
    expect(stdout).not.toContain(by.email)
  },
)

own('a guest signs itself out, and has no keys', async () => {
  const by = await newOwner()
  const email = newEmail('guest')
  const invited = { access: 'people', allowed_emails: [email], require_signin: true }
  await by.publish({ html: html('x'), ...invited })
  const app = appOf(await signedIn(email))
  expect(dataOf(await app('GET', '/account'))).toMatchObject({ email, is_guest: true })
  expectRefusal(await app('POST', '/keys', { name: 'x' }), 403, 'guest_session')
  expect((await app('DELETE', '/sessions/current')).status).toBe(204)
})
