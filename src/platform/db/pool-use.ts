import type { Metrics } from '../metrics.ts'

const POOLS = ['main', 'snapshots'] as const
export type PoolName = (typeof POOLS)[number]

/** Gives connections in the order in which they were asked for, and counts what uses or awaits one. */
export interface PoolUse {
  /** Waits until the pool has a free connection, which `work` then takes. */
  in<T>(pool: PoolName, work: () => Promise<T>): Promise<T>
}

/** @param sizes how many connections each pool has at most */
export function createPoolUse(sizes: Readonly<Record<PoolName, number>>, metrics?: Metrics) {
  const running = { main: 0, snapshots: 0 }
  const awaiting: Record<PoolName, (() => void)[]> = { main: [], snapshots: [] }

  function add(name: string, help: string, read: (pool: PoolName) => number): void {
    metrics?.add({
      name: `handbill_database_connections_${name}`,
      type: 'gauge',
      help,
      read: () => POOLS.map((pool) => ({ labels: { pool }, value: read(pool) })),
    })
  }
  add('max', 'How many connections a pool has at most.', (pool) => sizes[pool])
  add('in_use', 'Connections that a query or a transaction uses.', (pool) => running[pool])
  add(
    'awaited',
    'Queries and transactions that wait for a connection.',
    (pool) => awaiting[pool].length,
  )
  return {
    async in(pool, work) {
      if (running[pool] < sizes[pool]) running[pool] += 1
      else await new Promise<void>((resolve) => awaiting[pool].push(resolve))
      try {
        return await work()
      } finally {
        const next = awaiting[pool].shift()
        if (next === undefined) running[pool] -= 1
        else next()
      }
    },
  } satisfies PoolUse
}
