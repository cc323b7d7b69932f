import type { Migration } from '../migration.ts'

/** The folder of a page, by its name, for lists. It is one of the settings. */
export const folders: Migration = {
  name: '0042-folders',
  up: () => [
    'ALTER TABLE pages ADD COLUMN folder text',
    `CREATE INDEX pages_in_folders ON pages (account_id, folder, updated_at, id)
      WHERE folder IS NOT NULL AND importing_at IS NULL AND trashed_at IS NULL`,
  ],
}
