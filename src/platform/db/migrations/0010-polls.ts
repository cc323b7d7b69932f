import type { Migration } from '../migration.ts'

export const polls: Migration = {
  name: '0010-polls',
  up: () => [
    `CREATE TABLE polls (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      vote_count integer NOT NULL, option_count integer NOT NULL)`,

    `CREATE TABLE poll_options (
      page_id text NOT NULL REFERENCES polls (page_id) ON DELETE CASCADE,
      option_no integer NOT NULL, text text NOT NULL, votes integer NOT NULL,
      PRIMARY KEY (page_id, option_no), UNIQUE (page_id, text))`,

    `CREATE TABLE votes (
      page_id text NOT NULL REFERENCES polls (page_id) ON DELETE CASCADE,
      voter text NOT NULL, option_no integer NOT NULL,
      email text, name text, voted_at text, PRIMARY KEY (page_id, voter))`,
    `CREATE INDEX votes_named ON votes (page_id, voted_at) WHERE voted_at IS NOT NULL`,
  ],
}
