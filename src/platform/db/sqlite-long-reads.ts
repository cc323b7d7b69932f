import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Threads } from '../threads.ts'
import { driverOf } from './driver.ts'
import type { Database } from './index.ts'
import { type ConnectionOptions, kyselyWith } from './sqlite-dialect.ts'
import type { RowPart } from './sqlite-tasks.ts'

/**
 * Reads in a thread, which has a connection of its own for each snapshot.
 *
 * @param thread one thread: it has the snapshots
 */
export function createLongReads(
  path: string,
  thread: Pick<Threads, 'run'>,
  { times, durable }: ConnectionOptions = {},
): Database['longRead'] {
  const run = (task: string, input: object) =>
    thread.run(task, async () => ({ input, transfer: [] }))

  async function readAll(
    statement: { snapshot: string; number: number },
    { sql, parameters }: CompiledQuery,
  ): Promise<object[]> {
    const beganMs = performance.now()
    const all: object[] = []
    try {
      const given = { ...statement, path, statement: sql, parameters }
      let part = (await run('sqliteRead', given)) as RowPart
      all.push(...part.rows)
      while (part.hasMore) {
        part = (await run('sqliteMore', statement)) as RowPart
        all.push(...part.rows)
      }
    } finally {
      times?.ended(sql, beganMs)
    }
    await durable?.()
    return all
  }

  return async (read) => {
    const snapshot = crypto.randomUUID()
    let statements = 0
    const connection: DatabaseConnection = {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => ({
        rows: (await readAll({ snapshot, number: statements++ }, query)) as R[],
      }),
      streamQuery() {
        throw new Error('A long read has its rows at once')
      },
    }
    try {
      return await read(kyselyWith(() => driverOf(connection)))
    } finally {
      await run('sqliteEnd', { snapshot })
    }
  }
}
