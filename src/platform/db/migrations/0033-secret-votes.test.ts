import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'
import { secretVotes } from './0033-secret-votes.ts'

const EARLIER = MIGRATIONS.slice(0, MIGRATIONS.indexOf(secretVotes))

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`a database with votes that are not sealed stays as it is, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, EARLIER)
    await it.run(
      sql`INSERT INTO accounts (id, email, plan, created_at)
        VALUES ('acc_1', 'ann@example.com', 'free', '2026')`,
      sql`INSERT INTO pages (id, account_id, slug, settings, access_epoch, source, draft_id,
          is_listed, revision, created_at, updated_at, access, search_text)
        VALUES ('pg_1', 'acc_1', 'one', '{}', 1, 'api', 'm', 0, 1, '2026', '2026', 'link', '')`,
      sql`INSERT INTO polls (page_id, vote_count, option_count) VALUES ('pg_1', 1, 1)`,
      sql`INSERT INTO poll_options (page_id, option_no, text, votes) VALUES ('pg_1', 1, 'Yes', 1)`,
      sql`INSERT INTO votes (page_id, voter, option_no) VALUES ('pg_1', 'ann', 1)`,
    )

    expect(migrate(it.database)).rejects.toThrow('Polls from before the first release')
    await migrate(it.database).catch(() => {})
    expect(await it.rows('votes')).toMatchObject([{ voter: 'ann', option_no: 1 }])

    await it.run(sql`DELETE FROM pages`)
    expect(await migrate(it.database)).toContain('0033-secret-votes')
  })
}
