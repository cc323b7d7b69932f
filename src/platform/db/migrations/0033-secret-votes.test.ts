import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createBallots } from '../../../features/polls/index.ts'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { MIGRATIONS, migrate, migrateWithin } from '../migrate.ts'
import { withoutOrder } from '../table-copy.ts'
import { secretVotes } from './0033-secret-votes.ts'

const EARLIER = MIGRATIONS.slice(0, MIGRATIONS.indexOf(secretVotes))
const ASKED = 'Confirm your email to vote on “Plan” on pages.example.com'

/** In the order in which they voted; the keys of voters have no order. */
const VOTERS = ['tR', 'aB', 'zC', 'bD', 'yE', 'cF', 'xG'].map((start) => start.repeat(20))

const vote = (voter: string, optionNo: number, named: { email: string } | null = null) => {
  const [name, at] = named === null ? [null, null] : ['Name', '2026-01-01']
  return sql`INSERT INTO votes (page_id, voter, option_no, email, name, voted_at)
    VALUES ('pg_1', ${voter}, ${optionNo}, ${named?.email ?? null}, ${name}, ${at})`
}
const mail = (
  id: string,
  { subject, text = '', sent = true }: { [part: string]: string | boolean },
) =>
  sql`INSERT INTO outbox (id, to_address, subject, text_body, html_body, headers, not_before,
      attempts, created_at, sent_at)
    VALUES (${id}, ${`${id}@example.com`}, ${subject}, ${text}, '', '{}', '2026', 1, '2026',
      ${sent ? '2026' : null})`

const PAGE = [
  sql`INSERT INTO accounts (id, email, plan, created_at)
    VALUES ('acc_1', 'ann@example.com', 'free', '2026')`,
  sql`INSERT INTO pages (id, account_id, slug, settings, access_epoch, source, draft_id,
      is_listed, revision, created_at, updated_at, access, search_text)
    VALUES ('pg_1', 'acc_1', 'one', '{}', 1, 'api', 'm', 0, 1, '2026', '2026', 'link', '')`,
  sql`INSERT INTO polls (page_id, vote_count, option_count) VALUES ('pg_1', 8, 3)`,
  // The first voter chose Yes, so it has the first number.
  sql`INSERT INTO poll_options (page_id, option_no, text, votes)
    VALUES ('pg_1', 1, 'Yes', 4), ('pg_1', 2, 'No', 3), ('pg_1', 3, 'Abstain', 1)`,
  ...VOTERS.map((voter, at) => vote(voter, (at % 2) + 1)),
  vote('named', 3, { email: 'dan@example.com' }),
]

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`votes from before are sealed, out of their order, and count as before, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, testSecrets, EARLIER)
    await it.run(
      ...PAGE,
      mail('voted', { subject: ASKED }),
      mail('waits', { subject: ASKED, sent: false }),
      mail('to-pass-on', { subject: ASKED, text: 'The link' }),
      mail('commented', { subject: ASKED.replace('vote', 'comment') }),
    )

    expect(await migrate(it.database, testSecrets)).toContain('0033-secret-votes')

    const { read } = it.database
    const ballots = createBallots(testSecrets)
    const options = await ballots.listOptions(read, 'pg_1')
    expect(options.sort((a, b) => a.option_no - b.option_no)).toEqual([
      { option_no: 1, text: 'Abstain', votes: 1 },
      { option_no: 2, text: 'No', votes: 3 },
      { option_no: 3, text: 'Yes', votes: 4 },
    ])
    for (const [at, voter] of VOTERS.entries()) {
      const [found] = await ballots.findVotes(read, 'pg_1', [voter])
      expect(found!.option_no).toBe(at % 2 === 0 ? 3 : 2)
    }
    const [named] = await ballots.findVotes(read, 'pg_1', ['named'])
    expect(named).toMatchObject({ option_no: 1, email: 'dan@example.com', voted_at: '2026-01-01' })
    const stored = await it.rows<Record<string, unknown>>('votes')
    const secret = stored.filter(({ voter }) => voter !== 'named')
    expect(secret.map(({ voter }) => voter)).toEqual(VOTERS.toSorted((a, b) => a.localeCompare(b)))
    expect(new Set(secret.map(({ option_no: no }) => no))).toEqual(new Set([null]))
    const mails = await it.rows<{ id: string; to_address: string }>('outbox')
    expect(new Map(mails.map((row) => [row.id, row.to_address]))).toEqual(
      new Map([
        ['voted', ''],
        ['waits', 'waits@example.com'],
        ['to-pass-on', 'to-pass-on@example.com'],
        ['commented', 'commented@example.com'],
      ]),
    )
    await it.run(sql`DELETE FROM pages`)
    expect(await it.rows('votes')).toEqual([])
  })

  test(`a backup from before is restored with sealed votes, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    const { database } = it
    await database.write(async (tx) => {
      const context = { engine, secrets: testSecrets }
      await migrateWithin(tx, context, EARLIER)
      await withoutOrder(tx, engine, async () => {
        for (const statement of PAGE.toReversed()) await statement.execute(tx)
      })
      await migrateWithin(tx, context)
    })
    const options = await createBallots(testSecrets).listOptions(database.read, 'pg_1')
    expect(options.map(({ votes }) => votes).sort()).toEqual([1, 3, 4])
    expect(await it.rows('votes')).toHaveLength(VOTERS.length + 1)
  })
}

test('the file of SQLite has nothing left of the rows as they were', async () => {
  await using it = await emptyDatabase('sqlite')
  await migrate(it.database, testSecrets, EARLIER)
  await it.run(...PAGE, mail('voted', { subject: ASKED }))
  await migrate(it.database, testSecrets)
  const path = join(it.folder!, 'test.db')
  const handle = new Database(path)
  handle.run('PRAGMA wal_checkpoint(TRUNCATE)')
  handle.close()
  const bytes = readFileSync(path, 'latin1')
  for (const voter of VOTERS) expect(bytes.split(voter)).toHaveLength(2)
  expect(bytes).not.toContain('voted@example.com')
})
