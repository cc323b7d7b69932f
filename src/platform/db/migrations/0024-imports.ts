import type { Migration } from '../migration.ts'

/** Pages that an import is bringing, which nobody sees yet, and where imported pages are from. */
export const imports: Migration = {
  name: '0024-imports',
  up: () => [
    'ALTER TABLE pages ADD COLUMN importing_at text',
    'CREATE INDEX pages_importing ON pages (importing_at) WHERE importing_at IS NOT NULL',
    `CREATE TABLE imported_pages (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      account_id text NOT NULL REFERENCES accounts (id), from_server text NOT NULL,
      from_page_id text NOT NULL)`,
    'CREATE UNIQUE INDEX imported_pages_from ON imported_pages (account_id, from_page_id)',
  ],
}
