/** A server whose PostgreSQL refuses connections, hangs, and comes back. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type FreshDatabase, freshDatabase } from '../src/testing/postgres.ts'
import { startTcpProxy } from '../src/testing/tcp-proxy.ts'
import { dataOf, type Owner, ownerOf, type Page, send } from './client.ts'
import { html } from './material.ts'
import { agent } from './mcp-client.ts'
import { credentialsIn, FORM, submission } from './responses/viewer.ts'
import { command, handbill, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const SLOW = 240_000
const CONTENT = 'words of the page'

let fresh: FreshDatabase
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
let env: Record<string, string>
let running: Awaited<ReturnType<typeof start>>
let key = ''
let call: Owner['call']
let page: Page
let form: Page
let limited: Page
beforeAll(async () => {
  fresh = await freshDatabase()
  const url = new URL(fresh.url)
  proxy = await startTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  env = { ...freshEnvironment(), DATABASE_URL: url.href }
  running = await start(env)
  key = await newKey(env, 'pro')
  call = ownerOf(key, env.BASE_URL).call
  page = dataOf<Page>(await call('POST', '/pages', { html: html(CONTENT) }), 201)
  form = dataOf<Page>(await call('POST', '/pages', { html: FORM }), 201)
  limited = dataOf<Page>(await call('POST', '/pages', { html: html(CONTENT), max_views: 5 }), 201)
}, SLOW)
afterAll(async () => {
  await cleanUp()
  await proxy[Symbol.asyncDispose]()
  await fresh.drop()
})

const open = (slug: string) => send(`${env.BASE_URL}/p/${slug}`)
const readyStatus = async () => (await send(`${env.BASE_URL}/readyz`)).status

/** Asks until the answer has the status, for ten seconds at most. */
async function until(ask: () => Promise<{ status: number }>, status: number): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await Bun.sleep(50)) {
    if ((await ask()).status === status) return
  }
  expect((await ask()).status).toBe(status)
}

const outages: [name: string, begin: () => Promise<void>][] = [
  ['refuses connections', () => proxy.refuse()],
  ['hangs', async () => proxy.hang()],
]
for (const [at, [name, begin]] of outages.entries()) {
  test(
    `while the database ${name}, everything answers 503 soon and says so, and works again after`,
    async () => {
      const credentials = credentialsIn(await open(form.slug))
      await open(limited.slug)
      const viewsBefore = (await views(limited)) + (await views(page))
      await begin()
      const began = Date.now()
      const answers = await Promise.all([
        open(limited.slug),
        call('GET', '/pages'),
        call('POST', '/pages', { html: html('lost') }),
        send(`${env.BASE_URL}/~/responses`, {
          method: 'POST',
          body: JSON.stringify({ ...submission({ n: 1 }), ...credentials }),
        }),
      ])
      // A server that hangs is given up after five seconds; this machine may be busy.
      expect(Date.now() - began).toBeLessThan(15_000)
      for (const { status, headers, text } of answers) {
        expect(status, text).toBe(503)
        expect(headers.get('retry-after')).toBe('5')
        expect(headers.get('cache-control')).toContain('no-store')
        expect(text).not.toContain(CONTENT)
        expect(text).not.toMatch(/postgres|ERR_|connection/i)
      }
      expect(answers[0]!.text).toContain('This page cannot be shown right now')
      for (const { text } of answers.slice(1)) {
        expect(JSON.parse(text).error.code).toBe('database_down')
      }
      await until(() => open(page.slug), 503)
      await untilSaid('the database is down', at + 1)
      expect(await readyStatus()).toBe(503)
      expect((await send(`${env.BASE_URL}/healthz`)).status).toBe(200)
      const later = Date.now()
      expect((await call('GET', '/pages')).status).toBe(503)
      expect(Date.now() - later).toBeLessThan(3_000)
      await expect(agent('http', { url: env.BASE_URL!, key })).rejects.toThrow('database_down')

      await proxy.resume()
      await until(() => open(page.slug), 200)
      expect(await readyStatus()).toBe(200)
      expect(await views(limited)).toBeLessThanOrEqual(5)
      expect((await views(limited)) + (await views(page))).toBeGreaterThan(viewsBefore)
      const { data } = JSON.parse((await call('GET', '/pages')).text) as { data: Page[] }
      expect(data).toHaveLength(3)
    },
    SLOW,
  )
}

async function views({ id }: Page): Promise<number> {
  return dataOf<Page & { views: number }>(await call('GET', `/pages/${id}`)).views
}

/** Waits until the log has said something so many times. */
async function untilSaid(words: string, times: number): Promise<void> {
  const said = () => running.output().split(words).length - 1
  for (const end = Date.now() + 10_000; said() < times && Date.now() < end; ) await Bun.sleep(50)
  expect(said(), words).toBe(times)
}

test('the log says of each outage once that the database is down, and up again', async () => {
  await untilSaid('the database is down', outages.length)
  await untilSaid('the database is up again', outages.length)
  expect(running.output()).not.toContain(new URL(fresh.url).password)
})

test('a start without its database fails with one line that names the host', async () => {
  const url = new URL(fresh.url)
  url.port = '1'
  const child = Bun.spawn([handbill, 'serve'], {
    env: { ...freshEnvironment(), DATABASE_URL: url.href },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [text, code] = [await new Response(child.stderr).text(), await child.exited]
  expect(code).toBe(1)
  expect(text.trim().split('\n')).toHaveLength(1)
  expect(text).toContain('PostgreSQL at 127.0.0.1:1')
  expect(text).toContain('start it, or correct DATABASE_URL')
  expect(text).not.toContain(url.password)
})

test(
  'commands end that fail after they have opened the database: it is of a newer version',
  async () => {
    const newer = await freshDatabase()
    await using admin = new SQL(newer.url, { max: 1 })
    await admin.unsafe('CREATE TABLE migrations (name text PRIMARY KEY)')
    await admin.unsafe(`INSERT INTO migrations VALUES ('9999-later')`)
    const newerEnv = { ...freshEnvironment(), DATABASE_URL: newer.url }
    for (const words of [['serve'], ['doctor'], ['account', 'list']]) {
      expect(await command(newerEnv, ...words)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'handbill: The database is newer than this program (9999-later): update it.\n',
      })
    }
    const taken = await command({ ...env, DATA_DIR: `${env.DATA_DIR}-2` }, 'serve')
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('is taken: stop what')])
  },
  SLOW,
)
