import type { Migration } from '../migration.ts'

/** Decisions and signed records of other servers, which came with an imported page. */
export const importedApprovals: Migration = {
  name: '0019-imported-approvals',
  up: () => [
    'ALTER TABLE approval_decisions ADD COLUMN imported_at text',
    `CREATE TABLE imported_approval_records (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      issuer text NOT NULL, key_id text NOT NULL, signed_at text NOT NULL,
      imported_at text NOT NULL, record text NOT NULL)`,
    `CREATE INDEX imported_approval_records_of_page
      ON imported_approval_records (page_id, signed_at, id)`,
  ],
}
