import type { PoolName } from './pool-use.ts'
import { STATEMENT_TIMEOUT_S } from './postgres-pools.ts'

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
    async add<T>(pool: PoolName, send: () => Promise<T>): Promise<T> {
      const sentMs = performance.now()
      const statement = { sentMs, dueMs: sentMs + STATEMENT_TIMEOUT_S[pool] * 1000 + GRACE_MS }
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
