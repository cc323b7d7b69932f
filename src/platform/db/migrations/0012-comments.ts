import type { Migration } from '../migration.ts'

export const comments: Migration = {
  name: '0012-comments',
  up: () => [
    `CREATE TABLE comments (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      parent_id text REFERENCES comments (id) ON DELETE CASCADE,
      author_kind text NOT NULL, author_key text NOT NULL, author_email text, name text,
      submission_id text NOT NULL, body text NOT NULL, path text NOT NULL,
      version_no integer NOT NULL, file_hash text NOT NULL,
      anchor text, anchor_state text, anchor_places text NOT NULL,
      anchor_manifest_id text NOT NULL,
      state text NOT NULL, addressed_in integer, addressed_by_draft integer,
      is_hidden integer NOT NULL, is_deleted integer NOT NULL,
      created_at text NOT NULL, edited_at text, revision bigint NOT NULL,
      UNIQUE (page_id, author_key, submission_id))`,
    'CREATE UNIQUE INDEX comments_in_order ON comments (page_id, created_at)',
    'CREATE INDEX comments_changed ON comments (page_id, revision)',
    'CREATE INDEX comments_replies ON comments (parent_id) WHERE parent_id IS NOT NULL',
    `CREATE INDEX comments_addressed ON comments (page_id)
      WHERE addressed_by_draft IS NOT NULL`,

    `CREATE TABLE comment_counters (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      count integer NOT NULL, last_us bigint NOT NULL,
      revision bigint NOT NULL, whole_revision bigint NOT NULL)`,

    `CREATE TABLE comment_mutes (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, recipient text NOT NULL,
      PRIMARY KEY (page_id, recipient))`,
  ],
}
