import type { Database } from '../db/index.ts'
import type { WorkerPool } from './pool.ts'

/**
 * The database of a process with workers: they hear of each change that it announces, and a write
 * is answered once they have forgotten what it changed.
 */
export function tellingWorkers(
  database: Database,
  pool: () => Pick<WorkerPool, 'notify' | 'heard'> | null,
): Database {
  const channels = new Set<string>()
  return {
    ...database,
    async write(work, durability) {
      const result = await database.write(work, durability)
      const hearing = pool()?.heard() ?? null
      if (hearing !== null) await hearing
      return result
    },
    async listen(channel, listener, onLost) {
      if (!channels.has(channel)) {
        channels.add(channel)
        const tell = (payload: string) => pool()?.notify(channel, payload)
        await database.listen(channel, tell, () => {})
      }
      await database.listen(channel, listener, onLost)
    },
  }
}
