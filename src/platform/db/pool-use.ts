import type { Metrics } from '../metrics.ts'

const POOLS = ['main', 'snapshots'] as const
export type PoolName = (typeof POOLS)[number]

/** Counts what uses the connections of each pool, or waits for one. */
export interface PoolUse {
  in<T>(pool: PoolName, work: () => Promise<T>): Promise<T>
}

/** @param sizes how many connections each pool has at most */
export function createPoolUse(sizes: Readonly<Record<PoolName, number>>, metrics?: Metrics) {
  const running = { main: 0, snapshots: 0 }

  function add(name: string, help: string, read: (pool: PoolName) => number): void {
    metrics?.add({
      name: `handbill_database_connections_${name}`,
      type: 'gauge',
      help,
      read: () => POOLS.map((pool) => ({ labels: { pool }, value: read(pool) })),
    })
  }
  add('max', 'How many connections a pool has at most.', (pool) => sizes[pool])
  add('in_use', 'Connections that a query or a transaction uses.', (pool) =>
    Math.min(running[pool], sizes[pool]),
  )
  add('awaited', 'Queries and transactions that wait for a connection.', (pool) =>
    Math.max(0, running[pool] - sizes[pool]),
  )
  return {
    async in(pool, work) {
      running[pool] += 1
      try {
        return await work()
      } finally {
        running[pool] -= 1
      }
    },
  } satisfies PoolUse
}
