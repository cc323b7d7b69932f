import type { Metrics } from '../metrics.ts'
import { createTaskQueue } from '../task-queue.ts'

const POOLS = ['main', 'snapshots'] as const
export type PoolName = (typeof POOLS)[number]

/**
 * The connections of the main pool that are reserved for reads, which never wait for transactions.
 */
const FOR_READS = 2

/** Shares the connections of each pool, and counts what uses or awaits one. */
export interface PoolUse {
  /** A query of the main pool: it may share a connection with other queries. */
  query<T>(work: () => Promise<T>): Promise<T>
  /** Waits until a connection is free, and gives `work` exclusive use of it. */
  reserve<T>(pool: PoolName, work: () => Promise<T>): Promise<T>
}

/** @param sizes how many connections each pool has at most */
export function createPoolUse(sizes: Readonly<Record<PoolName, number>>, metrics?: Metrics) {
  const running = { main: 0, snapshots: 0 }
  const waiting = { main: 0, snapshots: 0 }
  const queues = {
    main: createTaskQueue(Math.max(1, sizes.main - FOR_READS)),
    snapshots: createTaskQueue(sizes.snapshots),
  }

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
  add(
    'awaited',
    'Queries and transactions that wait for a connection.',
    (pool) => waiting[pool] + Math.max(0, running[pool] - sizes[pool]),
  )

  async function counted<T>(pool: PoolName, work: () => Promise<T>): Promise<T> {
    running[pool] += 1
    try {
      return await work()
    } finally {
      running[pool] -= 1
    }
  }
  return {
    query: (work) => counted('main', work),
    reserve(pool, work) {
      waiting[pool] += 1
      return queues[pool](() => {
        waiting[pool] -= 1
        return counted(pool, work)
      })
    },
  } satisfies PoolUse
}
