import type { Migration } from '../migration.ts'

export const responses: Migration = {
  name: '0003-responses',
  up: () => [
    `CREATE TABLE responses (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      viewer text NOT NULL, respondent text NOT NULL, name text,
      submitted_at text NOT NULL, created_at text NOT NULL, page_version text, path text NOT NULL,
      submit_count integer NOT NULL, data text NOT NULL, controls text,
      size_bytes integer NOT NULL, submissions text NOT NULL, UNIQUE (page_id, viewer))`,
    'CREATE UNIQUE INDEX responses_in_order ON responses (page_id, created_at)',
    'CREATE INDEX responses_since ON responses (page_id, submitted_at)',

    `CREATE TABLE response_counters (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      count integer NOT NULL, bytes bigint NOT NULL, last_us bigint NOT NULL,
      revision integer NOT NULL)`,

    `CREATE TABLE response_notices (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, minute integer NOT NULL,
      responses integer NOT NULL, PRIMARY KEY (page_id, minute))`,
  ],
}
