import type { Migration } from '../migration.ts'

/** What the inbox of an account sorts threads and finds decisions by. */
export const inbox: Migration = {
  name: '0018-inbox',
  up: () => [
    'DROP INDEX comments_replies',
    `CREATE INDEX comments_replies ON comments (parent_id, created_at)
      WHERE parent_id IS NOT NULL`,
    `CREATE INDEX approval_decisions_of_approver
      ON approval_decisions (page_id, email, decided_at, id)`,
  ],
}
