import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** A table that is kept in the order of its keys, not in that in which rows were written. */
const inKeyOrder = (blob: 'blob' | 'bytea') => (blob === 'blob' ? ' WITHOUT ROWID' : '')

/**
 * The options of secret votes and the counts of polls are sealed. The tables are made anew: only
 * databases from before the first release can have votes that are not.
 */
export const secretVotes: Migration = {
  name: '0033-secret-votes',
  up: (blob) => [
    'ALTER TABLE outbox ADD COLUMN forgets_recipient integer NOT NULL DEFAULT 0',
    'ALTER TABLE polls ADD COLUMN tally text',
    'DROP TABLE votes',
    'DROP TABLE poll_options',
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
  async fill(tx) {
    const { rows } = await sql`SELECT 1 FROM polls LIMIT 1`.execute(tx)
    if (rows.length > 0) throw new Error('Polls from before the first release cannot be kept.')
  },
}
