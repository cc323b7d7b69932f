import { sql } from 'kysely'
import type { Secrets } from '../../secrets.ts'
import type { Migration, MigrationTx } from '../migration.ts'

const BATCH = 500
const DIGITS = 7

/** A table that is kept in the order of its keys, not in that in which rows were written. */
const inKeyOrder = (blob: 'blob' | 'bytea') => (blob === 'blob' ? ' WITHOUT ROWID' : '')

/**
 * Seals the options of secret votes and the counts of polls. The tables are made anew, with the
 * rows in the order of their keys and the options in that of their texts: the order of rows told
 * who voted what, and the number of an option when it was first voted for. Mails that asked voters
 * to confirm their address lose it.
 */
export const secretVotes: Migration = {
  name: '0033-secret-votes',
  up: (blob) => [
    // What is deleted here is overwritten in the file.
    ...(blob === 'blob' ? ['PRAGMA secure_delete = ON'] : []),
    'ALTER TABLE outbox ADD COLUMN forgets_recipient integer NOT NULL DEFAULT 0',
    `UPDATE outbox SET forgets_recipient = 1
      WHERE subject LIKE 'Confirm your email to vote on %'`,
    // A mail with its text waits for the operator to pass it on.
    `UPDATE outbox SET to_address = ''
      WHERE forgets_recipient = 1 AND sent_at IS NOT NULL AND text_body = ''`,

    'ALTER TABLE polls ADD COLUMN tally text',
    'DROP INDEX votes_named',
    'ALTER TABLE poll_options RENAME TO former_poll_options',
    'ALTER TABLE votes RENAME TO former_votes',
    `CREATE TABLE poll_options (
      page_id text NOT NULL REFERENCES polls (page_id) ON DELETE CASCADE,
      option_no integer NOT NULL, text text NOT NULL,
      PRIMARY KEY (page_id, option_no), UNIQUE (page_id, text))`,
    `CREATE TABLE votes (
      page_id text NOT NULL REFERENCES polls (page_id) ON DELETE CASCADE,
      voter text NOT NULL, option_no integer, ballot text,
      email text, name text, voted_at text, PRIMARY KEY (page_id, voter),
      CHECK ((ballot IS NULL) = (email IS NOT NULL)),
      CHECK ((ballot IS NULL) = (option_no IS NOT NULL)))${inKeyOrder(blob)}`,
    `CREATE INDEX votes_named ON votes (page_id, voted_at) WHERE voted_at IS NOT NULL`,
  ],
  async fill(tx, { engine, secrets }) {
    const { rows } = await sql<{ page_id: string }>`SELECT page_id FROM polls`.execute(tx)
    for (const { page_id: pageId } of rows) {
      const numbers = await fillOptions(tx, secrets, pageId)
      await fillVotes(tx, secrets, { pageId, numbers })
    }
    await sql`DROP TABLE former_votes`.execute(tx)
    await sql`DROP TABLE former_poll_options`.execute(tx)
    if (engine === 'sqlite') await sql`PRAGMA secure_delete = OFF`.execute(tx)
  },
}

interface Option {
  option_no: number
  text: string
  votes: number
}

/** @returns the new numbers of the options, by the former ones */
async function fillOptions(
  tx: MigrationTx,
  secrets: Secrets,
  pageId: string,
): Promise<Map<number, number>> {
  const { rows } = await sql<Option>`SELECT option_no, text, votes FROM former_poll_options
    WHERE page_id = ${pageId}`.execute(tx)
  const options = [...rows].sort((a, b) => (a.text < b.text ? -1 : 1))
  for (const [at, { text }] of options.entries()) {
    await sql`INSERT INTO poll_options (page_id, option_no, text)
      VALUES (${pageId}, ${at + 1}, ${text})`.execute(tx)
  }
  const tally =
    options.length === 0
      ? null
      : secrets.seal('tally', pageId, options.map(({ votes }) => padded(votes)).join(' '))
  await sql`UPDATE polls SET option_count = ${options.length}, tally = ${tally}
    WHERE page_id = ${pageId}`.execute(tx)
  return new Map(options.map(({ option_no: former }, at) => [former, at + 1]))
}

interface FormerVote {
  voter: string
  option_no: number
  email: string | null
  name: string | null
  voted_at: string | null
}

async function fillVotes(
  tx: MigrationTx,
  secrets: Secrets,
  { pageId, numbers }: { pageId: string; numbers: ReadonlyMap<number, number> },
): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<FormerVote>`
      SELECT voter, option_no, email, name, voted_at FROM former_votes
      WHERE page_id = ${pageId} AND voter > ${after} ORDER BY voter LIMIT ${BATCH}`.execute(tx)
    if (rows.length === 0) return
    const values = rows.map(({ voter, option_no: former, email, name, voted_at: at }) => {
      const no = numbers.get(former)!
      const ballot =
        email === null ? secrets.seal('ballot', `${pageId} ${voter}`, padded(no)) : null
      return sql`(${pageId}, ${voter}, ${email === null ? null : no}, ${ballot}, ${email}, ${name},
        ${at})`
    })
    await sql`INSERT INTO votes (page_id, voter, option_no, ballot, email, name, voted_at)
      VALUES ${sql.join(values)}`.execute(tx)
    after = rows.at(-1)!.voter
  }
}

function padded(value: number): string {
  return String(value).padStart(DIGITS, '0')
}
