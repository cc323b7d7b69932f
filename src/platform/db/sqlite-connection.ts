import { Database as Handle } from 'bun:sqlite'

/** Set on every connection. */
const SETTINGS = {
  journal_mode: 'wal',
  // Of commits, log-syncs.ts makes the log durable. Checkpoints sync, and new logs their header.
  synchronous: 1,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
} as const

/** @throws when SQLite does not accept a setting */
export function openConnection(
  path: string,
  mode: ConstructorParameters<typeof Handle>[1],
): Handle {
  const handle = new Handle(path, mode)
  handle.run('PRAGMA busy_timeout = 5000')
  for (const [name, value] of Object.entries(SETTINGS)) {
    handle.run(`PRAGMA ${name} = ${value}`)
    const actual = Object.values(handle.query(`PRAGMA ${name}`).get() as object)[0]
    if (actual !== value) throw new Error(`SQLite: ${name} is ${actual}, not ${value} (${path})`)
  }
  // A checkpoint costs two fsyncs. At this size they are rare, and the log still opens quickly.
  handle.run('PRAGMA wal_autocheckpoint = 4000')
  handle.run('PRAGMA journal_size_limit = 67108864')
  return handle
}
