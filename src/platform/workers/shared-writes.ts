import type { Database } from '../db/index.ts'
import type { WorkerPool } from './pool.ts'

/**
 * The database of a process with workers. It sends them each announced change, and a write resolves
 * once they have removed what it changed from their caches.
 */
export function withWorkers(
  database: Database,
  pool: () => Pick<WorkerPool, 'notify' | 'acknowledged'> | null,
): Database {
  const channels = new Set<string>()
  return {
    ...database,
    async write(work, durability) {
      const result = await database.write(work, durability)
      const outstanding = pool()?.acknowledged() ?? null
      if (outstanding !== null) await outstanding
      return result
    },
    async listen(channel, listener, onLost) {
      if (!channels.has(channel)) {
        channels.add(channel)
        const send = (payload: string) => pool()?.notify(channel, payload)
        await database.listen(channel, send, () => {})
      }
      await database.listen(channel, listener, onLost)
    },
  }
}
