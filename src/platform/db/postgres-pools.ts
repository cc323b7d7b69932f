import { SQL } from 'bun'
import type { Metrics } from '../metrics.ts'
import { DatabaseDown } from './errors.ts'
import type { QueryTimes } from './slow-queries.ts'

export interface PostgresOptions {
  /** Connections for reads and writes, besides those for snapshots and the ones that watch. */
  max?: number
  /** Named prepared statements. Switch them off behind a pooler in transaction mode. */
  prepare?: boolean
  /** Called once when the server stops answering. */
  onDown?: (err: unknown) => void
  onUp?: () => void
  times?: QueryTimes | undefined
  metrics?: Metrics
}

const CONNECTIONS = 10
/** A pool of their own, so that no write waits for a long read; closed when idle. */
const SNAPSHOTS = { max: 8, idleTimeout: 30 }
/** Seconds. A server that hangs takes connections, but does not answer on them. */
const CONNECT_TIMEOUT = 5
/** A statement that takes longer is ended by PostgreSQL. Migrations switch this off. */
export const STATEMENT_TIMEOUT_S = { main: 10, snapshots: 60 } as const
/** A node that is gone without a word must not keep its locks. Migrations have longer. */
const WRITE_LIMITS = { idle_in_transaction_session_timeout: '10s' }

/**
 * The pools of connections to one server. Connections to a server that hangs, or behind a network
 * that drops packets, never answer: `fail` ends all of them, which rejects what waits there.
 */
export function createPools(url: string, { max = CONNECTIONS, prepare }: PostgresOptions) {
  const shared = prepare === undefined ? {} : { prepare }
  let pools = open()
  let isDown = false

  function open() {
    return {
      main: connect(url, { ...shared, max }, { ...timeout('main'), ...WRITE_LIMITS }),
      snapshots: connect(url, { ...shared, ...SNAPSHOTS }, timeout('snapshots')),
    }
  }
  function usable(pool: SQL): SQL {
    if (isDown) throw new DatabaseDown()
    return pool
  }

  return {
    /** How many connections each pool has at most. */
    sizes: { main: max, snapshots: SNAPSHOTS.max },
    /** @throws DatabaseDown after `fail`, so that nothing waits for a server that is down */
    main: () => usable(pools.main),
    snapshots: () => usable(pools.snapshots),
    fail(): void {
      isDown = true
      const { main, snapshots } = pools
      pools = open()
      closeNow(main)
      closeNow(snapshots)
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

function timeout(pool: keyof typeof STATEMENT_TIMEOUT_S): Record<string, string> {
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
  const named = database === '' ? {} : { database }
  return new SQL(url, {
    connection: { application_name: 'handbill', ...settings },
    connectionTimeout: CONNECT_TIMEOUT,
    ...named,
    ...options,
  })
}
