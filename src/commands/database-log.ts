import { existsSync } from 'node:fs'
import { CommandFailed } from '../../cli/output.ts'
import type { Config } from '../platform/config.ts'
import { logProblem } from '../platform/db/sqlite-log.ts'
import { databaseFile, lockFile } from './places.ts'

/**
 * Looks at the log beside a SQLite database before it is opened.
 *
 * @returns what is wrong with it; null where all is well
 * @throws CommandFailed for the log of another database, which opening would write into this one
 */
export function checkDatabaseLog({ databaseUrl, dataDir }: Config): string | null {
  if (databaseUrl !== null) return null
  const file = databaseFile(dataDir)
  const problem = logProblem(file)
  if (problem === 'foreign') {
    throw new CommandFailed(
      `${file}-wal is the log of another database, and opening it would damage this one: put the ` +
        'log there that lay beside it. Where its server was stopped in order there was none: ' +
        'move this one away then. handbill backup create copies a server that runs.',
    )
  }
  if (problem === 'damaged') {
    return 'the log of the database (handbill.db-wal) cannot be read, so what it held is missing'
  }
  // A server that was killed here leaves the mark, and a command after it empties the log.
  if (problem === null || existsSync(lockFile(dataDir))) return null
  return (
    'the database is a copy of the file of a running server, without its log (handbill.db-wal): ' +
    'what was written last is missing, and parts may be damaged'
  )
}
