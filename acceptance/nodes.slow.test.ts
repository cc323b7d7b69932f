/** Two servers on one PostgreSQL, as processes of their own. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { type FreshDatabase, freshDatabase } from '../src/testing/postgres.ts'
import { dataOf, ownerOf, type Page, send } from './client.ts'
import { formTo, person } from './gates/person.ts'
import { html } from './material.ts'
import { command, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const SLOW = 240_000
const SECRET_KEY = 'a key that both servers know: 0123456789'

const databases: FreshDatabase[] = []
let nodes: Record<string, string>[] = []
beforeEach(async () => {
  const fresh = await freshDatabase()
  databases.push(fresh)
  nodes = [0, 1].map(() => ({ ...freshEnvironment(), DATABASE_URL: fresh.url, SECRET_KEY }))
})
afterAll(async () => {
  await cleanUp()
  for (const { drop } of databases) await drop()
})

test(
  'two servers that start at the same time on an empty database migrate it once',
  async () => {
    const both = nodes.map((env) => ({ ...env, SETUP_EMAIL: 'ann@example.com' }))
    const running = await Promise.all(both.map((env) => start(env)))
    // They listen before they say so.
    await until(async () => running.every(({ output }) => output().includes('Listening on')))
    const { stdout } = await command(nodes[1]!, 'account', 'list', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ email: 'ann@example.com', is_operator: true }])
    const key = await newKey(nodes[0]!, 'pro')
    const [here, there] = nodes.map(({ BASE_URL }) => BASE_URL!)
    const { call } = ownerOf(key, here)
    const { slug, id } = dataOf<Page>(await call('POST', '/pages', { html: html('words') }), 201)
    const views = Array.from({ length: 20 }, (_, n) => send(`${[here, there][n % 2]}/p/${slug}`))
    for (const { status } of await Promise.all(views)) expect(status).toBe(200)
    await call('DELETE', `/pages/${id}/publish`)
    await until(async () => (await send(`${there}/p/${slug}`)).status === 404)
    await until(
      async () => (dataOf<Page>(await call('GET', `/pages/${id}`), 200).views ?? 0) === 20,
    )
    expect(await Promise.all(running.map(({ stop }) => stop()))).toEqual([0, 0])
    const made = running.filter(({ output }) => output().includes('First account'))
    expect(made).toHaveLength(1)
  },
  SLOW,
)

test(
  'of two accounts that are added at the same time to an empty database, one is the operator',
  async () => {
    const added = await Promise.all(
      nodes.map((env, at) => command(env, 'account', 'add', `${at}@handbill.example`, '--json')),
    )
    expect(added.map(({ code }) => code)).toEqual([0, 0])
    const { stdout } = await command(nodes[0]!, 'account', 'list', '--json')
    const accounts: { is_operator: boolean }[] = JSON.parse(stdout)
    expect(accounts.map((account) => account.is_operator).toSorted()).toEqual([false, true])
  },
  SLOW,
)

test(
  'an account that a command suspends is served by no server, and by both once that is undone',
  async () => {
    await Promise.all(nodes.map((env) => start(env)))
    const email = 'ann@example.com'
    await command(nodes[0]!, 'account', 'add', 'op@example.com')
    await command(nodes[0]!, 'account', 'add', email)
    const { stdout } = await command(nodes[0]!, 'key', 'create', email)
    const [here, there] = nodes.map(({ BASE_URL }) => BASE_URL!)
    const { call } = ownerOf(stdout.trim(), here)
    const { slug } = dataOf<Page>(await call('POST', '/pages', { html: html('words') }), 201)
    const statuses = async () =>
      Promise.all([here, there].map(async (at) => (await send(`${at}/p/${slug}`)).status))
    expect(await statuses()).toEqual([200, 200])
    expect((await command(nodes[1]!, 'account', 'suspend', email)).code).toBe(0)
    await until(async () => (await statuses()).every((status) => status === 410))
    expect((await call('GET', '/pages')).status).toBe(403)
    expect((await command(nodes[0]!, 'account', 'suspend', email, '--off')).code).toBe(0)
    await until(async () => (await statuses()).every((status) => status === 200))
    expect((await call('GET', '/pages')).status).toBe(200)
  },
  SLOW,
)

test(
  'a changed agreement is asked for again at once by the other server',
  async () => {
    await Promise.all(nodes.map((env) => start(env)))
    const key = await newKey(nodes[0]!, 'pro')
    const [here, there] = nodes.map(({ BASE_URL }) => BASE_URL!)
    const { call } = ownerOf(key, here)
    const content = { html: html('inside'), agreement: { text: 'Tell nobody.' } }
    const { id, slug } = dataOf<Page>(await call('POST', '/pages', content), 201)
    const visitor = person(there)
    const accept = async () => {
      const { action, fields } = formTo(await visitor.open(`/p/${slug}`), '/agree')
      await visitor.post(action, { ...fields, name: 'Vic' })
      return (await visitor.open(`/p/${slug}`)).status
    }
    expect(await accept()).toBe(200)
    await call('PATCH', `/pages/${id}`, { agreement: { text: 'Tell Bob.' } })
    const started = performance.now()
    let answer = await visitor.open(`/p/${slug}`)
    while (answer.status !== 403 && performance.now() - started < 1000) {
      answer = await visitor.open(`/p/${slug}`)
    }
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Tell Bob.')])
    expect(answer.text).not.toContain('inside')
    expect(await accept()).toBe(200)
  },
  SLOW,
)

/** Other nodes hear of a change within moments; a busy machine takes longer. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await isSo())) {
    expect(Date.now()).toBeLessThan(end)
    await Bun.sleep(20)
  }
}
