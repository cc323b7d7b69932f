import type { Migration } from '../migration.ts'

/** How edits changed files, so that comments on their passages move along. */
export const fileEdits: Migration = {
  name: '0009-file-edits',
  up: () => [
    `CREATE TABLE file_edits (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, edit_no integer NOT NULL,
      from_hash text NOT NULL, to_hash text NOT NULL, splices text NOT NULL,
      created_at text NOT NULL, PRIMARY KEY (page_id, edit_no))`,
  ],
}
