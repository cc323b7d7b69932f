import { sql } from 'kysely'
import type { Secrets } from '../secrets.ts'
import { lockUntilCommit } from './advisory-lock.ts'
import type { Database, Db, Tx } from './index.ts'
import type { Migration, MigrationContext } from './migration.ts'
import { core } from './migrations/0001-core.ts'
import { gates } from './migrations/0002-gates.ts'
import { responses } from './migrations/0003-responses.ts'
import { events } from './migrations/0004-events.ts'
import { gcCandidates } from './migrations/0005-gc-candidates.ts'
import { operators } from './migrations/0006-operators.ts'
import { guests } from './migrations/0007-guests.ts'
import { listTypes } from './migrations/0008-list-types.ts'
import { fileEdits } from './migrations/0009-file-edits.ts'
import { polls } from './migrations/0010-polls.ts'
import { approvals } from './migrations/0011-approvals.ts'
import { comments } from './migrations/0012-comments.ts'
import { analytics } from './migrations/0013-analytics.ts'
import { accountMails } from './migrations/0014-account-mails.ts'
import { pageLists } from './migrations/0015-page-lists.ts'
import { accountDeletion } from './migrations/0016-account-deletion.ts'
import { takedowns } from './migrations/0017-takedowns.ts'
import { inbox } from './migrations/0018-inbox.ts'
import { importedApprovals } from './migrations/0019-imported-approvals.ts'
import { importedViewers } from './migrations/0020-imported-viewers.ts'
import { originNeeds } from './migrations/0021-origin-needs.ts'
import { commentChanges } from './migrations/0022-comment-changes.ts'
import { inboxOrder } from './migrations/0023-inbox-order.ts'
import { imports } from './migrations/0024-imports.ts'
import { viewMoves } from './migrations/0025-view-moves.ts'
import { leases } from './migrations/0026-leases.ts'
import { identities } from './migrations/0027-identities.ts'
import { listIndexes } from './migrations/0028-list-indexes.ts'
import { pageChanges } from './migrations/0029-page-changes.ts'
import { listMoves } from './migrations/0030-list-moves.ts'
import { suspensions } from './migrations/0031-suspensions.ts'
import { quotas } from './migrations/0032-quotas.ts'
import { secretVotes } from './migrations/0033-secret-votes.ts'
import { freedSlugs } from './migrations/0035-freed-slugs.ts'
import { noListMoves } from './migrations/0036-no-list-moves.ts'
import { listTables } from './table-copy.ts'

type Engine = Database['engine']

/** In the order in which they run. */
export const MIGRATIONS: readonly Migration[] = [
  core,
  gates,
  responses,
  events,
  gcCandidates,
  operators,
  guests,
  listTypes,
  fileEdits,
  polls,
  approvals,
  comments,
  analytics,
  accountMails,
  pageLists,
  accountDeletion,
  takedowns,
  inbox,
  importedApprovals,
  importedViewers,
  originNeeds,
  commentChanges,
  inboxOrder,
  imports,
  viewMoves,
  leases,
  identities,
  listIndexes,
  pageChanges,
  listMoves,
  suspensions,
  quotas,
  secretVotes,
  freedSlugs,
  noListMoves,
]

/** The names of all migrations, in their order. */
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
  return database.write((tx) => migrateWithin(tx, { engine, secrets }, migrations))
}

/** The same as part of a larger transaction. */
export async function migrateWithin(
  tx: Tx,
  context: MigrationContext,
  migrations = MIGRATIONS,
): Promise<string[]> {
  await lockSchema(tx, context.engine)
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

/** Nodes that start at once on PostgreSQL migrate one after the other; SQLite has one writer. */
async function lockSchema(tx: Tx, engine: Engine): Promise<void> {
  if (engine !== 'postgres') return
  // Migrating a large table takes long, and so does waiting for another node that does it.
  await execute(tx, 'SET LOCAL statement_timeout = 0')
  // A restore reads its archive meanwhile.
  await execute(tx, `SET LOCAL idle_in_transaction_session_timeout = '60s'`)
  await lockUntilCommit(tx, engine, 'schema')
}

/** An older program must not write to a schema that it does not know. */
function assertKnown(names: Set<string>): void {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const unknown = [...names].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this program (${unknown.join(', ')}): update it.`)
  }
}

async function execute(tx: Tx, statement: string): Promise<void> {
  await sql.raw(statement).execute(tx)
}
