import type { Migration } from '../migration.ts'

export const FROM_16: readonly Migration[] = [
  /** Marks deleted accounts, until all that they stored is deleted. */
  {
    name: '0016-account-deletion',
    up: () => [
      'ALTER TABLE accounts ADD COLUMN deleted_at text',
      'CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL',
    ],
  },
  /** Pages that the operator of the server took down. */
  {
    name: '0017-takedowns',
    up: () => [
      'ALTER TABLE pages ADD COLUMN taken_down_at text',
      'ALTER TABLE pages ADD COLUMN taken_down_reason text',
      'CREATE INDEX pages_taken_down ON pages (taken_down_at) WHERE taken_down_at IS NOT NULL',
    ],
  },
  /** What the inbox of an account sorts threads and finds decisions by. */
  {
    name: '0018-inbox',
    up: () => [
      'DROP INDEX comments_replies',
      `CREATE INDEX comments_replies ON comments (parent_id, created_at)
      WHERE parent_id IS NOT NULL`,
      `CREATE INDEX approval_decisions_of_approver
      ON approval_decisions (page_id, email, decided_at, id)`,
    ],
  },
  /** Decisions and signed records of other servers, which came with an imported page. */
  {
    name: '0019-imported-approvals',
    up: () => [
      'ALTER TABLE approval_decisions ADD COLUMN imported_at text',
      `CREATE TABLE imported_approval_records (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      issuer text NOT NULL, key_id text NOT NULL, signed_at text NOT NULL,
      imported_at text NOT NULL, record text NOT NULL)`,
      `CREATE INDEX imported_approval_records_of_page
      ON imported_approval_records (page_id, signed_at, id)`,
    ],
  },
  /** Marks viewers whose address another server has confirmed. */
  {
    name: '0020-imported-viewers',
    up: () => ['ALTER TABLE confirmed_viewers ADD COLUMN imported_at text'],
  },
  /** What content needs an origin of its own for. It is found when the release is made again. */
  {
    name: '0021-origin-needs',
    up: () => ['ALTER TABLE manifests ADD COLUMN needs_origin text'],
  },
  /**
   * Indexes the comments that were changed after they were posted. New ones are found by their
   * time, so that posting writes one index less.
   */
  {
    name: '0022-comment-changes',
    up: () => [
      'ALTER TABLE comments ADD COLUMN changed_revision bigint',
      'DROP INDEX comments_changed',
      `CREATE INDEX comments_changed ON comments (page_id, changed_revision)
      WHERE changed_revision IS NOT NULL`,
    ],
  },
]
