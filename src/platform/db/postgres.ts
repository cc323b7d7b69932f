import { type ReservedSQL, SQL } from 'bun'
import { createFlushTimer } from './flush-timer.ts'
import type { Database, Db, Durability, Tx } from './index.ts'
import { kyselyOn } from './postgres-dialect.ts'
import { createNotifications } from './postgres-notifications.ts'

export interface PostgresOptions {
  /** Connections for reads and writes, besides those for snapshots and the one that listens. */
  max?: number
  /** Named prepared statements. Switch them off behind a pooler in transaction mode. */
  prepare?: boolean
}

const CONNECTIONS = 10
/** A pool of their own, so that no write waits for a long read; closed when idle. */
const SNAPSHOTS = { max: 8, idleTimeout: 30 }
/** How often a write runs at most when transactions conflict. */
const ATTEMPTS = 8

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

const BEGIN: Record<Durability, string> = {
  full: 'BEGIN',
  relaxed: 'BEGIN; SET LOCAL synchronous_commit TO off',
}
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** Writes a record to the log and waits for the disk, which makes earlier commits durable too. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'handbill', '')`

/** @param url `postgres://user:password@host:port/database?sslmode=…` */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const pool = connect(url, { max: CONNECTIONS, ...options })
  await assertUsable(pool)
  const snapshots = connect(url, { ...options, ...SNAPSHOTS })
  const notifications = createNotifications(({ onclose }) => connect(url, { max: 1, onclose }))
  // PostgreSQL's own WAL writer flushes less often, at an interval that can be configured.
  const flushTimer = createFlushTimer(async () => pool.unsafe(FLUSH))

  async function transact<T>(work: (tx: Tx) => Promise<T>, durability: Durability): Promise<T> {
    const client = await pool.reserve()
    const tx = kyselyOn(client) as Tx
    try {
      await client.unsafe(BEGIN[durability]).simple()
      const result = await work(tx)
      await commit(client)
      if (durability === 'relaxed') flushTimer.schedule()
      notifications.deliverOwn(tx)
      return result
    } catch (err) {
      await client.unsafe('ROLLBACK').catch(ignore)
      throw err
    } finally {
      client.release()
    }
  }

  return {
    engine: 'postgres',
    read: kyselyOn(pool),
    snapshot: (read) => readSnapshot(snapshots, read),
    write: (work, durability = 'full') => retryConflicts(() => transact(work, durability)),
    notify: notifications.notify,
    listen: notifications.listen,
    async close() {
      await flushTimer.stop()
      await notifications.close()
      await Promise.all([pool.close(), snapshots.close({ timeout: 0 })])
    },
  }
}

async function readSnapshot<T>(pool: SQL, read: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.reserve()
  try {
    await client.unsafe(BEGIN_SNAPSHOT).simple()
    return await read(kyselyOn(client))
  } finally {
    await client.unsafe('ROLLBACK').catch(ignore)
    client.release()
  }
}

function connect(url: string, options: SQL.Options): SQL {
  // Without this, PGDATABASE would override the database of the URL.
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  const named = database === '' ? {} : { database }
  return new SQL(url, { connection: { application_name: 'handbill' }, ...named, ...options })
}

/** Refuses servers whose settings could lose or garble data. */
async function assertUsable(pool: SQL): Promise<void> {
  const [settings] = await pool`
    SELECT current_setting('server_encoding') AS encoding,
      current_setting('synchronous_commit') AS synchronous_commit`
  if (settings.encoding !== 'UTF8') {
    throw new Error(`PostgreSQL: the encoding of the database is ${settings.encoding}, not UTF8`)
  }
  if (settings.synchronous_commit === 'off') {
    throw new Error('PostgreSQL: synchronous_commit is off, so a crash could lose committed data')
  }
  await pool.unsafe(FLUSH)
}

/** After a failed statement, even one that was caught, COMMIT rolls back without an error. */
async function commit(client: ReservedSQL): Promise<void> {
  const { command } = await client.unsafe('COMMIT')
  if (command !== 'COMMIT') throw new Error('Nothing was written: an earlier statement had failed')
}

async function retryConflicts<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (err) {
      const { errno } = err as { errno?: unknown }
      const isConflict = errno === SERIALIZATION_FAILURE || errno === DEADLOCK
      if (!isConflict || attempt === ATTEMPTS) throw err
      await Bun.sleep(Math.random() * 2 ** attempt)
    }
  }
}

function ignore(): void {}
