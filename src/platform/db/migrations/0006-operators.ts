import type { Migration } from '../migration.ts'

/**
 * Marks the accounts that operate the server. The set-up link of an earlier version made the oldest
 * account, with a key named `first key`; accounts that a command made have no such key.
 */
export const operators: Migration = {
  name: '0006-operators',
  up: () => [
    'ALTER TABLE accounts ADD COLUMN is_operator integer NOT NULL DEFAULT 0',
    `UPDATE accounts SET is_operator = 1
      WHERE created_at = (SELECT min(created_at) FROM accounts)
      AND id IN (SELECT account_id FROM api_keys WHERE name = 'first key')`,
  ],
}
