import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { freshDatabase } from '../../testing/postgres.ts'
import { parseMetrics } from '../../testing/prometheus.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { createMetrics } from '../metrics.ts'
import type { Database } from './index.ts'
import { openPostgres } from './postgres.ts'
import { createSlowQueries, raw, withoutValues } from './raw.ts'
import { openSqlite } from './sqlite.ts'

async function opened(engine: 'sqlite' | 'postgres', slowMs: number) {
  const log = silentLog()
  const metrics = createMetrics()
  const times = createSlowQueries({ slowMs, log, metrics })
  const folder = mkdtempSync(join(tmpdir(), 'handbill-slow-'))
  const fresh = engine === 'postgres' ? await freshDatabase() : null
  const database: Database =
    fresh === null
      ? openSqlite(join(folder, 'test.db'), { times, metrics })
      : await openPostgres(fresh.url, { times, metrics, max: 4 })
  async function close() {
    await database.close()
    await fresh?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { database, log, metrics, [Symbol.asyncDispose]: close }
}

const select = raw<{ secret: string }>('SELECT $1 AS secret')

test.each(['sqlite', 'postgres'] as const)(
  'on %s, queries that take long are logged by every way to run them, without values',
  async (engine) => {
    // Every query takes longer than this.
    await using made = await opened(engine, Number.MIN_VALUE)
    const { database, log, metrics } = made
    const read = sql`SELECT ${'a secret'} AS read, 'a secret' AS literal`
    await read.execute(database.read)
    await database.snapshot((db) => sql`SELECT ${'a secret'} AS snapshot`.execute(db))
    await database.write(async (tx) => {
      await sql`SELECT ${'a secret'} AS written`.execute(tx)
      await select(tx, ['a secret'])
    })
    const statements = log.lines.map(({ fields }) => (fields as { statement: string }).statement)
    for (const word of ['read', 'snapshot', 'written', 'secret', 'COMMIT']) {
      expect(statements.some((statement) => statement.includes(word))).toBe(true)
    }
    expect(JSON.stringify(log.lines)).not.toContain('a secret')
    expect(log.lines.every(({ level, msg }) => level === 'warn' && msg === 'slow query')).toBe(true)
    const families = parseMetrics(await metrics.write())
    const { samples } = families.get('handbill_database_slow_queries_total')!
    expect(samples[0]?.value).toBe(statements.length)
    if (engine === 'sqlite') {
      expect(families.get('handbill_database_wal_bytes')?.samples[0]?.value).toBeNumber()
    } else {
      expect(families.get('handbill_database_connections_max')?.samples).toMatchObject([
        { labels: { pool: 'main' }, value: 4 },
        { labels: { pool: 'snapshots' }, value: 8 },
      ])
    }
  },
)

test.each(['sqlite', 'postgres'] as const)(
  'on %s, quick queries are not logged',
  async (engine) => {
    await using made = await opened(engine, 3_600_000)
    await sql`SELECT 1`.execute(made.database.read)
    await made.database.write((tx) => sql`SELECT 1`.execute(tx))
    expect(made.log.lines).toEqual([])
  },
)

test('with 0, nothing is measured', async () => {
  const metrics = createMetrics()
  expect(createSlowQueries({ slowMs: 0, log: silentLog(), metrics })).toBeUndefined()
  expect(await metrics.write()).toBe('')
})

test('connections that are used, and what waits for one, are counted', async () => {
  await using made = await opened('postgres', 0)
  const { database, metrics } = made
  const { promise, resolve } = Promise.withResolvers<void>()
  const began = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const writes = began.map((one) =>
    database.write(async () => {
      one.resolve()
      await promise
    }),
  )
  await Promise.any(began.map((one) => one.promise))
  const of = async (name: string) =>
    parseMetrics(await metrics.write())
      .get(name)
      ?.samples.find(({ labels }) => labels.pool === 'main')?.value
  expect(await of('handbill_database_connections_in_use')).toBe(2)
  expect(await of('handbill_database_connections_awaited')).toBe(1)
  resolve()
  await Promise.all(writes)
  expect(await of('handbill_database_connections_in_use')).toBe(0)
  expect(await of('handbill_database_connections_awaited')).toBe(0)
})

test.each([
  [`SELECT 'it''s a secret', "column" FROM t`, `SELECT '…', "column" FROM t`],
  [`SELECT 'never ends`, `SELECT '…'`],
  ['SELECT\n  $1', 'SELECT $1'],
])('%j is logged as %j', (statement, text) => {
  expect(withoutValues(statement)).toBe(text)
})

test('a statement of many values is cut off', () => {
  expect(withoutValues('?, '.repeat(10_000)).length).toBeLessThan(2_100)
})
