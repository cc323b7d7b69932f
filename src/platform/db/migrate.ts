import { sql } from 'kysely'
import type { Secrets } from '../secrets.ts'
import { hasCode } from './errors.ts'
import type { Database, Db, Tx } from './index.ts'
import { lockUntilCommit } from './leases.ts'
import type { Migration, MigrationContext } from './migration.ts'
import { FIRST } from './migrations/0001-to-0014.ts'
import { pageLists } from './migrations/0015-page-lists.ts'
import { FROM_16 } from './migrations/0016-to-0035.ts'
import { inboxOrder } from './migrations/0023-inbox-order.ts'
import { listMoves, noListMoves } from './migrations/0030-list-moves.ts'
import { secretVotes } from './migrations/0033-secret-votes.ts'
import { FROM_37 } from './migrations/0037-to-0059.ts'
import { feedbackEvents } from './migrations/0039-feedback-events.ts'
import { listTables } from './table-copy.ts'

/** In the order in which they run: that of their numbers. */
export const MIGRATIONS: readonly Migration[] = [
  ...FIRST,
  ...FROM_16,
  ...FROM_37,
  ...[pageLists, inboxOrder, listMoves, secretVotes, noListMoves, feedbackEvents],
].sort((a, b) => (a.name < b.name ? -1 : 1))

export function migrationNames(): string[] {
  return MIGRATIONS.map(({ name }) => name)
}

/** The first migrations, up to those that a database of an older version had. */
export function firstMigrations(count: number): readonly Migration[] {
  return MIGRATIONS.slice(0, count)
}

/** The names of the migrations that have run, and of those that are due. */
export async function schemaState(database: Database): Promise<{ done: string[]; due: string[] }> {
  const tables = await listTables(database.read, database.engine)
  const done = tables.some(({ name }) => name === 'migrations') ? await doneIn(database.read) : []
  return { done, due: migrationNames().filter((name) => !done.includes(name)) }
}

async function doneIn(db: Db): Promise<string[]> {
  const done = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(db)
  return done.rows.map((row) => row.name)
}

/**
 * Brings the schema up to date in one transaction, under a lock.
 *
 * @param secrets of the master key that protects these data
 * @param migrations all of them, except in tests of a single one
 * @returns the names of those that ran
 */
export function migrate(
  database: Database,
  secrets: Secrets,
  migrations = MIGRATIONS,
): Promise<string[]> {
  const { engine } = database
  const run = (tx: Tx) => migrateWithin(tx, { engine, secrets }, migrations)
  return database.write(run, 'unhurried').catch((err: Error) => {
    // Since PostgreSQL 15, who may use a database may not make tables in it.
    if (!hasCode(err, /^42501$/)) throw err
    const cure = 'let the user in DATABASE_URL own the database and its tables'
    throw new Error(`PostgreSQL: ${err.message}: ${cure}`, { cause: err })
  })
}

/** The same as part of a larger transaction, which must be `unhurried`. */
export async function migrateWithin(
  tx: Tx,
  context: MigrationContext,
  migrations = MIGRATIONS,
): Promise<string[]> {
  // Nodes that start at once migrate one after the other.
  await lockUntilCommit(tx, context.engine, 'schema')
  await execute(tx, 'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)')
  const names = new Set(await doneIn(tx))
  assertKnown(names)
  const due = migrations.filter(({ name }) => !names.has(name))
  for (const migration of due) await apply(tx, context, migration)
  return due.map(({ name }) => name)
}

async function apply(tx: Tx, context: MigrationContext, migration: Migration): Promise<void> {
  for (const statement of migration.up(context.engine === 'sqlite' ? 'blob' : 'bytea')) {
    await execute(tx, statement)
  }
  await migration.fill?.(tx, context)
  await sql`INSERT INTO migrations (name) VALUES (${migration.name})`.execute(tx)
}

/** An older program must not write to a schema that it does not know. */
function assertKnown(names: Set<string>): void {
  const ownNames = new Set(MIGRATIONS.map(({ name }) => name))
  const unknown = [...names].filter((name) => !ownNames.has(name))
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this program (${unknown.join(', ')}): update it.`)
  }
}

async function execute(tx: Tx, statement: string): Promise<void> {
  await sql.raw(statement).execute(tx)
}
