import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { openPostgres } from '../platform/db/postgres.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import { freshDatabase } from './postgres.ts'

/** A database without tables, for tests of migrations. */
export async function emptyDatabase(engine: 'sqlite' | 'postgres') {
  const { database, folder, remove } = await open(engine)
  return {
    database,
    /** Of SQLite’s file, `test.db`. */
    folder,
    async run(...statements: RawBuilder<unknown>[]): Promise<void> {
      await database.write(async (tx) => {
        for (const statement of statements) await statement.execute(tx)
      })
    },
    rows: async <Row>(table: string): Promise<Row[]> => {
      const { rows } = await sql<Row>`SELECT * FROM ${sql.table(table)}`.execute(database.read)
      return rows.map((row) => ({ ...row }))
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await remove()
    },
  }
}

async function open(engine: 'sqlite' | 'postgres') {
  if (engine === 'postgres') {
    const { url, drop } = await freshDatabase()
    return { database: await openPostgres(url, { max: 2 }), folder: null, remove: drop }
  }
  const folder = mkdtempSync(join(tmpdir(), 'handbill-migration-'))
  const remove = async () => rmSync(folder, { recursive: true })
  return { database: openSqlite(join(folder, 'test.db')), folder, remove }
}
