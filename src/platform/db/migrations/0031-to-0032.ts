import type { Migration } from '../migration.ts'

export const FROM_31: readonly Migration[] = [
  /** Accounts that the operator of the server suspended: nothing of theirs is served. */
  {
    name: '0031-suspensions',
    up: () => ['ALTER TABLE accounts ADD COLUMN suspended_at text'],
  },
  /** What each account stores, so that a write can compare it with the plan. */
  {
    name: '0032-quotas',
    up: () => [
      'ALTER TABLE accounts ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0',
      `UPDATE accounts SET stored_bytes = coalesce((
      SELECT sum(v.size_bytes) FROM versions v JOIN pages p ON p.id = v.page_id
      WHERE p.account_id = accounts.id), 0)`,
      // Counts what waits for a page, at every upload.
      'CREATE INDEX uploads_of_account ON uploads (account_id)',
    ],
  },
]
