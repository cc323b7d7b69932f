import type { Migration } from '../migration.ts'

/** Marks deleted accounts, until all that they stored is deleted. */
export const accountDeletion: Migration = {
  name: '0016-account-deletion',
  up: () => [
    'ALTER TABLE accounts ADD COLUMN deleted_at text',
    'CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL',
  ],
}
