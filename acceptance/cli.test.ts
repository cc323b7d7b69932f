import { afterAll, expect, test } from 'bun:test'
import { isAbsolute } from 'node:path'
import { type Account, email, expectFailure, json, type Key, own, run } from './admin-commands.ts'
import { dataOf, ownerOf, type Page, pro, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { html, isoIn } from './material.ts'
import { command, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

own(
  'account add creates an account, with the given plan',
  async () => {
    const added = ['free', 'pro', 'team'].map(async (plan) => {
      const address = email()
      const account = await json<Account>('account', 'add', address, '--plan', plan)
      expect(account).toMatchObject({ email: address, plan })
      expect(account.id).toMatch(/^[a-z]+_[0-9A-Za-z]+$/)
    })
    await Promise.all(added)
    const plain = await json<Account>('account', 'add', email())
    expect(plain.plan, 'DEFAULT_PLAN').toBe('free')
  },
  20_000,
)

own(
  'account add fails for an address that is taken, and for no plan',
  async () => {
    const address = email()
    await json('account', 'add', address)
    expectFailure(await run('account', 'add', address), 1)
    expect((await run('account', 'add', email(), '--plan', 'gold')).code).not.toBe(0)
  },
  20_000,
)

own(
  'account list lists, and account plan sets the plan',
  async () => {
    const address = email()
    await json('account', 'add', address, '--plan', 'free')
    await json('account', 'plan', address, 'team')
    const accounts = await json<Account[]>('account', 'list')
    expect(accounts.find((each) => each.email === address)?.plan).toBe('team')
    expect(JSON.stringify(accounts)).not.toContain('sm_')
    expectFailure(await run('account', 'plan', email(), 'pro'), 4)
  },
  20_000,
)

own(
  'key create --confirmed-only makes a key that reads feedback of confirmed people, and no list',
  async () => {
    const address = email()
    await json('account', 'add', address)
    const made = await json<Key>('key', 'create', address, '--confirmed-only')
    const limited = ownerOf(made.key)
    expect((await limited.call('GET', '/feedback')).status).toBe(200)
    expectRefusal(await limited.call('GET', '/inbox'), 403, 'scope_missing')
    expect((await run('key', 'list', address)).stdout).toContain('confirmed people')
    expectFailure(await run('key', 'list', address, '--confirmed-only'), 2)
  },
  20_000,
)

own(
  'after a downgrade what is set can be sent again, and nothing more can be enabled',
  async () => {
    const address = email()
    await json('account', 'add', address, '--plan', 'pro')
    const owner = ownerOf((await json<Key>('key', 'create', address)).key)
    const expiresAt = isoIn(3600_000)
    const set = { max_views: 5, expires_at: expiresAt, download_disabled: true }
    const page = await owner.publish({ html: html('x'), ...set })
    await json('account', 'plan', address, 'free')
    expect(await owner.update(page.id, set)).toMatchObject({ max_views: 5 })
    expect(await owner.update(page.id, { ...set, accent: 'red' })).toMatchObject({ accent: 'red' })
    for (const more of [{ max_views: 6 }, { expires_at: isoIn(7200_000) }]) {
      expectRefusal(await owner.patch(page.id, more), 402, 'plan_required')
    }
    await owner.update(page.id, { max_views: null })
    expectRefusal(await owner.patch(page.id, { max_views: 5 }), 402, 'plan_required')
  },
  20_000,
)

own(
  'without --json a command prints text for people',
  async () => {
    const address = email()
    const added = await run('account', 'add', address)
    expect(added.code).toBe(0)
    expect(added.stdout).toContain(address)
    const key = await run('key', 'create', address)
    expect(key.stdout).toMatch(/\bsm_[0-9A-Za-z]{40}\b/)
  },
  20_000,
)

test('--help and --version print to stdout with exit status 0', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' }
  const help = await command(env, '--help')
  expect(help.code).toBe(0)
  for (const name of ['serve', 'account', 'key', 'migrate']) expect(help.stdout).toContain(name)
  for (const args of [
    ['key', 'create', '--help'],
    ['help', 'key', 'create'],
  ]) {
    const { code, stdout } = await command(env, ...args)
    expect(code).toBe(0)
    expect(stdout).toStartWith('handbill key create EMAIL\n  make an API key')
    expect(stdout).toContain('--scopes')
    expect(stdout, 'no other command').not.toContain('handbill publish')
  }
  const account = await command(env, 'account', '--help')
  expect(account.stdout).toMatch(/handbill account suspend EMAIL.+import FILE/s)
  const version = await command(env, '--version')
  expect(version.code).toBe(0)
  expect(version.stdout).toMatch(/\d+\.\d+\.\d+/)
}, 20_000)

test('wrong usage is exit status 2', async () => {
  const env = freshEnvironment()
  const usages = [
    ['nonsense'],
    ['help', 'nonsense'],
    ['account'],
    ['account', 'add'],
    ['account', 'nonsense'],
    ['account', 'plan', 'ann@example.com'],
    ['account', 'add', 'not an address'],
    ['mail', 'test', 'ann@'],
    ['account', 'add', 'ann@example.com', '--colour', 'red'],
    ['key'],
    ['key', 'create'],
    ['key', 'revoke'],
    ['backup', 'nonsense'],
    ['mail', 'test'],
    ['doctor', '--colour'],
    ['serve', 'nonsense'],
    ['serve', '--plan', 'pro'],
  ]
  const results = await Promise.all(usages.map((args) => command(env, ...args)))
  for (const [at, result] of results.entries()) {
    expectFailure(result, 2)
    const [word = ''] = usages[at]!
    const help = ['nonsense', 'help'].includes(word) ? '--help' : `${word} --help`
    expect(result.stderr).toEndWith(`See handbill ${help}.\n`)
  }
}, 20_000)

test('the first start names the data folder and prints a set-up link, a later one does not', async () => {
  const env = freshEnvironment()
  const first = await start(env)
  await Bun.sleep(100)
  expect(await first.stop()).toBe(0)
  expect(isAbsolute(env.DATA_DIR!)).toBe(true)
  expect(first.output()).toContain(env.DATA_DIR!)
  expect(first.output()).toContain(env.BASE_URL!)
  expect(first.output()).toMatch(/https?:\/\/[^\s"]+\/[^\s"]*[0-9A-Za-z_-]{16,}/)
  await newKey(env, 'free')
  const second = await start(env)
  await Bun.sleep(100)
  expect(await second.stop()).toBe(0)
  expect(second.output()).not.toMatch(/set.?up link/i)
}, 30_000)

test('SIGTERM ends the server with status 0, and no answered write is lost', async () => {
  const env = freshEnvironment()
  const key = await newKey(env, 'pro')
  const first = await start(env)
  const asOwner = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const base = env.BASE_URL!
  const created = await send(`${base}/api/v1/pages`, {
    method: 'POST',
    headers: asOwner,
    body: JSON.stringify({ html: html('kept') }),
  })
  const page = dataOf<Page>(created, 201)
  const opens = Array.from({ length: 20 }, () => send(`${base}/p/${page.slug}`))
  for (const answer of await Promise.all(opens)) expect(answer.status).toBe(200)
  expect(await first.stop()).toBe(0)
  const second = await start(env)
  expect((await send(`${base}/p/${page.slug}`)).text).toBe(html('kept'))
  const again = await send(`${base}/api/v1/pages/${page.id}`, { headers: asOwner })
  expect(dataOf<Page>(again).views).toBe(21)
  expect(await second.stop()).toBe(0)
}, 30_000)

test('migrate succeeds on a fresh data folder, and again', async () => {
  const env = freshEnvironment()
  for (let time = 0; time < 2; time += 1) {
    const { code, stderr } = await command(env, 'migrate')
    expect(code, stderr).toBe(0)
  }
}, 20_000)

test('a command says so when it creates a data folder, and not when one exists', async () => {
  const env = freshEnvironment()
  const first = await command(env, 'account', 'add', email())
  expect(first.code, first.stderr).toBe(0)
  expect(first.stderr).toContain(`new, empty data folder: ${env.DATA_DIR}`)
  expect(first.stdout).not.toContain('data folder')
  expect((await command(env, 'account', 'list')).stderr).toBe('')
})

own(
  'admin commands work while the server runs',
  async () => {
    const before = await pro.list('?limit=1')
    await json('account', 'list')
    expect(await pro.list('?limit=1')).toEqual(before)
  },
  20_000,
)
