import type { Migration } from '../migration.ts'

/** What the lists in a page's responses had in them, for the time when all of them are empty. */
export const listTypes: Migration = {
  name: '0008-list-types',
  up: () => ["ALTER TABLE response_counters ADD COLUMN list_types text NOT NULL DEFAULT '[]'"],
}
