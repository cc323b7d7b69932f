import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'kysely'
import { type FreshDatabase, freshDatabase } from '../../testing/postgres.ts'
import { startTcpProxy } from '../../testing/tcp-proxy.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { isDatabaseDown } from './errors.ts'
import type { Database } from './index.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { createNotifications } from './postgres-notifications.ts'
import { connect } from './postgres-pools.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
  const database = await openPostgres(fresh.url)
  await migrate(database, testSecrets)
  await database.close()
})
afterAll(() => fresh.drop())

/** A database behind a proxy that can fail, with what was reported of it. */
async function proxied() {
  const proxy = await startTcpProxy(Number(new URL(fresh.url).port))
  const url = new URL(fresh.url)
  url.port = String(proxy.port)
  const reports: string[] = []
  const database = await openPostgres(url.href, {
    onDown: () => reports.push('down'),
    onUp: () => reports.push('up'),
  })
  const notified: string[] = []
  await database.listen(
    'news',
    (payload) => notified.push(payload),
    () => notified.push('lost'),
  )
  async function close() {
    await database.close()
    await proxy[Symbol.asyncDispose]()
  }
  return { proxy, database, reports, notified, [Symbol.asyncDispose]: close }
}

const ask = (database: Database) => sql`SELECT 1`.execute(database.read)
const write = (database: Database) => database.write((tx) => sql`SELECT 1`.execute(tx))
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (err) => err,
  )

test('what waits for a server that hangs is rejected, and what comes later at once', async () => {
  await using made = await proxied()
  const { proxy, database, reports, notified } = made
  proxy.hang()
  const waiting = [
    ask(database),
    write(database),
    database.snapshot((db) => sql`SELECT 1`.execute(db)),
  ]
  for (const failed of await Promise.all(waiting.map(failureOf))) {
    expect(isDatabaseDown(failed)).toBe(true)
  }
  expect(reports).toEqual(['down'])
  expect(database.isListening()).toBe(false)
  for (const failed of await Promise.all([ask(database), write(database)].map(failureOf))) {
    expect(failed.name).toBe('DatabaseDown')
  }
  await proxy.resume()
  expect(await until(() => reports.length === 2)).toBe(true)
  expect(reports).toEqual(['down', 'up'])
  await Promise.all([ask(database), write(database)])
  expect(await until(() => database.isListening())).toBe(true)
  expect(notified).toContain('lost')
}, 240_000)

test('a server is down while it has no tables, as during a restore, and says so once', async () => {
  await using made = await proxied()
  const { database, reports } = made
  const admin = new SQL(fresh.url)
  const read = () => failureOf(sql`SELECT 1 FROM pages`.execute(database.read))
  await admin.unsafe('ALTER SCHEMA public RENAME TO away')
  expect(isDatabaseDown(await read())).toBe(true)
  expect(await until(() => reports.length > 0)).toBe(true)
  expect((await read()).name).toBe('DatabaseDown')
  await admin.unsafe('ALTER SCHEMA away RENAME TO public')
  expect(await until(() => reports.length > 1)).toBe(true)
  expect(reports).toEqual(['down', 'up'])
  expect(await read()).toBeNull()
  await admin.close()
}, 240_000)

test('a command that waits for a server that hangs fails, too', async () => {
  await using proxy = await startTcpProxy(Number(new URL(fresh.url).port))
  const url = new URL(fresh.url)
  url.port = String(proxy.port)
  // A command does not listen.
  const database = await openPostgres(url.href)
  proxy.hang()
  const request = database.snapshot((db) => sql`SELECT 1`.execute(db))
  expect(isDatabaseDown(await failureOf(request))).toBe(true)
  await database.close()
}, 240_000)

test('a server that refuses connections is down until it takes them again', async () => {
  await using made = await proxied()
  const { proxy, database, reports, notified } = made
  const warn = spyOn(console, 'warn')
  await proxy.refuse()
  expect(isDatabaseDown(await failureOf(ask(database)))).toBe(true)
  expect(await until(() => reports.length === 1)).toBe(true)
  expect(isDatabaseDown(await failureOf(write(database)))).toBe(true)
  // Nothing tries to listen meanwhile, which Bun would print each time.
  warn.mockReset()
  await Bun.sleep(3_000)
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
  await proxy.resume()
  expect(await until(() => reports.length === 2)).toBe(true)
  await write(database)
  expect(await until(() => database.isListening())).toBe(true)
  const other = await openPostgres(fresh.url)
  await other.write((tx) => other.notify(tx, 'news', 'after'))
  expect(await until(() => notified.includes('after'))).toBe(true)
  await other.close()
}, 240_000)

test('a connection that listens but receives nothing any more can be replaced', async () => {
  await using made = await proxied()
  const { proxy, database, reports, notified } = made
  expect(database.isListening()).toBe(true)
  proxy.hangThose('LISTEN')
  database.listenAgain()
  expect(database.isListening()).toBe(false)
  expect(await until(() => database.isListening())).toBe(true)
  expect(await until(() => notified.includes('lost'))).toBe(true)
  const other = await openPostgres(fresh.url)
  await other.write((tx) => other.notify(tx, 'news', 'again'))
  expect(await until(() => notified.includes('again'))).toBe(true)
  await other.close()
  expect(reports).toEqual([])
}, 240_000)

test('a new connection to listen on that is refused is tried again', async () => {
  const refused = Object.assign(new URL(fresh.url), { password: 'wrong' }).href
  const urls = [fresh.url, refused]
  const notifications = createNotifications((options) =>
    connect(urls.shift() ?? fresh.url, { max: 1, ...options }),
  )
  const lost: string[] = []
  await notifications.listen(
    'news',
    () => {},
    () => lost.push('lost'),
  )
  const { reconnect } = notifications
  reconnect()
  expect(await until(() => notifications.isConnected())).toBe(true)
  expect(await until(() => lost.length > 0)).toBe(true)
  await notifications.close()
})

test('a transaction whose client receives nothing any more does not keep its locks', async () => {
  await using made = await proxied()
  const { proxy, database } = made
  await database.write((tx) => sql`CREATE TABLE counters AS SELECT 0 AS n`.execute(tx))
  const began = Promise.withResolvers<void>()
  const stuck = failureOf(
    database.write(async (tx) => {
      await sql`UPDATE counters SET n = n + 10 /* stuck */`.execute(tx)
      proxy.hangThose('stuck')
      began.resolve()
      await sql`SELECT 1`.execute(tx)
    }),
  )
  await began.promise
  const add = () => database.write((tx) => sql`UPDATE counters SET n = n + 1`.execute(tx))
  const beganMs = performance.now()
  while ((await failureOf(add())) !== null);
  expect(performance.now() - beganMs).toBeLessThan(20_000)
  expect(isDatabaseDown(await stuck)).toBe(true)
  const { rows } = await sql`SELECT n FROM counters`.execute(database.read)
  expect(rows).toEqual([{ n: 1 }])
}, 240_000)

test('a statement whose answer is lost is given up', async () => {
  await using made = await proxied()
  const { proxy, database, reports } = made
  const beganMs = performance.now()
  const stuck = failureOf(sql`SELECT pg_sleep(1) /* stuck */`.execute(database.read))
  expect(await until(() => proxy.hangThose('stuck') > 0)).toBe(true)
  await ask(database)
  expect(isDatabaseDown(await stuck)).toBe(true)
  expect(performance.now() - beganMs).toBeLessThan(20_000)
  expect(await until(() => reports.length === 2)).toBe(true)
  expect(reports).toEqual(['down', 'up'])
  await Promise.all([ask(database), write(database)])
}, 240_000)

test('an answer that cannot be read is a failure of the connection', async () => {
  await using made = await proxied()
  const { proxy, database } = made
  proxy.answerWrongly('garbage')
  const answers = await Promise.all(Array.from({ length: 40 }, () => failureOf(ask(database))))
  const failures = answers.filter((failed) => failed !== null)
  expect(failures).not.toBeEmpty()
  expect(failures.filter((failed) => !isDatabaseDown(failed))).toEqual([])
}, 240_000)

test('a statement that takes too long is ended, and the server is not down for that', async () => {
  await using made = await proxied()
  const { database, reports } = made
  const { rows } = await sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(
    database.read,
  )
  expect(rows).toEqual([{ statement_timeout: '10s' }])
  const ended = await failureOf(
    database.write(async (tx) => {
      await sql`SET LOCAL statement_timeout = 20`.execute(tx)
      await sql`SELECT pg_sleep(5)`.execute(tx)
    }),
  )
  expect(isDatabaseDown(ended)).toBe(true)
  await ask(database)
  expect(reports).toEqual([])
})

test('a migration takes as long as it needs', async () => {
  const database = await openPostgres(fresh.url)
  const slow = { name: '9000-slow', up: () => ['SELECT pg_sleep(14)'] }
  expect(await migrate(database, testSecrets, [slow])).toEqual(['9000-slow'])
  await database.close()
}, 240_000)

test('a node that is held up itself for long does not call the server down', async () => {
  await using made = await proxied()
  const { database, reports } = made
  const waiting = ask(database)
  Bun.sleepSync(6_000)
  await waiting
  await Bun.sleep(600)
  expect(reports).toEqual([])
}, 240_000)

test('a server that is not there is named by its host, without the password', async () => {
  const proxy = await startTcpProxy(1)
  await proxy.refuse()
  const failed = await failureOf(openPostgres(`postgres://me:secret@127.0.0.1:${proxy.port}/pages`))
  expect(failed.message).toStartWith(`PostgreSQL at 127.0.0.1:${proxy.port}: `)
  expect(failed.message).not.toContain('secret')
})

/** Whether the condition becomes true within 15 s. */
async function until(happened: () => boolean): Promise<boolean> {
  for (let look = 0; look < 1500 && !happened(); look++) await Bun.sleep(10)
  return happened()
}

test('a server that takes no writes is down until it does, and its connections are renewed', async () => {
  await using made = await proxied()
  const { database, reports } = made
  const name = new URL(fresh.url).pathname.slice(1)
  const admin = new SQL(fresh.url, { max: 1 })
  const store = () => database.write((tx) => sql`CREATE TABLE written (n integer)`.execute(tx))
  try {
    await admin.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only TO on`)
    await made.proxy.refuse()
    await made.proxy.resume()
    let failed = await failureOf(store())
    while (failed?.code === 'ERR_POSTGRES_CONNECTION_CLOSED') failed = await failureOf(store())
    expect(String(failed)).toContain('read-only')
    expect(isDatabaseDown(failed)).toBe(true)
    expect(await until(() => reports.length === 1)).toBe(true)
    await expect(openPostgres(fresh.url)).rejects.toThrow('read-only: name the primary')
  } finally {
    await admin.unsafe('SET default_transaction_read_only TO off')
    await admin.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    await admin.close()
  }
  expect(await until(() => reports.length === 2)).toBe(true)
  expect(reports).toEqual(['down', 'up'])
  await store()
}, 240_000)

test('a server that refuses the password is down until it takes it', async () => {
  const admin = new SQL(fresh.url, { max: 1 })
  const setPassword = (text: string) => admin.unsafe(`ALTER ROLE visitor PASSWORD '${text}'`)
  await admin.unsafe(`CREATE ROLE visitor LOGIN PASSWORD 'first'`)
  const url = Object.assign(new URL(fresh.url), { username: 'visitor', password: 'first' })
  const reports: string[] = []
  const database = await openPostgres(url.href, {
    onDown: () => reports.push('down'),
    onUp: () => reports.push('up'),
  })
  try {
    await setPassword('second')
    while (reports.length === 0) {
      // Each time: one that is being opened is not in the list yet.
      await admin.unsafe(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'visitor'`)
      const failed = await failureOf(ask(database))
      expect(failed === null || isDatabaseDown(failed)).toBe(true)
      await Bun.sleep(10)
    }
    await setPassword('first')
    expect(await until(() => reports.length === 2)).toBe(true)
    await ask(database)
  } finally {
    await database.close()
    await admin.unsafe('DROP ROLE visitor')
    await admin.close()
  }
}, 240_000)
