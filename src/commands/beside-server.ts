import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/index.ts'
import { openCommandWrites } from '../platform/db/sqlite-commands.ts'
import { commandWritesFile } from './places.ts'

/**
 * The database of a command, which may run beside a server. On PostgreSQL its notifications reach
 * every node; on SQLite the server learns that something was written, and reads its pages again.
 */
export function besideServer({ databaseUrl, dataDir }: Config) {
  return (database: Database): Database => {
    if (databaseUrl !== null) return database
    const commandWrites = openCommandWrites(commandWritesFile(dataDir))
    return {
      ...database,
      async write(work, durability) {
        const result = await database.write(work, durability)
        commandWrites.mark()
        return result
      },
    }
  }
}
