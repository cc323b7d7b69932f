import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'kysely'
import { type FreshDatabase, freshDatabase } from '../../testing/postgres.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { isUniqueViolation } from './errors.ts'
import type { Database, Tx } from './index.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'

let fresh: FreshDatabase
let database: Database
let other: Database
let admin: SQL

beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openPostgres(fresh.url)
  other = await openPostgres(fresh.url)
  admin = new SQL(fresh.url)
  await admin.unsafe(`CREATE TABLE things (
    id text PRIMARY KEY, n integer, big bigint, data bytea, owner text, title text,
    CONSTRAINT one_title UNIQUE (owner, title))`)
})
afterAll(async () => {
  await Promise.all([database.close(), other.close(), admin.close()])
  await fresh.drop()
})
beforeEach(async () => {
  await admin.unsafe('TRUNCATE things')
})

async function add(tx: Tx, id: string, n = 0): Promise<void> {
  await sql`INSERT INTO things (id, n) VALUES (${id}, ${n})`.execute(tx)
}
async function ids(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM things ORDER BY id`.execute(
    database.read,
  )
  return rows.map(({ id }) => id)
}

test('integers of every width, counts and sums are read as numbers, and text as text', async () => {
  await database.write(async (tx) => {
    await sql`INSERT INTO things (id, n, big) VALUES ('7', 1, ${2 ** 40}), ('8', ${3}, NULL)`.execute(
      tx,
    )
  })
  const { rows } = await sql`
    SELECT min(id) AS id, count(*) AS count, sum(n) AS sum, sum(big) AS big, max(n) AS max,
      min(big) FILTER (WHERE n > 5) AS none FROM things`.execute(database.read)
  expect(rows[0]).toEqual({ id: '7', count: 2, sum: 4, big: 2 ** 40, max: 3, none: null })
})

test('a wrong password says to correct the URL, and not to start the server', async () => {
  const { href, host } = Object.assign(new URL(fresh.url), { password: 'wrong' })
  const { message } = await openPostgres(href).catch((err) => err)
  expect(message).toBe(
    `PostgreSQL at ${host}: password authentication failed for user "postgres": ` +
      'correct DATABASE_URL',
  )
})

test('a user who may make no tables is told who must own the database', async () => {
  await database.write((tx) => sql`CREATE ROLE guest LOGIN PASSWORD 'guest'`.execute(tx))
  const url = Object.assign(new URL(fresh.url), { username: 'guest', password: 'guest' })
  const theirs = await openPostgres(url.href)
  const { message } = await migrate(theirs, testSecrets).catch((err) => err)
  await theirs.close()
  expect(message).toBe(
    'PostgreSQL: permission denied for schema public: let the user in DATABASE_URL own the ' +
      'database and its tables',
  )
})

test('bytes of any length are stored unchanged and read as Uint8Array', async () => {
  const whole = new Uint8Array(3_000_000).map((_, at) => (at * 7) % 256)
  for (const data of [whole, whole.subarray(5, 300), new Uint8Array(0), Buffer.from('é\0')]) {
    await database.write(async (tx) => {
      await sql`INSERT INTO things (id, data) VALUES ('bytes', ${data})
        ON CONFLICT (id) DO UPDATE SET data = excluded.data`.execute(tx)
    })
    const { rows } = await sql<{ data: Uint8Array }>`SELECT data FROM things`.execute(database.read)
    expect(rows[0]?.data.constructor).toBe(Uint8Array)
    expect(Buffer.compare(rows[0]!.data, data)).toBe(0)
  }
})

test('a write returns how many rows it changed', async () => {
  await database.write((tx) => add(tx, 'a').then(() => add(tx, 'b')))
  const { numAffectedRows } = await database.write((tx) =>
    sql`UPDATE things SET n = 5 WHERE id <> 'zz'`.execute(tx),
  )
  expect(numAffectedRows).toBe(2n)
})

test('a write that throws changes nothing, and its connection can be used again', async () => {
  const failing = database.write(async (tx) => {
    await add(tx, 'gone')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await database.write((tx) => add(tx, 'next'))
  expect(await ids()).toEqual(['next'])
})

test('a write rejects when one of its statements failed, even if that error was caught', async () => {
  const half = database.write(async (tx) => {
    await add(tx, 'a')
    await add(tx, 'a').catch(() => {})
  })
  expect(await half.catch((err) => String(err))).toContain('Nothing was written')
  expect(await ids()).toEqual([])
})

test('a Tx cannot be used after its transaction', async () => {
  let escaped: Tx | undefined
  await database.write(async (tx) => {
    escaped = tx
  })
  expect(await add(escaped!, 'late').catch(() => 'refused')).toBe('refused')
  expect(await ids()).toEqual([])
})

test('a unique violation is recognized, with its table and columns', async () => {
  const insert = (id: string, title: string) =>
    database
      .write((tx) =>
        sql`INSERT INTO things (id, owner, title) VALUES (${id}, 'me', ${title})`.execute(tx),
      )
      .then(() => null)
      .catch((err) => err)
  await insert('a', 'A, (b)=(c)')
  const byTitle = await insert('b', 'A, (b)=(c)')
  expect(isUniqueViolation(byTitle, 'things.owner')).toBe(true)
  expect(isUniqueViolation(byTitle, 'things.title')).toBe(true)
  expect(isUniqueViolation(byTitle, 'things.id')).toBe(false)
  expect(isUniqueViolation(await insert('a', 'B'), 'things.id')).toBe(true)
  expect(isUniqueViolation(await insert('c', 'nul \0'))).toBe(false)
  expect(isUniqueViolation(undefined)).toBe(false)
})

test('writes that deadlock are run again', async () => {
  await database.write((tx) => add(tx, 'a').then(() => add(tx, 'b')))
  let runs = 0
  const bothHoldOne = Promise.withResolvers<void>()
  const both = (first: string, second: string) =>
    database.write(async (tx) => {
      await sql`UPDATE things SET n = n + 1 WHERE id = ${first}`.execute(tx)
      if (++runs === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await sql`UPDATE things SET n = n + 1 WHERE id = ${second}`.execute(tx)
    })
  await Promise.all([both('a', 'b'), both('b', 'a')])
  const { rows } = await sql<{ n: number }>`SELECT n FROM things`.execute(database.read)
  expect(rows.map(({ n }) => n)).toEqual([2, 2])
  expect(runs).toBeGreaterThan(2)
})

test('a write that conflicts every time fails after a limited number of runs', async () => {
  let runs = 0
  const failing = database.write((tx) => {
    runs++
    return sql`DO $$ BEGIN RAISE serialization_failure; END $$`.execute(tx)
  })
  expect(await failing.catch((err) => err.errno)).toBe('40001')
  expect(runs).toBe(8)
})

test('a relaxed write does not wait for the disk, and is durable soon after', async () => {
  const requests: string[] = []
  const setting = async (tx: Tx) => {
    const { rows } = await sql<{ synchronous_commit: string }>`SHOW synchronous_commit`.execute(tx)
    requests.push(rows[0]!.synchronous_commit)
  }
  await database.write(setting)
  await database.write(setting, 'relaxed')
  await database.write(setting)
  expect(requests).toEqual(['on', 'off', 'on'])

  await database.write((tx) => add(tx, 'relaxed'), 'relaxed')
  const [{ lsn }] = await admin`SELECT pg_current_wal_insert_lsn() AS lsn`
  const flushed = async () => {
    const [{ is_flushed: isFlushed }] = await admin`
      SELECT pg_current_wal_flush_lsn() >= ${lsn}::pg_lsn AS is_flushed`
    return isFlushed
  }
  // The WAL writer of the test server would take 10 s.
  expect(await until(flushed)).toBe(true)
})

test('every node is notified once after the commit, the sender before its write resolves', async () => {
  const received: string[] = []
  await database.listen('here', (payload) => received.push(`own ${payload}`), nothing)
  await other.listen('here', (payload) => received.push(`other ${payload}`), nothing)
  await other.listen('elsewhere', never, nothing)
  await database.write((tx) => database.notify(tx, 'here', 'a page with spaces'))
  expect(received).toContain('own a page with spaces')
  const undone = database.write(async (tx) => {
    await database.notify(tx, 'here', 'undone')
    throw new Error('no')
  })
  await undone.catch(() => {})
  await until(() => received.length === 2)
  await Bun.sleep(50)
  expect(received.toSorted()).toEqual(['other a page with spaces', 'own a page with spaces'])
})

test('onLost is called each time that notifications may be missed, and listening goes on', async () => {
  const received: string[] = []
  let lost = 0
  const listener = await openPostgres(fresh.url)
  await listener.listen(
    'news',
    (payload) => received.push(payload),
    () => lost++,
  )
  expect(lost).toBe(0)
  await admin.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
  await until(() => lost >= 2)
  await database.write((tx) => database.notify(tx, 'news', 'again'))
  await until(() => received.length > 0)
  expect(received).toEqual(['again'])
  await listener.close()
  expect(lost).toBe(2)
})

test('reads do not wait for transactions, however many there are', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = 0
  const writes = Array.from({ length: 40 }, () =>
    database.write(async (tx) => {
      begun += 1
      await sql`SELECT 1`.execute(tx)
      await promise
    }),
  )
  await until(() => begun >= 8)
  const reads = Array.from({ length: 40 }, () => sql`SELECT 1`.execute(database.read))
  expect(await Promise.all(reads)).toHaveLength(40)
  expect(begun).toBe(8)
  resolve()
  await Promise.all(writes)
  expect(begun).toBe(40)
})

test('a statement is prepared once per connection, whatever its values', async () => {
  const single = await openPostgres(fresh.url, { max: 1 })
  for (let n = 0; n < 50; n++) {
    await sql`SELECT id FROM things WHERE id = ${`x${n}`} AND n = ${n}`.execute(single.read)
  }
  const { rows } = await sql`SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements
    WHERE statement LIKE 'SELECT id FROM things%'`.execute(single.read)
  expect(rows).toEqual([{ runs: 50 }])
  await single.close()
})

test('the database of the URL wins over PGDATABASE', async () => {
  process.env.PGDATABASE = 'postgres'
  try {
    const opened = await openPostgres(fresh.url)
    const { rows } = await sql`SELECT current_database() AS name`.execute(opened.read)
    expect(rows).toEqual([{ name: new URL(fresh.url).pathname.slice(1) }])
    await opened.close()
  } finally {
    delete process.env.PGDATABASE
  }
})

test('a server with synchronous_commit off is refused', async () => {
  const careless = await freshDatabase()
  const name = new URL(careless.url).pathname.slice(1)
  await admin.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  expect(await openPostgres(careless.url).catch((err) => err.message)).toContain('is off')
  await careless.drop()
})

function nothing(): void {}

function never(): void {
  throw new Error('not expected')
}

/** Whether the condition becomes true within 5 s. */
async function until(happened: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let look = 0; look < 500; look++) {
    if (await happened()) return true
    await Bun.sleep(10)
  }
  return false
}

test('connections that nothing uses are closed, before a firewall forgets them', async () => {
  const idle = await openPostgres(fresh.url, { idleS: 1 })
  const pids = async () => {
    const reads = Array.from({ length: 5 }, () =>
      sql<{ pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(0.1)`.execute(idle.read),
    )
    return (await Promise.all(reads)).map(({ rows }) => rows[0]!.pid)
  }
  const earlier = await pids()
  const open = () => admin.unsafe(`SELECT 1 FROM pg_stat_activity WHERE pid IN (${earlier.join()})`)
  expect(await open()).not.toBeEmpty()
  while ((await open()).length > 0) await Bun.sleep(100)
  expect(await pids()).not.toBeEmpty()
  await idle.close()
})
