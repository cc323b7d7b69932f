import { randomBytes } from 'node:crypto'
import { type ReservedSQL, SQL } from 'bun'
import { sql } from 'kysely'
import type { Database, Db, Durability, Tx } from './index.ts'
import { kyselyOn } from './postgres-dialect.ts'

export interface PostgresOptions {
  /** Connections for reads and writes; those of snapshots and the one that listens come on top. */
  max?: number
  /** Named prepared statements; off behind a pooler that hands out servers by transaction. */
  prepare?: boolean
}

const CONNECTIONS = 10
/** Apart, so that no write waits for a reader that takes long; closed when nobody needs them. */
const SNAPSHOTS = { max: 8, idleTimeout: 30 }
/** How often one write runs where transactions get in each other's way. */
const ATTEMPTS = 8
/** A relaxed commit reaches the disk with the next full one, and after this long at the latest. */
const RELAXED_MS = 100

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

const BEGIN: Record<Durability, string> = {
  full: 'BEGIN',
  relaxed: 'BEGIN; SET LOCAL synchronous_commit TO off',
}
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** Writes to the log and waits for the disk, which takes every earlier commit along. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'handbill', '')`

/** @param url `postgres://user:password@host:port/database?sslmode=…` */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const pool = connect(url, { max: CONNECTIONS, ...options })
  await assertUsable(pool)
  const snapshots = connect(url, { ...options, ...SNAPSHOTS })
  const nodes = createNodes(url)
  const pulse = createPulse(pool)

  async function transact<T>(work: (tx: Tx) => Promise<T>, durability: Durability): Promise<T> {
    const client = await pool.reserve()
    const tx = kyselyOn(client) as Tx
    try {
      await client.unsafe(BEGIN[durability]).simple()
      const result = await work(tx)
      await commit(client)
      if (durability === 'relaxed') pulse.expect()
      nodes.tellSelf(tx)
      return result
    } catch (err) {
      await client.unsafe('ROLLBACK').catch(nothing)
      throw err
    } finally {
      client.release()
    }
  }

  async function snapshot<T>(read: (db: Db) => Promise<T>): Promise<T> {
    const client = await snapshots.reserve()
    try {
      await client.unsafe(BEGIN_SNAPSHOT).simple()
      return await read(kyselyOn(client))
    } finally {
      await client.unsafe('ROLLBACK').catch(nothing)
      client.release()
    }
  }

  return {
    engine: 'postgres',
    read: kyselyOn(pool),
    snapshot,
    write: (work, durability = 'full') => retrying(() => transact(work, durability)),
    notify: nodes.notify,
    listen: nodes.listen,
    async close() {
      await pulse.stop()
      await nodes.close()
      await Promise.all([pool.close(), snapshots.close({ timeout: 0 })])
    },
  }
}

function connect(url: string, options: SQL.Options): SQL {
  // PGDATABASE would win over the database in the URL.
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  const named = database === '' ? {} : { database }
  return new SQL(url, { connection: { application_name: 'handbill' }, ...named, ...options })
}

/** What would lose or mangle data is refused at the start. */
async function assertUsable(pool: SQL): Promise<void> {
  const [settings] = await pool`
    SELECT current_setting('server_encoding') AS encoding,
      current_setting('synchronous_commit') AS synchronous_commit`
  if (settings.encoding !== 'UTF8') {
    throw new Error(`PostgreSQL: the database's encoding is ${settings.encoding}, not UTF8`)
  }
  if (settings.synchronous_commit === 'off') {
    throw new Error('PostgreSQL: synchronous_commit is off, so what was answered could be lost')
  }
  await pool.unsafe(FLUSH)
}

/** A failed statement makes COMMIT end in a rollback, quietly, even where its error was caught. */
async function commit(client: ReservedSQL): Promise<void> {
  const { command } = await client.unsafe('COMMIT')
  if (command !== 'COMMIT') throw new Error('Nothing was written: a statement before had failed')
}

async function retrying<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (err) {
      const { errno } = err as { errno?: unknown }
      const inTheWay = errno === SERIALIZATION_FAILURE || errno === DEADLOCK
      if (!inTheWay || attempt === ATTEMPTS) throw err
      await Bun.sleep(Math.random() * 2 ** attempt)
    }
  }
}

/** Relaxed commits would wait for PostgreSQL's own rhythm, which is slower and is configurable. */
function createPulse(pool: SQL) {
  let timer: Timer | undefined
  let stopped = false

  async function flush(): Promise<void> {
    timer = undefined
    await pool.unsafe(FLUSH)
  }
  function expect(): void {
    if (!stopped) timer ??= setTimeout(() => flush().catch(expect), RELAXED_MS)
  }
  return {
    expect,
    async stop() {
      stopped = true
      clearTimeout(timer)
      if (timer !== undefined) await flush()
    },
  }
}

interface Notice {
  channel: string
  payload: string
}

/**
 * A node hears its own notices before `write` resolves, and the others' when PostgreSQL delivers
 * them. Each message begins with its sender's name, so that none is heard twice.
 */
function createNodes(url: string) {
  const self = randomBytes(6).toString('hex')
  const heardBy = new Map<string, ((payload: string) => void)[]>()
  const lostBy: (() => void)[] = []
  const told = new WeakMap<Tx, Notice[]>()
  let ear: SQL | undefined
  let closed = false

  function forgetAll(): void {
    if (!closed) for (const lost of lostBy) lost()
  }

  return {
    async notify(tx: Tx, channel: string, payload: string): Promise<void> {
      await sql`SELECT pg_notify(${channel}, ${`${self} ${payload}`})`.execute(tx)
      told.set(tx, [...(told.get(tx) ?? []), { channel, payload }])
    },

    tellSelf(tx: Tx): void {
      for (const { channel, payload } of told.get(tx) ?? []) {
        for (const heard of heardBy.get(channel) ?? []) heard(payload)
      }
    },

    async listen(channel: string, heard: (payload: string) => void, lost: () => void) {
      // A pool of its own, so that each connection it closes is the one that listens.
      ear ??= connect(url, { max: 1, onclose: forgetAll })
      heardBy.set(channel, [...(heardBy.get(channel) ?? []), heard])
      let again = false
      const hear = (message: string) => {
        const [sender, payload] = splitOnce(message)
        if (sender !== self) heard(payload)
      }
      await ear.listen(channel, hear, () => {
        if (again) lost()
        again = true
      })
      lostBy.push(lost)
    },

    async close() {
      closed = true
      await ear?.close()
    },
  }
}

function splitOnce(message: string): [string, string] {
  const at = message.indexOf(' ')
  return [message.slice(0, at), message.slice(at + 1)]
}

function nothing(): void {}
