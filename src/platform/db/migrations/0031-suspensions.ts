import type { Migration } from '../migration.ts'

/** Accounts that the operator of the server suspended: nothing of theirs is served. */
export const suspensions: Migration = {
  name: '0031-suspensions',
  up: () => ['ALTER TABLE accounts ADD COLUMN suspended_at text'],
}
