import type { Migration } from '../migration.ts'

/**
 * Lists leave out pages that an import is bringing. Indexes without these pages have all that an
 * offset skips, and all that a count needs: the pages themselves are not read.
 */
export const listIndexes: Migration = {
  name: '0028-list-indexes',
  up: () => [
    'DROP INDEX pages_by_edit',
    `CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id)
      WHERE importing_at IS NULL`,
    'DROP INDEX pages_by_creation',
    `CREATE INDEX pages_by_creation ON pages (account_id, created_at, id)
      WHERE importing_at IS NULL`,
  ],
}
