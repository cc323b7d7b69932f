import type { Database as Handle, SQLQueryBindings } from 'bun:sqlite'
import { openConnection } from './sqlite-connection.ts'
import { numbered } from './sqlite-dialect.ts'

/** Rows are handed over in parts: to receive all at once could take long as well. */
const PART = 1000

export interface StatementToRead {
  /** The file of the database. */
  path: string
  /** Names the snapshot, which its first statement opens. */
  snapshot: string
  /** Counts the statements of the snapshot from 0. */
  number: number
  statement: string
  parameters: SQLQueryBindings[]
}

export interface RowPart {
  rows: object[]
  hasMore: boolean
}

interface Snapshot {
  handle: Handle
  /** The rows that were not handed over, by the number of the statement. */
  rest: Map<number, object[]>
}

type Statement = Pick<StatementToRead, 'snapshot' | 'number'>

/** Reads of SQLite in a thread. All of one snapshot must run in the same thread. */
export function createSqliteTasks() {
  const snapshots = new Map<string, Snapshot>()

  function openSnapshot(path: string, name: string): void {
    const handle = openConnection(path, { readonly: true })
    handle.run('BEGIN')
    snapshots.set(name, { handle, rest: new Map() })
  }
  /** @throws when the thread that had the snapshot has ended */
  function snapshotOf(name: string): Snapshot {
    const opened = snapshots.get(name)
    if (opened === undefined) throw new Error('The snapshot is gone')
    return opened
  }
  function nextPart({ snapshot, number }: Statement): RowPart {
    const { rest } = snapshotOf(snapshot)
    const rows = rest.get(number) ?? []
    const hasMore = rows.length > PART
    if (hasMore) rest.set(number, rows.slice(PART))
    else rest.delete(number)
    return { rows: rows.slice(0, PART), hasMore }
  }

  return {
    sqliteRead({ path, snapshot, number, statement, parameters }: StatementToRead): RowPart {
      if (number === 0) openSnapshot(path, snapshot)
      const { handle, rest } = snapshotOf(snapshot)
      const query = handle.prepare(numbered(statement))
      try {
        rest.set(number, query.all(...parameters) as object[])
      } finally {
        query.finalize()
      }
      return nextPart({ snapshot, number })
    },
    sqliteMore: nextPart,
    sqliteEnd({ snapshot }: { snapshot: string }): void {
      snapshots.get(snapshot)?.handle.close()
      snapshots.delete(snapshot)
    },
  }
}
