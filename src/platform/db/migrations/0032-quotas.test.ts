import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { firstMigrations, migrate } from '../migrate.ts'

const EARLIER = firstMigrations(31)

const account = (id: string) =>
  sql`INSERT INTO accounts (id, email, plan, created_at)
    VALUES (${id}, ${`${id}@example.com`}, 'free', '2026')`
const page = (id: string, accountId: string, importingAt: string | null = null) =>
  sql`INSERT INTO pages (id, account_id, slug, title, settings, password_sealed, access_epoch,
      source, draft_id, published_id, published_at, is_listed, revision, created_at, updated_at,
      access, search_text, importing_at)
    VALUES (${id}, ${accountId}, ${id}, NULL, '{}', NULL, 1, 'api', 'm', NULL,
      NULL, 0, 1, '2026', '2026', 'link', '', ${importingAt})`
const version = (pageId: string, versionNo: number, bytes: number) =>
  sql`INSERT INTO versions (page_id, version_no, source, label, manifest_id, size_bytes, created_at)
    VALUES (${pageId}, ${versionNo}, 'edit', NULL, 'm', ${bytes}, '2026')`

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`accounts from before have the sum of their versions, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, testSecrets, EARLIER)
    await it.run(
      ...['ann', 'ben', 'cid'].map(account),
      ...[page('one', 'ann'), page('two', 'ann'), page('hidden', 'ann', ''), page('other', 'ben')],
      ...[version('one', 1, 2_000_000_000), version('one', 2, 2_000_000_000)],
      ...[version('two', 1, 30), version('hidden', 1, 4), version('other', 1, 5)],
    )
    expect(await migrate(it.database, testSecrets)).toContain('0032-quotas')
    const rows = await it.rows<{ id: string; stored_bytes: number }>('accounts')
    expect(Object.fromEntries(rows.map((row) => [row.id, row.stored_bytes]))).toEqual({
      ann: 4_000_000_034,
      ben: 5,
      cid: 0,
    })
  })
}
