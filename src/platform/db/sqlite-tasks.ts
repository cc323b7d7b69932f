import type { Database as Handle, SQLQueryBindings } from 'bun:sqlite'
import { numbered, openConnection } from './sqlite-dialect.ts'

export interface StatementToRead {
  /** The file of the database. */
  path: string
  /** Names the snapshot. */
  snapshot: string
  /** Opens the snapshot. */
  isFirst: boolean
  statement: string
  parameters: SQLQueryBindings[]
}

/** Reads of SQLite in a thread. All of one snapshot must run in the same thread. */
export function createSqliteTasks() {
  const snapshots = new Map<string, Handle>()

  function openSnapshot(path: string, name: string): Handle {
    const handle = openConnection(path, { readonly: true })
    handle.run('BEGIN')
    snapshots.set(name, handle)
    return handle
  }

  return {
    /** @throws when the thread that had the snapshot has ended */
    sqliteRead({ path, snapshot, isFirst, statement, parameters }: StatementToRead): object[] {
      const handle = isFirst ? openSnapshot(path, snapshot) : snapshots.get(snapshot)
      if (handle === undefined) throw new Error('The snapshot is gone')
      using query = handle.prepare(numbered(statement))
      return query.all(...parameters) as object[]
    },
    sqliteEnd({ snapshot }: { snapshot: string }): void {
      snapshots.get(snapshot)?.close()
      snapshots.delete(snapshot)
    },
  }
}
