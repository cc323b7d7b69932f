import { afterAll, expect, test } from 'bun:test'
import { type Account, email, expectFailure, json, type Key, own, run } from './admin-commands.ts'
import { appOf } from './app-session.ts'
import { dataOf, ownerOf, type Page, send, visitor } from './client.ts'
import { expectRefusal } from './expect.ts'
import { person } from './gates/person.ts'
import { pathIn } from './gates/setup.ts'
import { html, isoIn } from './material.ts'
import { command, newKey, server, serverLog } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

own(
  'key create prints a new key that works at once, once',
  async () => {
    const address = email()
    await json('account', 'add', address)
    const made = await json<Key>('key', 'create', address, '--name', 'Laptop')
    expect(made.key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
    expect(made.id).toMatch(/^key_[0-9A-Za-z]+$/)
    const owner = ownerOf(made.key)
    expect((await owner.publish({ html: html('x') })).is_published).toBe(true)
    const listed = await run('key', 'list', address, '--json')
    expect(listed.stdout).toContain(made.id)
    expect(listed.stdout).toContain('Laptop')
    expect(listed.stdout).not.toContain(made.key)
    expectFailure(await run('key', 'create', email()), 4)
  },
  20_000,
)

own(
  'key create --scopes --pages --expires makes a key that does nothing else',
  async () => {
    const address = email()
    await json('account', 'add', address)
    const owner = ownerOf((await json<Key>('key', 'create', address)).key)
    const page = dataOf<{ id: string }>(await owner.call('POST', '/pages', { html: '<p>x' }), 201)
    const end = '2099-01-01T00:00:00Z'
    const limits = ['--scopes', 'pages:read', '--pages', page.id, '--expires', end]
    const limited = ownerOf((await json<Key>('key', 'create', address, ...limits)).key)
    dataOf(await limited.call('GET', `/pages/${page.id}`))
    const change = { title: 'Other' }
    expectRefusal(await limited.call('PATCH', `/pages/${page.id}`, change), 403, 'scope_missing')
    expectRefusal(await limited.call('GET', '/feedback'), 403, 'scope_missing')
    const listed = (await run('key', 'list', address)).stdout
    expect(listed).toContain('pages:read, 1 page')
    expect(listed).toContain('until 2099-01-01')
    expectFailure(await run('key', 'create', address, '--pages', 'pg_none'), 4)
    const refused = await run('key', 'create', address, '--scopes', 'pages:read,all')
    expectFailure(refused, 2)
    expect(refused.stderr).toContain('--scopes takes pages:read, pages:write, feedback:read.')
    expectFailure(await run('key', 'create', address, '--expires', 'soon'), 2)
    expectFailure(await run('key', 'list', address, '--scopes', 'pages:read'), 2)
  },
  20_000,
)

own(
  'key revoke disables a key at once',
  async () => {
    const address = email()
    await json('account', 'add', address)
    const first = await json<Key>('key', 'create', address)
    const second = await json<Key>('key', 'create', address)
    expect((await ownerOf(first.key).call('GET', '/pages')).status).toBe(200)
    expect((await run('key', 'revoke', first.id)).code).toBe(0)
    const refused = await ownerOf(first.key).call('GET', '/pages')
    expectRefusal(refused, 401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
    expect((await ownerOf(second.key).call('GET', '/pages')).status).toBe(200)
    expectFailure(await run('key', 'revoke', 'key_nothing'), 4)
  },
  20_000,
)

own(
  'account suspend serves nothing of an account at once, though it is in memory; --off undoes it',
  async () => {
    const address = email()
    const { id } = await json<Account>('account', 'add', address)
    const owner = ownerOf((await json<Key>('key', 'create', address)).key)
    const page = await owner.publish({ html: html('words of the page') })
    const statuses = async () => {
      // Every process that serves has the page in memory.
      const views = Array.from({ length: 12 }, () => visitor.open(page.slug))
      return [...new Set((await Promise.all(views)).map(({ status }) => status))]
    }
    expect(await statuses()).toEqual([200])
    const { code, stdout, stderr } = await run('account', 'suspend', address)
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${address} is suspended`)])
    expect(stderr).toContain('an account was suspended')
    expect([stderr.includes(id), stderr.includes(address)]).toEqual([true, false])
    expect(await statuses()).toEqual([410])
    expect((await visitor.open(page.slug)).text).not.toContain('words of the page')
    expectRefusal(await owner.call('GET', '/pages'), 403, 'account_suspended')
    const accounts = await json<object[]>('account', 'list')
    expect(accounts.find((each) => Object.values(each).includes(id))).toMatchObject({
      suspended_at: expect.any(String),
    })
    expect((await run('account', 'list')).stdout).toMatch(/suspended/)

    expect(await json<object>('account', 'suspend', address, '--off')).toMatchObject({
      suspended_at: null,
    })
    expect(await statuses()).toEqual([200])
    expect((await owner.call('GET', '/pages')).status).toBe(200)
    expectFailure(await run('account', 'suspend', email()), 4)
    expect((await run('account', 'suspend')).code).toBe(2)
  },
  20_000,
)

own(
  'account forget deletes the links of a person, while the server runs, and says what stays',
  async () => {
    const address = email()
    await json('account', 'add', address)
    const owner = ownerOf((await json<Key>('key', 'create', address)).key)
    const page = await owner.publish({ html: html('words') })
    const [ann, ben] = [email(), email()]
    for (const each of [ann, ben]) {
      await owner.call('POST', `/pages/${page.id}/links`, { label: 'A person', email: each })
    }
    const { code, stdout, stderr } = await run('account', 'forget', ann.toUpperCase())
    expect([code, stdout]).toEqual([0, expect.stringContaining(`1 link for ${ann}`)])
    expect(stderr).toMatch(/approvals, agreements.*backups/s)
    expect(stderr).not.toContain('It has an account')
    const { text } = await owner.call('GET', `/pages/${page.id}/links`)
    expect([text.includes(ann), text.includes(ben)]).toEqual([false, true])
    const own = await run('account', 'forget', address)
    expect(own.stderr).toContain('It has an account here')
    expectFailure(await run('account', 'forget', 'nobody'), 2)
  },
  20_000,
)

own(
  'account sign-in prints a link that signs in, once, for ten minutes',
  async () => {
    const address = email()
    await json('account', 'add', address)
    const { code, stdout, stderr } = await run('account', 'sign-in', address)
    const url = stdout.trim()
    expect([code, url]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${server.url}/app/confirm/[\\w-]{43}$`)),
    ])
    expect(stderr).toContain(`It signs in to ${address}, once, within ten minutes.`)
    expect(serverLog()).not.toContain(pathIn(url))

    const who = person()
    await who.head(pathIn(url))
    const answer = await who.open(pathIn(url))
    expect(answer.text).toContain(`as ${address}`)
    const done = await who.submit(answer)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
    expect(dataOf<Account>(await appOf(who)('GET', '/account')).email).toBe(address)
    const other = person()
    await Bun.sleep(10)
    expect((await other.open(pathIn(url))).status).toBe(410)

    const made = await json<{ url: string; expires_at: string }>('account', 'sign-in', address)
    const leftMs = Date.parse(made.expires_at) - Date.now()
    expect(leftMs).toBeGreaterThan(9 * 60_000)
    expect(leftMs).toBeLessThanOrEqual(10 * 60_000)
    await json('account', 'suspend', address)
    const suspended = await other.submit(await other.open(pathIn(made.url)))
    expect([suspended.status, suspended.headers.getSetCookie().join()]).toEqual([
      403,
      expect.not.stringContaining('session='),
    ])
    const refused = await run('account', 'sign-in', address)
    expectFailure(refused, 1)
    expect(refused.stderr).toContain('is suspended')
    const nobody = email()
    const unknown = await run('account', 'sign-in', nobody)
    expectFailure(unknown, 4)
    expect(unknown.stderr).toContain(`There is no account ${nobody}.`)
    expect((await run('account', 'sign-in')).code).toBe(2)
  },
  20_000,
)

own(
  'a change of plan takes effect at once, and settings already made stay',
  async () => {
    const address = email()
    await json('account', 'add', address, '--plan', 'pro')
    const owner = ownerOf((await json<Key>('key', 'create', address)).key)
    const page = await owner.publish({ html: html('x'), max_views: 1, expires_at: isoIn(3600_000) })
    await json('account', 'plan', address, 'free')
    expectRefusal(await owner.create({ html: html('x'), max_views: 1 }), 402, 'plan_required')
    expect((await owner.page(page.id)).max_views).toBe(1)
    expect((await visitor.open(page.slug)).status).toBe(200)
    expect((await visitor.open(page.slug)).status, 'the limit stays').toBe(410)
    await json('account', 'plan', address, 'pro')
    expect((await owner.create({ html: html('x'), max_views: 1 })).status).toBe(201)
  },
  20_000,
)

test('an invalid setting prints one line at start that names it', async () => {
  const settings = [
    ['PORT', 'many'],
    ['PORT', '99999'],
    ['BASE_URL', 'not a url'],
    ['DEFAULT_PLAN', 'gold'],
    ['RATE_LIMITS', 'perhaps'],
    ['SECRET_KEY', 'short'],
    ['SIGNUP', 'perhaps'],
    ['HOST', 'no-such-host.invalid'],
    ['HOST', '192.0.2.1'],
  ] as const
  const started = settings.map(async ([name, value]) => {
    const result = await command({ ...freshEnvironment(), [name]: value }, 'serve')
    return { name, value, result }
  })
  for (const { name, value, result } of await Promise.all(started)) {
    expect(result.code, `${name}=${value}`).not.toBe(0)
    expect(result.stderr, `${name}=${value}`).toContain(name)
    expect(result.stderr).not.toMatch(/\n\s+at /)
  }
}, 240_000)

test('SETUP_EMAIL creates the first account and its first key, once', async () => {
  const address = email()
  const env: Record<string, string> = { ...freshEnvironment(), SETUP_EMAIL: address }
  const first = await start(env)
  const keyIn = (output: string) => /\bsm_[0-9A-Za-z]{40}\b/.exec(output)?.[0]
  while (keyIn(first.output()) === undefined) await Bun.sleep(20)
  const key = keyIn(first.output())
  const answer = await send(`${env.BASE_URL}/api/v1/pages`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.status).toBe(200)
  await first.stop()
  const second = await start(env)
  await Bun.sleep(100)
  await second.stop()
  expect(keyIn(second.output())).toBeUndefined()
  const { stdout } = await command(env, 'account', 'list', '--json')
  expect((JSON.parse(stdout) as Account[]).map((each) => each.email)).toEqual([address])
}, 240_000)

test('kill -9 loses no page, no version and no view that was answered', async () => {
  const env = freshEnvironment()
  const key = await newKey(env, 'pro')
  const base = env.BASE_URL!
  const asOwner = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const first = await start(env)
  const created = await send(`${base}/api/v1/pages`, {
    method: 'POST',
    headers: asOwner,
    body: JSON.stringify({ html: html('kept'), max_views: 40 }),
  })
  const page = dataOf<Page>(created, 201)
  const opens = Array.from({ length: 30 }, () => send(`${base}/p/${page.slug}`))
  await Promise.all(opens)
  await first.kill()
  const second = await start(env)
  const again = await send(`${base}/api/v1/pages/${page.id}`, { headers: asOwner })
  expect(dataOf<Page>(again)).toMatchObject({ views: 30, max_views: 40 })
  const rest = Array.from({ length: 20 }, () => send(`${base}/p/${page.slug}`))
  const served = (await Promise.all(rest)).filter(({ status }) => status === 200)
  expect(served).toHaveLength(10)
  expect(await second.stop()).toBe(0)
}, 240_000)

test('the first commands on a fresh data folder can run at the same time', async () => {
  const env = freshEnvironment()
  const addresses = Array.from({ length: 6 }, email)
  const results = await Promise.all(
    addresses.map((address) => command(env, 'account', 'add', address, '--json')),
  )
  for (const { code, stderr } of results) expect(code, stderr).toBe(0)
  const { stdout } = await command(env, 'account', 'list', '--json')
  const listed = (JSON.parse(stdout) as Account[]).map((account) => account.email)
  expect(listed.sort()).toEqual(addresses.sort())
}, 240_000)
