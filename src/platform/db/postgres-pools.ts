import { SQL } from 'bun'
import type { Metrics } from '../metrics.ts'
import { createTaskQueue } from '../task-queue.ts'
import { DatabaseDown } from './errors.ts'
import type { QueryTimes } from './raw.ts'

export interface PostgresOptions {
  /** Connections for reads and writes, besides those for snapshots and the ones that watch. */
  max?: number
  /** Seconds after which a connection that nothing uses is closed. */
  idleS?: number
  /** Called once when the server stops answering. */
  onDown?: (err: unknown) => void
  onUp?: () => void
  times?: QueryTimes | undefined
  metrics?: Metrics
}

const CONNECTIONS = 10
/** In a pool of their own, so that no write waits for a long read. */
const SNAPSHOTS = 8
/** Firewalls forget connections that are idle for some minutes, and say so to nobody. */
const IDLE_S = 60
/** Seconds. A server that hangs takes connections, but does not answer on them. */
const CONNECT_TIMEOUT = 5
/** A statement that takes longer is ended by PostgreSQL. */
const STATEMENT_TIMEOUT_S = { main: 10, snapshots: 60, unhurried: Infinity } as const
export type TimeLimit = keyof typeof STATEMENT_TIMEOUT_S
/** A node that is gone without a word must not keep its locks. Migrations have longer. */
const WRITE_LIMITS = { idle_in_transaction_session_timeout: '10s' }

/**
 * The pools of connections to one server. Connections to a server that hangs, or behind a network
 * that drops packets, never answer: `fail` ends all of them, which rejects what waits there.
 */
export function createPools(url: string, { max = CONNECTIONS, idleS = IDLE_S }: PostgresOptions) {
  let pools = open()
  let isDown = false

  function open() {
    return {
      main: connect(url, { max, idleTimeout: idleS }, { ...timeout('main'), ...WRITE_LIMITS }),
      snapshots: connect(url, { max: SNAPSHOTS, idleTimeout: idleS }, timeout('snapshots')),
    }
  }
  function usable(pool: SQL): SQL {
    if (isDown) throw new DatabaseDown()
    return pool
  }

  return {
    /** How many connections each pool has at most. */
    sizes: { main: max, snapshots: SNAPSHOTS },
    /** @throws DatabaseDown after `fail`, so that nothing waits for a server that is down */
    main: () => usable(pools.main),
    snapshots: () => usable(pools.snapshots),
    fail(): void {
      isDown = true
      for (const pool of Object.values(pools)) closeNow(pool)
      pools = open()
    },
    recover(): void {
      isDown = false
    },
    async close() {
      await Promise.all([pools.main.close(), pools.snapshots.close({ timeout: 0 })])
    },
  }
}

/** What waits on its connections is rejected. */
export function closeNow(pool: SQL): void {
  pool.close({ timeout: 0 }).catch(() => {})
}

function timeout(pool: PoolName): Record<string, string> {
  return { statement_timeout: `${STATEMENT_TIMEOUT_S[pool]}s` }
}

/** @param settings of PostgreSQL, for each connection */
export function connect(
  url: string,
  options: SQL.Options,
  settings: Record<string, string> = {},
): SQL {
  // Without this, PGDATABASE would override the database of the URL.
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  const databaseOption = database === '' ? {} : { database }
  return new SQL(url, {
    connection: { application_name: 'handbill', ...settings },
    connectionTimeout: CONNECT_TIMEOUT,
    idleTimeout: IDLE_S,
    ...databaseOption,
    ...options,
  })
}

/** How much later than PostgreSQL's own timeout an answer may arrive. */
const GRACE_MS = 2_000

/**
 * Statements that were sent and are not answered yet. PostgreSQL ends each one by its timeout.
 * Where even that error does not arrive, the answer was lost or damaged on the way: the client
 * would wait for the rest without end, and keep the locks of its transaction.
 */
export function createPendingStatements() {
  const pending = new Set<{ sentMs: number; dueMs: number }>()
  return {
    /** @param send gets a connection that is free, or sends a statement on one */
    async add<T>(limit: TimeLimit, send: () => Promise<T>): Promise<T> {
      const sentMs = performance.now()
      const statement = { sentMs, dueMs: sentMs + STATEMENT_TIMEOUT_S[limit] * 1000 + GRACE_MS }
      pending.add(statement)
      try {
        return await send()
      } finally {
        pending.delete(statement)
      }
    },
    /** When the oldest one was sent, by `performance.now()`. */
    sinceMs(): number | null {
      for (const { sentMs } of pending) return sentMs
      return null
    },
    /** @param nowMs by `performance.now()` */
    isOverdue(nowMs: number): boolean {
      for (const { dueMs } of pending) if (dueMs < nowMs) return true
      return false
    },
    /** Their connections are closed. */
    clear: () => pending.clear(),
  }
}

export type PendingStatements = ReturnType<typeof createPendingStatements>

const POOLS = ['main', 'snapshots'] as const
type PoolName = (typeof POOLS)[number]

/**
 * The connections of the main pool that are reserved for reads, which never wait for transactions.
 */
const FOR_READS = 2

/**
 * Shares the connections of each pool, and counts what uses or awaits one.
 *
 * @param sizes how many connections each pool has at most
 */
export function createPoolUse(sizes: Readonly<Record<PoolName, number>>, metrics?: Metrics) {
  const running = { main: 0, snapshots: 0 }
  const waiting = { main: 0, snapshots: 0 }
  const queues = {
    main: createTaskQueue(Math.max(1, sizes.main - FOR_READS)),
    snapshots: createTaskQueue(sizes.snapshots),
  }

  function add(name: string, help: string, read: (pool: PoolName) => number): void {
    metrics?.add(`handbill_database_connections_${name}`, help, () =>
      POOLS.map((pool) => ({ labels: { pool }, value: read(pool) })),
    )
  }
  add('max', 'How many connections a pool has at most.', (pool) => sizes[pool])
  add('in_use', 'Connections that a query or a transaction uses.', (pool) =>
    Math.min(running[pool], sizes[pool]),
  )
  add(
    'awaited',
    'Queries and transactions that wait for a connection.',
    (pool) => waiting[pool] + Math.max(0, running[pool] - sizes[pool]),
  )

  async function countRunning<T>(pool: PoolName, work: () => Promise<T>): Promise<T> {
    running[pool] += 1
    try {
      return await work()
    } finally {
      running[pool] -= 1
    }
  }
  return {
    /** A query of the main pool: it may share a connection with other queries. */
    query: <T>(work: () => Promise<T>) => countRunning('main', work),
    /** Waits until a connection is free, and gives `work` exclusive use of it. */
    reserve<T>(pool: PoolName, work: () => Promise<T>): Promise<T> {
      waiting[pool] += 1
      return queues[pool](() => {
        waiting[pool] -= 1
        return countRunning(pool, work)
      })
    },
  }
}
