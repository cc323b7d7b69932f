import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { firstMigrations, migrate } from '../migrate.ts'

const EARLIER = firstMigrations(5)

const account = (id: string, createdAt: string) =>
  sql`INSERT INTO accounts VALUES (${id}, ${`${id}@example.com`}, NULL, 'free', ${createdAt})`
const key = (accountId: string, name: string) =>
  sql`INSERT INTO api_keys VALUES (${`key_${accountId}_${name}`}, ${accountId}, ${name},
    ${`hash ${accountId} ${name}`}, 'hint', '2026', NULL, NULL)`

for (const engine of ['sqlite', 'postgres'] as const) {
  async function operatorsAfter(...statements: ReturnType<typeof key>[]): Promise<string[]> {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, testSecrets, EARLIER)
    await it.run(...statements)
    expect(await migrate(it.database, testSecrets)).toContain('0006-operators')
    const accounts = await it.rows<{ id: string; is_operator: number }>('accounts')
    return accounts.filter((row) => row.is_operator === 1).map(({ id }) => id)
  }

  test(`the account that the set-up link made becomes an operator, on ${engine}`, async () => {
    const operators = await operatorsAfter(
      account('bob', '2026-02'),
      account('ann', '2026-01'),
      key('ann', 'first key'),
      key('bob', 'first key'),
      key('ann', 'Laptop'),
    )
    expect(operators).toEqual(['ann'])
  })

  test(`no account that a command made becomes an operator, on ${engine}`, async () => {
    const operators = await operatorsAfter(
      account('ann', '2026-01'),
      account('bob', '2026-02'),
      key('ann', 'Laptop'),
      key('bob', 'first key'),
    )
    expect(operators).toEqual([])
  })
}
