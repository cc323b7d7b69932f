import { SQL } from 'bun'
import { migrate } from '../platform/db/migrate.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { type FreshDatabase, freshDatabase } from './postgres.ts'

/**
 * A PostgreSQL database with our tables and nothing in them. Making one takes ten times as long as
 * emptying one, so those that tests have done with are used again.
 */
export async function migratedDatabase(): Promise<FreshDatabase> {
  const free = freeDatabases()
  const url = free.pop() ?? (await makeDatabase())
  return {
    url,
    async drop() {
      await empty(url)
      free.push(url)
    },
  }
}

/** Shared by all test files: `bun test` loads this module anew for each. */
function freeDatabases(): string[] {
  const shared = globalThis as { handbill_free_databases?: string[] }
  shared.handbill_free_databases ??= []
  return shared.handbill_free_databases
}

async function makeDatabase(): Promise<string> {
  const { url } = await freshDatabase()
  const database = await openPostgres(url, { max: 1 })
  await migrate(database)
  await database.close()
  return url
}

async function empty(url: string): Promise<void> {
  const client = new SQL(url, { max: 1 })
  const tables: { name: string }[] = await client`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'migrations'`
  const deletes = tables.map(({ name }) => `DELETE FROM ${name}`)
  // Foreign keys are triggers, which a replica does not run: any order will do.
  await client.unsafe(['SET session_replication_role = replica', ...deletes].join(';')).simple()
  await client.close()
}
