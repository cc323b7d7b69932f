import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { firstMigrations, migrate } from '../migrate.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the migration to one table of event counts on ${engine}`, () => {
    it('carries over the counts of views and responses, and drops their tables', async () => {
      await using empty = await emptyDatabase(engine)
      const { database, run } = empty
      await migrate(database, testSecrets, firstMigrations(3))
      await run(
        sql`INSERT INTO accounts VALUES ('acc_1', 'ann@example.com', NULL, 'free', '2026')`,
        sql`INSERT INTO pages VALUES ('pg_1', 'acc_1', 'one', NULL, '{}', NULL, 1, 'api', 'm',
          NULL, NULL, 0, 1, '2026', '2026')`,
        sql`INSERT INTO view_notices VALUES ('pg_1', 29000000, 21), ('pg_1', 29000001, 2)`,
        sql`INSERT INTO response_notices VALUES ('pg_1', 29000000, 3)`,
      )

      expect(await migrate(database, testSecrets)).toContain('0004-events')

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
      await run(sql`DELETE FROM pages`)
      expect(await database.read.selectFrom('event_counts').selectAll().execute()).toEqual([])
    })
  })
}
