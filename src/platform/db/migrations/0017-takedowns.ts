import type { Migration } from '../migration.ts'

/** Pages that the operator of the server took down. */
export const takedowns: Migration = {
  name: '0017-takedowns',
  up: () => [
    'ALTER TABLE pages ADD COLUMN taken_down_at text',
    'ALTER TABLE pages ADD COLUMN taken_down_reason text',
    'CREATE INDEX pages_taken_down ON pages (taken_down_at) WHERE taken_down_at IS NOT NULL',
  ],
}
