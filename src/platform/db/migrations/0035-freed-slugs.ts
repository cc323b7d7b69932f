import type { Migration } from '../migration.ts'

/**
 * Slugs that accounts gave up. They outlive the account: then nobody may take them, which no
 * account means.
 */
export const freedSlugs: Migration = {
  name: '0035-freed-slugs',
  up: () => [
    'CREATE TABLE freed_slugs (slug text PRIMARY KEY, account_id text, freed_at text NOT NULL)',
    'CREATE INDEX freed_slugs_by_time ON freed_slugs (freed_at)',
    'CREATE INDEX freed_slugs_of_account ON freed_slugs (account_id)',
  ],
}
