import type { ReservedSQL, SQL } from 'bun'
import {
  type CompiledQuery,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { hasCode, isDatabaseDown } from './errors.ts'
import { createFlushTimer } from './flush-timer.ts'
import type { Database, Db, Durability, Tx } from './index.ts'
import { createNotifications } from './postgres-notifications.ts'
import {
  connect,
  createPendingStatements,
  createPools,
  createPoolUse,
  type PostgresOptions,
  type TimeLimit,
} from './postgres-pools.ts'
import { createWatch } from './postgres-watch.ts'
import { driverOf } from './raw.ts'
import type { Tables } from './tables.ts'

/** How often a write runs at most when transactions conflict. */
const ATTEMPTS = 8

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/** PostgreSQL refuses the user, the password or the database. */
const REFUSED = /^(?:28...|3D000|42501)$/

const BEGIN: Record<Durability, string> = {
  full: 'BEGIN',
  relaxed: 'BEGIN; SET LOCAL synchronous_commit TO off',
  freeing: 'BEGIN',
  // A restore reads its archive meanwhile.
  unhurried: `BEGIN; SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = '60s'`,
}
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** Writes a record to the log and waits for the disk, which makes earlier commits durable too. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'handbill', '')`

/** @param url `postgres://user:password@host:port/database?sslmode=…` */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { times, metrics } = options
  const pools = createPools(url, options)
  const use = createPoolUse(pools.sizes, metrics)
  const pending = createPendingStatements()
  await assertUsable(pools.main(), url)
  const notifications = createNotifications((options) => connect(url, { max: 1, ...options }))
  const watch = createWatch({
    connect: () => connect(url, { max: 1 }),
    pending,
    onDown(err) {
      pools.fail()
      notifications.disconnect()
      pending.clear()
      options.onDown?.(err)
    },
    onUp() {
      pools.recover()
      notifications.reconnect()
      options.onUp?.()
    },
  })
  // PostgreSQL's own WAL writer flushes less often, at an interval that can be configured.
  const flushTimer = createFlushTimer(() =>
    use.query(() => pending.add('main', () => pools.main().unsafe(FLUSH))),
  )
  const isListening = () => !watch.isDown() && notifications.isConnected()
  metrics?.add(
    'handbill_database_listening',
    'Whether notifications of other nodes arrive: 1, or 0.',
    () => Number(isListening()),
  )

  /** What sends a statement, and tells the watch of one whose connection failed. */
  function sending(limit: TimeLimit): Around {
    return async (statement, query) => {
      const beganMs = performance.now()
      try {
        return await pending.add(limit, query)
      } catch (err) {
        if (isDatabaseDown(err)) watch.suspect()
        throw err
      } finally {
        times?.ended(statement, beganMs)
      }
    }
  }
  const send = { main: sending('main'), snapshots: sending('snapshots') }

  async function transact<T>(work: (tx: Tx) => Promise<T>, durability: Durability): Promise<T> {
    const client = await pending.add('main', () => pools.main().reserve())
    const sendOne = durability === 'unhurried' ? sending(durability) : send.main
    const tx = kyselyOn(() => client, sendOne) as Tx
    let isCommitting = false
    try {
      await send.main('BEGIN', () => client.unsafe(BEGIN[durability]).simple())
      const result = await work(tx)
      isCommitting = true
      await sendOne('COMMIT', () => commit(client))
      if (durability === 'relaxed') flushTimer.schedule()
      notifications.deliverOwn(tx)
      return result
    } catch (err) {
      // A connection that is lost now may have committed: caches must not keep what was before.
      if (isCommitting) notifications.deliverOwn(tx)
      await send.main('ROLLBACK', () => client.unsafe('ROLLBACK')).catch(() => {})
      throw err
    } finally {
      client.release()
    }
  }

  const snapshot: Database['snapshot'] = (read) =>
    use.reserve('snapshots', async () => {
      const client = await pending.add('snapshots', () => pools.snapshots().reserve())
      try {
        await send.snapshots('BEGIN', () => client.unsafe(BEGIN_SNAPSHOT).simple())
        return await read(kyselyOn(() => client, send.snapshots))
      } finally {
        await send.snapshots('ROLLBACK', () => client.unsafe('ROLLBACK')).catch(() => {})
        client.release()
      }
    })

  return {
    engine: 'postgres',
    read: kyselyOn(pools.main, (statement, query) => use.query(() => send.main(statement, query))),
    snapshot,
    longRead: snapshot,
    write: (work, durability = 'full') =>
      retryConflicts(() => use.reserve('main', () => transact(work, durability))),
    notify: notifications.notify,
    async listen(channel, listener, onLost) {
      await notifications.listen(channel, listener, onLost)
      watch.expectQuickAnswers()
    },
    isListening,
    listenAgain: notifications.reconnect,
    async close() {
      watch.stop()
      await flushTimer.stop()
      await notifications.close()
      await pools.close()
    },
  }
}

/** Refuses servers whose settings could lose or corrupt data. */
async function assertUsable(pool: SQL, url: string): Promise<void> {
  const [settings] = await pool`
    SELECT current_setting('server_encoding') AS encoding,
      current_setting('transaction_read_only') AS read_only,
      current_setting('synchronous_commit') AS synchronous_commit`.catch((err: Error) => {
    const start = hasCode(err, REFUSED) ? '' : 'start it, or '
    // The URL contains the password, so the message names only its host.
    const text = `${err.message}: ${start}correct DATABASE_URL`
    throw new Error(`PostgreSQL at ${new URL(url).host}: ${text}`, { cause: err })
  })
  if (settings.encoding !== 'UTF8') {
    throw new Error(`PostgreSQL: the encoding of the database is ${settings.encoding}, not UTF8`)
  }
  if (settings.read_only === 'on') {
    throw new Error('PostgreSQL: the database is read-only: name the primary in DATABASE_URL')
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

/** Runs a query of this text. */
type Around = <T>(statement: string, query: () => Promise<T>) => Promise<T>

/**
 * @param client gives a pool, or the connection that a transaction has reserved
 * @param around is called with each query, to measure it
 */
export function kyselyOn(client: () => SQL, around: Around): Db {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driverOn(client, around),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })
}

function driverOn(client: () => SQL, around: Around): Driver {
  return driverOf(async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
    const result = await around(sql, () => client().unsafe<Row[]>(sql, parameters as unknown[]))
    const rows = plainRows(result, result.columns ?? []) as R[]
    return { rows, numAffectedRows: BigInt(result.affectedRows) }
  })
}

type Row = Record<string, unknown>

/** OIDs of types. count() is an `int8`, and sum() of an `int8` is a `numeric`. */
const INT8 = 20
const NUMERIC = 1700
const BYTEA = 17

/** Converts values to those that SQLite gives: numbers to `number`, bytes to `Uint8Array`. */
function plainRows(rows: Row[], columns: SQL.ResultColumn[]): Row[] {
  for (const { name, type } of columns) {
    if (type === INT8 || type === NUMERIC) {
      for (const row of rows) if (row[name] !== null) row[name] = Number(row[name])
    } else if (type === BYTEA) {
      for (const row of rows) if (row[name] !== null) row[name] = bytesOf(row[name] as Uint8Array)
    }
  }
  return rows
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
