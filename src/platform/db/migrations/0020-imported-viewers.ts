import type { Migration } from '../migration.ts'

/** Marks viewers whose address another server has confirmed. */
export const importedViewers: Migration = {
  name: '0020-imported-viewers',
  up: () => ['ALTER TABLE confirmed_viewers ADD COLUMN imported_at text'],
}
