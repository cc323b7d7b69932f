import { describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { freshDatabase } from '../../../testing/postgres.ts'
import type { Database } from '../index.ts'
import { migrate } from '../migrate.ts'
import { openPostgres } from '../postgres.ts'
import { openSqlite } from '../sqlite.ts'
import { core } from './0001-core.ts'
import { gates } from './0002-gates.ts'
import { responses } from './0003-responses.ts'

async function openEmpty(engine: 'sqlite' | 'postgres') {
  if (engine === 'postgres') {
    const { url, drop } = await freshDatabase()
    return { database: await openPostgres(url, { max: 2 }), remove: drop }
  }
  const folder = mkdtempSync(join(tmpdir(), 'handbill-migration-'))
  const remove = async () => rmSync(folder, { recursive: true })
  return { database: openSqlite(join(folder, 'test.db')), remove }
}

const run = (database: Database, statements: RawBuilder<unknown>[]) =>
  database.write(async (tx) => {
    for (const statement of statements) await statement.execute(tx)
  })

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the migration to one table of event counts on ${engine}`, () => {
    it('carries over the counts of views and responses, and drops their tables', async () => {
      const { database, remove } = await openEmpty(engine)
      await migrate(database, [core, gates, responses])
      await run(database, [
        sql`INSERT INTO accounts VALUES ('acc_1', 'ann@example.com', NULL, 'free', '2026')`,
        sql`INSERT INTO pages VALUES ('pg_1', 'acc_1', 'one', NULL, '{}', NULL, 1, 'api', 'm',
          NULL, NULL, 0, 1, '2026', '2026')`,
        sql`INSERT INTO view_notices VALUES ('pg_1', 29000000, 21), ('pg_1', 29000001, 2)`,
        sql`INSERT INTO response_notices VALUES ('pg_1', 29000000, 3)`,
      ])

      expect(await migrate(database)).toContain('0004-events')

      const rows = await database.read
        .selectFrom('event_counts')
        .selectAll()
        .orderBy('kind')
        .orderBy('minute')
        .execute()
      expect(rows.map((row) => ({ ...row }))).toEqual([
        { page_id: 'pg_1', kind: 'response', minute: 29000000, count: 3 },
        { page_id: 'pg_1', kind: 'view', minute: 29000000, count: 21 },
        { page_id: 'pg_1', kind: 'view', minute: 29000001, count: 2 },
      ])
      for (const table of ['view_notices', 'response_notices']) {
        const reading = sql`SELECT * FROM ${sql.table(table)}`.execute(database.read)
        await expect(reading).rejects.toThrow(table)
      }
      await run(database, [sql`DELETE FROM pages`])
      expect(await database.read.selectFrom('event_counts').selectAll().execute()).toEqual([])
      await database.close()
      await remove()
    })
  })
}
