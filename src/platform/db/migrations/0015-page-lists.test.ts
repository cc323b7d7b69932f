import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { firstMigrations, migrate } from '../migrate.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`pages from before can be searched and filtered, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, testSecrets, firstMigrations(1))
    const settings = JSON.stringify({ access: 'people', expires_at: '2027-01-01T00:00:00.000000Z' })
    const page = (id: string, title: string | null, stored: string) =>
      sql`INSERT INTO pages VALUES (${id}, 'acc_1', ${`slug-${id}`}, ${title}, ${stored}, NULL, 1,
        'api', 'm', NULL, NULL, 0, 1, '2026', '2026')`
    const many = Array.from({ length: 1500 }, (_, at) => page(`pg_2${at}`, null, '{}'))
    await it.run(
      sql`INSERT INTO accounts VALUES ('acc_1', 'ann@example.com', NULL, 'free', '2026')`,
      page('pg_1', 'Über', settings),
      ...many,
    )

    expect(await migrate(it.database, testSecrets)).toContain('0015-page-lists')

    const rows = await it.rows<Record<string, unknown>>('pages')
    expect(rows.find(({ id }) => id === 'pg_1')).toMatchObject({
      access: 'people',
      expires_at: '2027-01-01T00:00:00.000000Z',
      search_text: 'uber\nslug-pg_1',
    })
    const others = rows.filter(({ id }) => id !== 'pg_1')
    expect(others).toHaveLength(1500)
    expect(others.every((row) => row.search_text === `\n${row.slug}`)).toBe(true)
    expect(others.every((row) => row.access === 'link' && row.expires_at === null)).toBe(true)
  })
}
