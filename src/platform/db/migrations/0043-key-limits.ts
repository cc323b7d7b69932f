import type { Migration } from '../migration.ts'

/** What an API key is limited to. Keys from before have no limits. */
export const keyLimits: Migration = {
  name: '0043-key-limits',
  up: () => ['ALTER TABLE api_keys ADD COLUMN confirmed_only integer NOT NULL DEFAULT 0'],
}
